// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta.h"
#include "api/pod.h"
#include "base/error.h"
#include "convert/draft.h"
#include "convert/finding.h"
#include "crds/plugin_catalogue.h"

namespace berth::convert {

// ObjectName is "kube-system/scheduler-config"; an empty namespace is any.
struct ObjectName {
  std::string ns;
  std::string name;
};

// ConfigKey is where a file of a container comes from.
struct ConfigKey {
  ObjectName config_map;
  std::string key;  // of its data
};

// Workload is a Deployment, StatefulSet, DaemonSet or Pod that runs a scheduler.
struct Workload {
  std::string title;  // "Deployment kube-system/qos-scheduler"
  api::ObjectMeta metadata;
  std::optional<int32_t> replicas;
  api::PodTemplateSpec pod;
  size_t container = 0;                      // the scheduler's, of pod.spec.containers
  bool is_scheduler = false;                 // by its name or its flags; else by its --config alone
  std::vector<std::string> program;          // what stands before the flags
  std::map<std::string, std::string> flags;  // without dashes before; "" where no value is given

  const api::Container& scheduler() const { return pod.spec.containers[container]; }

  // Flag gives the value of a flag; nothing where it is not given, or empty.
  std::optional<std::string> Flag(const std::string& name) const;

  // SourceOf finds the ConfigMap whose content is at a path in the scheduler's container.
  std::optional<ConfigKey> SourceOf(std::string_view path) const;
};

// GrantedRole is a ClusterRole that the old scheduler's account is bound to.
struct GrantedRole {
  std::string name;
  bool allows_everything = false;
};

// IsWorkloadKind says that objects of the kind run pods, as ReadWorkload reads them.
bool IsWorkloadKind(std::string_view kind);

// ReadWorkload reads such an object; nothing where none of its containers can be a scheduler, by its
// name or its flags. Requires: IsWorkloadKind(kind). Errors (kConfig): the object is malformed.
Result<std::optional<Workload>> ReadWorkload(const std::string& kind, const std::string& document);

// ApplyWorkload puts into a draft how the scheduler runs. Errors (kConfig): a flag's value; there is
// no image that could stay.
Result<void> ApplyWorkload(const Workload& workload, const std::vector<GrantedRole>& roles,
                           EngineChoice choice, const crds::PluginCatalogueView& catalogue,
                           const Reporter& reporter, Draft& draft);

}  // namespace berth::convert
