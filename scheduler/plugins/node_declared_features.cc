// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_declared_features.h"

#include <algorithm>

#include "base/strings.h"
#include "scheduler/plugins/pod_events.h"

namespace berth::scheduler {
namespace {

bool RestartsAllContainers(const api::PodSpec& spec) {
  const auto restarts_all = [](const api::Container& container) {
    const auto& rules = container.restart_policy_rules;
    return std::any_of(rules.begin(), rules.end(), [](const api::ContainerRestartRule& rule) {
      return rule.action == "RestartAllContainers";
    });
  };
  return std::any_of(spec.containers.begin(), spec.containers.end(), restarts_all) ||
         std::any_of(spec.init_containers.begin(), spec.init_containers.end(), restarts_all);
}

bool UsesUserNamespaceOnHostNetwork(const api::PodSpec& spec) {
  return spec.host_network && spec.host_users == false;
}

// The features that a pod may require for scheduling; other features matter only for pod updates.
// All of them are still in their version range. Source: component-helpers
// nodedeclaredfeatures/features, InferForScheduling.
constexpr struct {
  std::string_view name;
  bool (*required)(const api::PodSpec& spec);
} kRequirableFeatures[] = {
    {"RestartAllContainersOnContainerExits", RestartsAllContainers},
    {"UserNamespacesHostNetworkSupport", UsesUserNamespaceOnHostNetwork},
};

using FeatureNames = std::vector<std::string_view>;

// RequiredFeatures is PreFilter's state for Filter.
struct RequiredFeatures {
  FeatureNames names;
};

FeatureNames RequiredBy(const PendingPod& pod) {
  FeatureNames names;
  for (const auto& feature : kRequirableFeatures) {
    if (feature.required(pod.pod().spec)) names.push_back(feature.name);
  }
  return names;
}

bool Declares(const api::Node& node, const FeatureNames& required) {
  const auto& declared = node.status.declared_features;
  return std::all_of(required.begin(), required.end(), [&declared](std::string_view name) {
    return std::find(declared.begin(), declared.end(), name) != declared.end();
  });
}

}  // namespace

PluginDescriptor NodeDeclaredFeatures::Descriptor() {
  return Describe<NodeDeclaredFeatures>({
      .name = "NodeDeclaredFeatures",
      .summary = "Rejects nodes that do not declare the kubelet features that the pod uses.",
      .depends_on = {Epoch::kNodeObject},
      .events = {{Resource::kNode, action::kAdd | action::kUpdateNodeDeclaredFeature,
                  "a node with the features appeared, or its declared features changed"},
                 {Resource::kTargetPod, action::kUpdate, "the pod uses other features now"}},
      .example = R"(# Pods may also use nodes that do not declare their features.
plugins:
  multiPoint: {disabled: [{name: NodeDeclaredFeatures}]})",
  });
}

ResultKey NodeDeclaredFeatures::KeyOf(const CycleContext& cycle) const {
  return ResultKey::Of(Join(RequiredBy(cycle.pod), ","));
}

PreFilterResult NodeDeclaredFeatures::PreFilter(CycleContext& cycle) const {
  FeatureNames required = RequiredBy(cycle.pod);
  if (required.empty()) return PreFilterResult::Of(Status::Skip());
  cycle.state.Write(RequiredFeatures{std::move(required)});
  return PreFilterResult::Of(Status::Success());
}

Verdict NodeDeclaredFeatures::Filter(const CycleContext& cycle, const NodeView& node) const {
  static const VerdictReason kReason =
      VerdictReason::Intern("node(s) didn't match Pod's required features");
  // A profile may enable Filter without PreFilter.
  const auto* required = cycle.state.Read<RequiredFeatures>();
  const bool fits =
      Declares(node.node(), required != nullptr ? required->names : RequiredBy(cycle.pod));
  return fits ? Verdict::Fits() : Verdict::UnschedulableAndUnresolvable(kReason);
}

QueueingHint NodeDeclaredFeatures::Hint(const PendingPod&, const ClusterEvent& event,
                                        const EventObjects& objects) const {
  if (event.resource == Resource::kNode) {
    return QueueIf(objects.old_node == nullptr || objects.old_node->status.declared_features !=
                                                      objects.new_node->status.declared_features);
  }
  return QueueIf(RequiredBy(*objects.old_pod->pending()) !=
                 RequiredBy(*objects.new_pod->pending()));
}

}  // namespace berth::scheduler
