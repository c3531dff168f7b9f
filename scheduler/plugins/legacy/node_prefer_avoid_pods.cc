// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/legacy/node_prefer_avoid_pods.h"

#include <algorithm>
#include <string>
#include <vector>

#include "scheduler/model/key_text.h"

namespace berth::scheduler {
namespace {

constexpr const char* kAnnotation = "scheduler.alpha.kubernetes.io/preferAvoidPods";

struct PodSignature {
  api::OwnerReference pod_controller;

  static auto Fields() {
    return json::Object(json::Field("podController", &PodSignature::pod_controller));
  }
};

struct PreferAvoidPodsEntry {
  PodSignature pod_signature;

  static auto Fields() {
    return json::Object(json::Field("podSignature", &PreferAvoidPodsEntry::pod_signature));
  }
};

struct AvoidPods {
  std::vector<PreferAvoidPodsEntry> prefer_avoid_pods;

  static auto Fields() {
    return json::Object(json::Field("preferAvoidPods", &AvoidPods::prefer_avoid_pods));
  }
};

// Returns the pod's controller if it is a ReplicationController or ReplicaSet, which annotations
// may name; else null.
const api::OwnerReference* ControllerOf(const PendingPod& pod) {
  const api::OwnerReference* controller = api::ControllerOf(pod.pod().metadata);
  if (controller == nullptr) return nullptr;
  const bool is_known =
      controller->kind == "ReplicationController" || controller->kind == "ReplicaSet";
  return is_known ? controller : nullptr;
}

bool Lists(const PreferAvoidPodsEntry& entry, const api::OwnerReference& controller) {
  const api::OwnerReference& avoided = entry.pod_signature.pod_controller;
  return avoided.kind == controller.kind && avoided.uid == controller.uid;
}

}  // namespace

PluginDescriptor NodePreferAvoidPods::Descriptor() {
  return Describe<NodePreferAvoidPods>({
      .name = "NodePreferAvoidPods",
      .summary = "Avoids nodes with an annotation preferAvoidPods that names the pod's controller; "
                 "implements NodePreferAvoidPodsPriority of a Policy.",
      .depends_on = {Epoch::kNodeObject},
      .example = R"(# Outweighs all default scores together, like the weight 10000 in a Policy.
plugins:
  score:
    enabled: [{name: NodePreferAvoidPods, weight: 100}])",
  });
}

ResultKey NodePreferAvoidPods::KeyOf(const CycleContext& cycle) const {
  const api::OwnerReference* controller = ControllerOf(cycle.pod);
  if (controller == nullptr) return ResultKey::Of("");
  return ResultKey::Of(KeyText().Add(controller->kind).Add(controller->uid).Take());
}

int64_t NodePreferAvoidPods::Score(const CycleContext& cycle, const NodeView& node) const {
  const api::OwnerReference* controller = ControllerOf(cycle.pod);
  if (controller == nullptr) return kMaxNodeScore;
  const api::StringMap& annotations = node.node().metadata.annotations;
  const auto found = annotations.find(kAnnotation);
  if (found == annotations.end()) return kMaxNodeScore;
  const auto avoided = json::Decode<AvoidPods>(found->second);
  const bool is_avoided =
      avoided && std::ranges::any_of(avoided->prefer_avoid_pods,
                                     [controller](const PreferAvoidPodsEntry& entry) {
                                       return Lists(entry, *controller);
                                     });
  return is_avoided ? kMinNodeScore : kMaxNodeScore;
}

}  // namespace berth::scheduler
