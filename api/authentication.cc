// SPDX-License-Identifier: Apache-2.0
#include "api/authentication.h"

namespace berth::api {

const json::Type& BoundObjectReference::JsonType() {
  static const json::Type type = json::Describe<BoundObjectReference>(
      json::Object(json::Field("apiVersion", &BoundObjectReference::api_version),
                   json::Field("kind", &BoundObjectReference::kind),
                   json::Field("name", &BoundObjectReference::name),
                   json::Field("uid", &BoundObjectReference::uid)));
  return type;
}

const json::Type& TokenRequestSpec::JsonType() {
  static const json::Type type = json::Describe<TokenRequestSpec>(
      json::Object(json::Field("audiences", &TokenRequestSpec::audiences),
                   json::Field("expirationSeconds", &TokenRequestSpec::expiration_seconds),
                   json::Field("boundObjectRef", &TokenRequestSpec::bound_object_ref)));
  return type;
}

const json::Type& TokenRequestStatus::JsonType() {
  static const json::Type type = json::Describe<TokenRequestStatus>(
      json::Object(json::Field("token", &TokenRequestStatus::token),
                   json::Field("expirationTimestamp", &TokenRequestStatus::expiration_timestamp)));
  return type;
}

const json::Type& TokenRequest::JsonType() {
  static const json::Type type = json::Describe<TokenRequest>(json::Object(
      json::Constant("apiVersion", "authentication.k8s.io/v1"),
      json::Constant("kind", "TokenRequest"), json::Field("metadata", &TokenRequest::metadata),
      json::Field("spec", &TokenRequest::spec), json::Field("status", &TokenRequest::status)));
  return type;
}

}  // namespace berth::api
