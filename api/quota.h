// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/container.h"
#include "api/meta.h"

namespace berth::api {

// ScopedResourceSelectorRequirement selects the pods that a quota counts, for example by priority
// class.
struct ScopedResourceSelectorRequirement {
  std::string scope_name;
  std::string op;
  std::vector<std::string> values;

  bool operator==(const ScopedResourceSelectorRequirement&) const = default;
  static const json::Type& JsonType();
};

struct ScopeSelector {
  std::vector<ScopedResourceSelectorRequirement> match_expressions;

  bool operator==(const ScopeSelector&) const = default;
  static const json::Type& JsonType();
};

struct ResourceQuotaSpec {
  ResourceList hard;
  std::optional<ScopeSelector> scope_selector;

  bool operator==(const ResourceQuotaSpec&) const = default;
  static const json::Type& JsonType();
};

struct ResourceQuota {
  static constexpr ResourceInfo kResource{.group = "",
                                          .version = "v1",
                                          .kind = "ResourceQuota",
                                          .plural = "resourcequotas",
                                          .namespaced = true};

  ObjectMeta metadata;
  ResourceQuotaSpec spec;

  bool operator==(const ResourceQuota&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
