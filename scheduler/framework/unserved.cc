// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/unserved.h"

#include <algorithm>
#include <string>

namespace berth::scheduler {
namespace {

Status Needs(const std::string& what, std::string_view plugin) {
  Status status = Status::UnschedulableAndUnresolvable(
      what + " needs the plugin " + std::string(plugin) + ", which is not served by this version");
  status.plugin = plugin;
  return status;
}

std::string At(std::string_view list, size_t i, std::string_view field = {}) {
  return std::string(list) + "[" + std::to_string(i) + "]" + std::string(field);
}

// CheckVolume names the first of the volume plugins that the profile would run and that looks at
// such a volume.
Status CheckVolume(const api::Volume& volume, size_t i, const EffectivePlugins& plugins) {
  struct Interest {
    bool concerned;
    std::string_view field;
    std::initializer_list<std::string_view> plugins;
  };
  const Interest interests[] = {
      {volume.persistent_volume_claim.has_value(),
       ".persistentVolumeClaim",
       {"VolumeBinding", "VolumeRestrictions", "NodeVolumeLimits", "VolumeZone"}},
      {volume.ephemeral.has_value(),
       ".ephemeral",
       {"VolumeBinding", "VolumeRestrictions", "NodeVolumeLimits", "VolumeZone"}},
      {volume.csi.has_value(), ".csi", {"NodeVolumeLimits"}},
      {volume.gce_persistent_disk.has_value(),
       ".gcePersistentDisk",
       {"VolumeRestrictions", "NodeVolumeLimits"}},
      {volume.aws_elastic_block_store.has_value(),
       ".awsElasticBlockStore",
       {"VolumeRestrictions", "NodeVolumeLimits"}},
      {volume.rbd.has_value(), ".rbd", {"VolumeRestrictions"}},
      {volume.iscsi.has_value(), ".iscsi", {"VolumeRestrictions"}},
      {volume.azure_disk.has_value(), ".azureDisk", {"NodeVolumeLimits"}},
      {volume.cinder.has_value(), ".cinder", {"NodeVolumeLimits"}},
  };
  for (const Interest& interest : interests) {
    if (!interest.concerned) continue;
    for (const std::string_view plugin : interest.plugins) {
      if (plugins.MissesFilter(plugin)) {
        return Needs(At("spec.volumes", i, interest.field), plugin);
      }
    }
  }
  return Status::Success();
}

Status CheckVolumes(const api::PodSpec& spec, const EffectivePlugins& plugins) {
  for (size_t i = 0; i < spec.volumes.size(); ++i) {
    if (Status status = CheckVolume(spec.volumes[i], i, plugins); !status.ok()) return status;
  }
  return Status::Success();
}

Status CheckFeatures(const api::PodSpec& spec, const EffectivePlugins& plugins) {
  constexpr std::string_view kPlugin = "NodeDeclaredFeatures";
  if (!plugins.MissesFilter(kPlugin)) return Status::Success();
  if (spec.host_network && spec.host_users == false) {
    return Needs("spec.hostUsers (false, with spec.hostNetwork)", kPlugin);
  }
  const auto check = [&](std::string_view list, const std::vector<api::Container>& containers) {
    for (size_t i = 0; i < containers.size(); ++i) {
      const auto& rules = containers[i].restart_policy_rules;
      if (std::any_of(rules.begin(), rules.end(), [](const api::ContainerRestartRule& rule) {
            return rule.action == "RestartAllContainers";
          })) {
        return Needs(At(list, i, ".restartPolicyRules (RestartAllContainers)"), kPlugin);
      }
    }
    return Status::Success();
  };
  const Status status = check("spec.initContainers", spec.init_containers);
  return status.ok() ? check("spec.containers", spec.containers) : status;
}

}  // namespace

Status RejectUnserved(const PendingPod& pod, const EffectivePlugins& plugins) {
  if (plugins.missing_filters.empty()) return Status::Success();
  const api::PodSpec& spec = pod.pod().spec;
  const Status status = CheckVolumes(spec, plugins);
  return status.ok() ? CheckFeatures(spec, plugins) : status;
}

}  // namespace berth::scheduler
