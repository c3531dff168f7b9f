// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/unserved.h"

#include <algorithm>
#include <string>

#include "api/labels.h"

namespace berth::scheduler {
namespace {

constexpr std::string_view kInterPodAffinity = "InterPodAffinity";

Status Needs(const std::string& what, std::string_view plugin) {
  Status status = Status::UnschedulableAndUnresolvable(
      what + " needs the plugin " + std::string(plugin) + ", which is not served by this version");
  status.plugin = plugin;
  return status;
}

std::string At(std::string_view list, size_t i, std::string_view field = {}) {
  return std::string(list) + "[" + std::to_string(i) + "]" + std::string(field);
}

Status CheckAffinity(const api::PodSpec& spec, const EffectivePlugins& plugins) {
  if (!spec.affinity || !plugins.MissesFilter(kInterPodAffinity)) return Status::Success();
  const std::string required = ".requiredDuringSchedulingIgnoredDuringExecution";
  if (!spec.affinity->pod_affinity.ValueOrDefault().required.empty()) {
    return Needs("spec.affinity.podAffinity" + required, kInterPodAffinity);
  }
  if (!spec.affinity->pod_anti_affinity.ValueOrDefault().required.empty()) {
    return Needs("spec.affinity.podAntiAffinity" + required, kInterPodAffinity);
  }
  return Status::Success();
}

Status CheckSpreading(const api::PodSpec& spec, const EffectivePlugins& plugins) {
  constexpr std::string_view kPlugin = "PodTopologySpread";
  if (!plugins.MissesFilter(kPlugin)) return Status::Success();
  for (size_t i = 0; i < spec.topology_spread_constraints.size(); ++i) {
    if (spec.topology_spread_constraints[i].when_unsatisfiable == "DoNotSchedule") {
      return Needs(At("spec.topologySpreadConstraints", i, " (whenUnsatisfiable: DoNotSchedule)"),
                   kPlugin);
    }
  }
  return Status::Success();
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

Status CheckClaims(const api::PodSpec& spec, const EffectivePlugins& plugins) {
  if (!spec.resource_claims.empty() && plugins.MissesFilter("DynamicResources")) {
    return Needs("spec.resourceClaims", "DynamicResources");
  }
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

// MayConcern says whether a term of a pod in `owner_namespace` may keep `pod` away. A selector of
// namespaces, which would have to be looked up, counts as met.
bool MayConcern(const api::PodAffinityTerm& term, const std::string& owner_namespace,
                const PodInfo& pod) {
  if (!term.namespace_selector) {
    const auto& listed = term.namespaces;
    const bool met =
        listed.empty() ? owner_namespace == pod.namespace_()
                       : std::find(listed.begin(), listed.end(), pod.namespace_()) != listed.end();
    if (!met) return false;
  }
  const auto selector = api::Selector::Create(term.label_selector);
  return !selector || selector->Matches(pod.pod().metadata.labels);
}

Status CheckExistingPods(const PodInfo& pod, const Snapshot& snapshot,
                         const EffectivePlugins& plugins) {
  if (!plugins.MissesFilter(kInterPodAffinity)) return Status::Success();
  for (const Slot slot : snapshot.WithRequiredAntiAffinity()) {
    for (const auto& other : snapshot.At(slot).pods) {
      for (const api::PodAffinityTerm& term : other->anti_affinity().required) {
        if (MayConcern(term, other->namespace_(), pod)) {
          return Needs("the required anti-affinity of pod " + other->Key(), kInterPodAffinity);
        }
      }
    }
  }
  return Status::Success();
}

}  // namespace

Status RejectUnserved(const PodInfo& pod, const Snapshot& snapshot,
                      const EffectivePlugins& plugins) {
  if (plugins.missing_filters.empty()) return Status::Success();
  const api::PodSpec& spec = pod.pod().spec;
  for (const auto check : {CheckAffinity, CheckSpreading, CheckClaims, CheckFeatures}) {
    if (Status status = check(spec, plugins); !status.ok()) return status;
  }
  return CheckExistingPods(pod, snapshot, plugins);
}

std::vector<UnservedEvent> UnservedEvents(const EffectivePlugins& plugins) {
  if (!plugins.MissesFilter(kInterPodAffinity)) return {};
  // CheckExistingPods: the pod is free when the other one goes, or either changes its labels.
  return {{{Resource::kPod, action::kDelete | action::kUpdatePodLabel, {}}, kInterPodAffinity}};
}

}  // namespace berth::scheduler
