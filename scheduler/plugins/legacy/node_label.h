// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "api/field_error.h"
#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// NodeLabelArgs are the arguments of NodeLabel. Source: k8s.io/kube-scheduler at v0.20,
// config/v1beta1/types_pluginargs.go, NodeLabelArgs.
struct NodeLabelArgs {
  std::vector<std::string> present_labels;
  std::vector<std::string> absent_labels;
  std::vector<std::string> present_labels_preference;
  std::vector<std::string> absent_labels_preference;

  static auto Fields() {
    return json::Object(
        json::Field("presentLabels", &NodeLabelArgs::present_labels)
            .Doc("Labels that a node must have, with any value."),
        json::Field("absentLabels", &NodeLabelArgs::absent_labels)
            .Doc("Labels that a node must not have."),
        json::Field("presentLabelsPreference", &NodeLabelArgs::present_labels_preference)
            .Doc("Labels to prefer: a node gets an equal share of 100 for each label that it has."),
        json::Field("absentLabelsPreference", &NodeLabelArgs::absent_labels_preference)
            .Doc("Labels to avoid: a node gets an equal share of 100 for each label that it "
                 "lacks."));
  }

  std::vector<api::FieldError> Validate() const;
};

// NodeLabel filters and scores nodes by the presence or absence of labels, whatever their values.
// The score is 100 times the fraction of preferences that hold, truncated; 0 without preferences.
// The pod is not read. It implements CheckNodeLabelPresence and NodeLabelPriority of a Policy.
// Source: kube-scheduler at v1.20, pkg/scheduler/framework/plugins/nodelabel/node_label.go.
class NodeLabel final : public FilterPlugin, public ScorePlugin {
 public:
  using Args = NodeLabelArgs;

  // Requires: args.Validate() found nothing.
  explicit NodeLabel(Args args) : args_(std::move(args)) {}
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext&) const override { return ResultKey::Of(""); }
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  ResultKey HintKeyOf(const PendingPod&) const override { return ResultKey::Of(""); }
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;

 private:
  bool Admits(const api::Node& node) const;

  Args args_;
};

}  // namespace berth::scheduler
