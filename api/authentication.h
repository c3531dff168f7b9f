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
  static const json::Type& JsonType();
};

struct TokenRequestSpec {
  std::vector<std::string> audiences;
  std::optional<int64_t> expiration_seconds;
  std::optional<BoundObjectReference> bound_object_ref;

  bool operator==(const TokenRequestSpec&) const = default;
  static const json::Type& JsonType();
};

struct TokenRequestStatus {
  std::string token;
  Time expiration_timestamp;

  bool operator==(const TokenRequestStatus&) const = default;
  static const json::Type& JsonType();
};

// TokenRequest is posted to serviceaccounts/NAME/token. The response contains the token.
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
  static const json::Type& JsonType();
};

}  // namespace berth::api
