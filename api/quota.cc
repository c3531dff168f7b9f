// SPDX-License-Identifier: Apache-2.0
#include "api/quota.h"

namespace berth::api {

const json::Type& ScopedResourceSelectorRequirement::JsonType() {
  static const json::Type type = json::Describe<ScopedResourceSelectorRequirement>(
      json::Object(json::Field("scopeName", &ScopedResourceSelectorRequirement::scope_name),
                   json::Field("operator", &ScopedResourceSelectorRequirement::op),
                   json::Field("values", &ScopedResourceSelectorRequirement::values)));
  return type;
}

const json::Type& ScopeSelector::JsonType() {
  static const json::Type type = json::Describe<ScopeSelector>(
      json::Object(json::Field("matchExpressions", &ScopeSelector::match_expressions)));
  return type;
}

const json::Type& ResourceQuotaSpec::JsonType() {
  static const json::Type type = json::Describe<ResourceQuotaSpec>(
      json::Object(json::Field("hard", &ResourceQuotaSpec::hard),
                   json::Field("scopeSelector", &ResourceQuotaSpec::scope_selector)));
  return type;
}

const json::Type& ResourceQuota::JsonType() {
  static const json::Type type = json::Describe<ResourceQuota>(
      json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "ResourceQuota"),
                   json::Field("metadata", &ResourceQuota::metadata),
                   json::Field("spec", &ResourceQuota::spec)));
  return type;
}

}  // namespace berth::api
