// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"

namespace berth::api {

struct BoundObjectReference {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;

  bool operator==(const BoundObjectReference&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("apiVersion", &BoundObjectReference::api_version),
                        json::Field("kind", &BoundObjectReference::kind),
                        json::Field("name", &BoundObjectReference::name),
                        json::Field("uid", &BoundObjectReference::uid));
  }
};

struct TokenRequestSpec {
  std::vector<std::string> audiences;
  std::optional<int64_t> expiration_seconds;
  std::optional<BoundObjectReference> bound_object_ref;

  bool operator==(const TokenRequestSpec&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("audiences", &TokenRequestSpec::audiences),
                        json::Field("expirationSeconds", &TokenRequestSpec::expiration_seconds),
                        json::Field("boundObjectRef", &TokenRequestSpec::bound_object_ref));
  }
};

struct TokenRequestStatus {
  std::string token;
  Time expiration_timestamp;

  bool operator==(const TokenRequestStatus&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("token", &TokenRequestStatus::token),
        json::Field("expirationTimestamp", &TokenRequestStatus::expiration_timestamp));
  }
};

// TokenRequest is posted to serviceaccounts/NAME/token and answered with the token.
struct TokenRequest {
  static constexpr ResourceInfo kResource{.group = "authentication.k8s.io",
                                          .version = "v1",
                                          .kind = "TokenRequest",
                                          .plural = "tokenrequests",
                                          .namespaced = true};

  ObjectMeta metadata;
  TokenRequestSpec spec;
  TokenRequestStatus status;

  bool operator==(const TokenRequest&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Constant("apiVersion", "authentication.k8s.io/v1"),
        json::Constant("kind", "TokenRequest"), json::Field("metadata", &TokenRequest::metadata),
        json::Field("spec", &TokenRequest::spec), json::Field("status", &TokenRequest::status));
  }
};

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::TokenRequest);
