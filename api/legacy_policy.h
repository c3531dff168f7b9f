// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/scheduler_config.h"
#include "base/json/json.h"

// Policy, the configuration file of kube-schedulers before 1.23. Source: kube-scheduler
// config/v1/legacy_types.go at v1.22. An absent or null list means the default list, an empty list
// means none.
namespace berth::api {

struct PolicyServiceAffinity {
  std::vector<std::string> labels;
  static const json::Type& JsonType();
};

struct PolicyLabelsPresence {
  std::vector<std::string> labels;
  bool presence = false;
  static const json::Type& JsonType();
};

struct PolicyPredicateArgument {
  std::optional<PolicyServiceAffinity> service_affinity;
  std::optional<PolicyLabelsPresence> labels_presence;

  int Count() const { return (service_affinity ? 1 : 0) + (labels_presence ? 1 : 0); }
  static const json::Type& JsonType();
};

struct PolicyPredicate {
  std::string name;
  std::optional<PolicyPredicateArgument> argument;
  static const json::Type& JsonType();
};

struct PolicyServiceAntiAffinity {
  std::string label;
  static const json::Type& JsonType();
};

struct PolicyLabelPreference {
  std::string label;
  bool presence = false;
  static const json::Type& JsonType();
};

struct PolicyUtilizationPoint {
  int32_t utilization = 0;
  int32_t score = 0;
  static const json::Type& JsonType();
};

struct PolicyResource {
  std::string name;
  int64_t weight = 0;  // 0 means 1
  static const json::Type& JsonType();
};

struct PolicyCapacityRatio {
  std::vector<PolicyUtilizationPoint> shape;
  std::vector<PolicyResource> resources;  // empty means cpu and memory
  static const json::Type& JsonType();
};

struct PolicyPriorityArgument {
  std::optional<PolicyServiceAntiAffinity> service_anti_affinity;
  std::optional<PolicyLabelPreference> label_preference;
  std::optional<PolicyCapacityRatio> requested_to_capacity_ratio;

  int Count() const {
    return (service_anti_affinity ? 1 : 0) + (label_preference ? 1 : 0) +
           (requested_to_capacity_ratio ? 1 : 0);
  }
  static const json::Type& JsonType();
};

struct PolicyPriority {
  std::string name;
  int64_t weight = 0;
  std::optional<PolicyPriorityArgument> argument;
  static const json::Type& JsonType();
};

// LegacyExtender is an extender in a Policy or in a configuration of any version.
struct LegacyExtender {
  std::string url_prefix;
  std::optional<std::string> api_version;  // of the extender's own protocol; unused
  std::string filter_verb;
  std::string preempt_verb;
  std::string prioritize_verb;
  std::string bind_verb;
  int64_t weight = 0;
  bool enable_https = false;      // "enableHTTPS"
  bool enable_https_old = false;  // "enableHttps"
  std::optional<ExtenderTlsConfig> tls_config;
  json::Raw http_timeout;  // a number of nanoseconds up to v1alpha2, later a duration
  bool node_cache_capable = false;
  std::vector<ExtenderManagedResource> managed_resources;
  bool ignorable = false;
  static const json::Type& JsonType();
};

struct LegacyPolicy {
  static constexpr std::string_view kKind = "Policy";
  static constexpr std::string_view kVersion = "v1";

  std::optional<std::string> api_version;
  std::optional<std::string> kind;
  std::optional<std::vector<PolicyPredicate>> predicates;
  std::optional<std::vector<PolicyPriority>> priorities;
  std::vector<LegacyExtender> extenders;
  int32_t hard_pod_affinity_symmetric_weight = 0;
  bool always_check_all_predicates = false;
  static const json::Type& JsonType();
};

}  // namespace berth::api
