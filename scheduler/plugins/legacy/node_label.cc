// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/legacy/node_label.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "scheduler/plugins/pod_events.h"

namespace berth::scheduler {
namespace {

using LabelNames = std::vector<std::string>;

void CheckNoConflict(const LabelNames& present, std::string_view present_path,
                     const LabelNames& absent, std::string_view absent_path,
                     std::vector<api::FieldError>& out) {
  for (size_t i = 0; i < present.size(); ++i) {
    const auto same = std::ranges::find(absent, present[i]);
    if (same == absent.end()) continue;
    const auto at = static_cast<size_t>(same - absent.begin());
    out.push_back(api::FieldError::Invalid(api::Index(present_path, i), present[i],
                                           "conflict with " + api::Index(absent_path, at)));
  }
}

// Returns how many of the labels the node has.
int64_t HowMany(const LabelNames& labels, const api::Node& node) {
  return std::ranges::count_if(
      labels, [&node](const std::string& name) { return node.metadata.labels.contains(name); });
}

}  // namespace

std::vector<api::FieldError> NodeLabelArgs::Validate() const {
  std::vector<api::FieldError> errors;
  CheckNoConflict(present_labels, "presentLabels", absent_labels, "absentLabels", errors);
  CheckNoConflict(present_labels_preference, "presentLabelsPreference", absent_labels_preference,
                  "absentLabelsPreference", errors);
  return errors;
}

PluginDescriptor NodeLabel::Descriptor() {
  return Describe<NodeLabel>({
      .name = "NodeLabel",
      .summary = "Filters and scores nodes by the presence or absence of labels; implements "
                 "CheckNodeLabelPresence and NodeLabelPriority of a Policy.",
      .depends_on = {Epoch::kNodeObject},
      .events = {{Resource::kNode, action::kAdd | action::kUpdateNodeLabel,
                  "a node with the required labels appeared, or its labels match now"}},
      .example =
          R"(# Rejects nodes labeled "retiring"; prefers nodes with a local disk.
plugins:
  multiPoint:
    enabled: [{name: NodeLabel, weight: 2}]
pluginConfig:
- name: NodeLabel
  args:
    absentLabels: [retiring]
    presentLabelsPreference: [local-disk])",
  });
}

bool NodeLabel::Admits(const api::Node& node) const {
  return HowMany(args_.present_labels, node) == std::ssize(args_.present_labels) &&
         HowMany(args_.absent_labels, node) == 0;
}

Verdict NodeLabel::Filter(const CycleContext&, const NodeView& node) const {
  static const VerdictReason kReason =
      VerdictReason::Intern("node(s) didn't have the requested labels");
  return Admits(node.node()) ? Verdict::Fits() : Verdict::UnschedulableAndUnresolvable(kReason);
}

int64_t NodeLabel::Score(const CycleContext&, const NodeView& node) const {
  const LabelNames& present = args_.present_labels_preference;
  const LabelNames& absent = args_.absent_labels_preference;
  const int64_t preferences = std::ssize(present) + std::ssize(absent);
  if (preferences == 0) return kMinNodeScore;
  const int64_t kept =
      HowMany(present, node.node()) + std::ssize(absent) - HowMany(absent, node.node());
  return kMaxNodeScore * kept / preferences;
}

QueueingHint NodeLabel::Hint(const PendingPod&, const ClusterEvent&,
                             const EventObjects& objects) const {
  return QueueIf(Admits(*objects.new_node) &&
                 (objects.old_node == nullptr || !Admits(*objects.old_node)));
}

}  // namespace berth::scheduler
