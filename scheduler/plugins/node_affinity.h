// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "api/affinity.h"
#include "api/field_error.h"
#include "api/labels.h"
#include "scheduler/framework/descriptor.h"
#include "scheduler/plugins/required_node_affinity.h"

namespace berth::scheduler {

// NodeAffinityArgs are the arguments of NodeAffinity. Source: k8s.io/kube-scheduler
// config/v1/types_pluginargs.go, NodeAffinityArgs.
struct NodeAffinityArgs {
  std::optional<api::NodeAffinity> added_affinity;

  static auto Fields() {
    return json::Object(json::Field("addedAffinity", &NodeAffinityArgs::added_affinity)
                            .Doc("Node affinity that is added to every pod of the profile, besides "
                                 "the pod's own. A DaemonSet pod is created for one node and stays "
                                 "pending if the two contradict each other."));
  }

  std::vector<api::FieldError> Validate() const;
};

// NodeAffinity filters nodes by the pod's nodeSelector and required node affinity, and scores them
// by its preferred terms. Required terms that name nodes limit the search to these nodes. The
// arguments may add an affinity to every pod. Source: kube-scheduler
// pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go.
class NodeAffinity final : public PreFilterPlugin,
                           public FilterPlugin,
                           public PreScorePlugin,
                           public ScorePlugin {
 public:
  using Args = NodeAffinityArgs;

  // Requires: args.Validate() found nothing.
  explicit NodeAffinity(const Args& args);
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override { return HintKeyOf(cycle.pod); }
  PreFilterResult PreFilter(CycleContext& cycle) const override;
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  Normalizer normalizer() const override { return Normalizer::kDefault; }
  ResultKey HintKeyOf(const PendingPod& pod) const override;
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;

 private:
  // The terms of the pod (of_pod) and of the arguments (added).
  struct RequiredMatchers {
    std::optional<NodeMatcher> added;
    RequiredNodeMatcher of_pod;
  };
  struct PreferredMatchers {
    PreferenceMatcher added, of_pod;
  };

  RequiredMatchers RequiredMatchersFor(const CycleContext& cycle) const;
  PreferredMatchers PreferredMatchersFor(const CycleContext& cycle,
                                         const api::PreferredTerms& of_pod) const;
  bool AddedMatches(const api::Node& node) const;

  std::optional<api::CompiledNodeSelector> added_required_;
  api::PreferredTerms added_preferred_;
};

}  // namespace berth::scheduler
