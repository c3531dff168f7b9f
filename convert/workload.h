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

// ObjectName is "kube-system/scheduler-config"; an empty namespace matches any.
struct ObjectName {
  std::string ns;
  std::string name;
};

// ConfigKey is the ConfigMap key that a container's file comes from.
struct ConfigKey {
  ObjectName config_map;
  std::string key;  // key in its data
};

// Workload is a Deployment, StatefulSet, DaemonSet or Pod that runs a scheduler.
struct Workload {
  std::string title;  // "Deployment kube-system/qos-scheduler"
  api::ObjectMeta metadata;
  std::optional<int32_t> replicas;
  api::PodTemplateSpec pod;
  size_t container = 0;  // index of the scheduler in pod.spec.containers
  // detected by its name or its flags; else only by --config
  bool is_scheduler = false;
  std::vector<std::string> program;  // the command before the flags
  // Without leading dashes; "" for a flag without value. Boolean flags are "true" or "false",
  // unless kube-scheduler rejects the value.
  std::map<std::string, std::string> flags;
  std::map<std::string, ConfigKey, std::less<>> files;  // paths without a volume in `pod`

  const api::Container& scheduler() const { return pod.spec.containers[container]; }

  // Returns the value of a flag, or nullopt if it is absent or empty.
  std::optional<std::string> Flag(const std::string& name) const;

  // Errors (kConfig): the value of a boolean flag is not one.
  Result<void> CheckSwitches() const;

  // Returns the ConfigMap keys that may be mounted at a path in the scheduler's container, in
  // order: several for a projected volume, none without such a mount.
  std::vector<ConfigKey> SourcesOf(std::string_view path) const;
};

// GrantedRole is a ClusterRole that the old scheduler's account is bound to.
struct GrantedRole {
  std::string name;
  bool allows_everything = false;
};

// Reports whether ReadWorkload supports the kind.
bool IsWorkloadKind(std::string_view kind);

// Parses such an object. Returns nullopt if no container looks like a scheduler by its name or
// flags. Requires: IsWorkloadKind(kind). Errors (kConfig): the object is malformed.
Result<std::optional<Workload>> ReadWorkload(const std::string& kind, const std::string& document);

// kSecondaryScheduler is the kind of OpenShift's secondary scheduler operator, which runs a
// kube-scheduler with an image and the key config.yaml of a ConfigMap. Source:
// github.com/openshift/secondary-scheduler-operator pkg/apis/secondaryscheduler/v1/types.go.
inline constexpr std::string_view kSecondaryScheduler = "SecondaryScheduler";

// Parses such an object, and reports the fields that are not read. Errors (kConfig): the object is
// malformed.
Result<Workload> ReadSecondaryScheduler(const std::string& document, const Reporter& reporter);

// Adds the scheduler's deployment settings to a draft. Errors (kConfig): an invalid flag value, or
// no image that could be kept.
Result<void> ApplyWorkload(const Workload& workload, const std::vector<GrantedRole>& roles,
                           EngineChoice choice, const crds::PluginCatalogueView& catalogue,
                           const Reporter& reporter, Draft& draft);

}  // namespace berth::convert
