// SPDX-License-Identifier: Apache-2.0
#include "bench/decision_work.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace berth::bench {

using scheduler::Outcome;
using scheduler::PendingPod;

namespace {

NodeChange ChangeOf(NodeEvent event) {
  switch (event) {
    case NodeEvent::kLabel:
      return {.revision = 1};
    case NodeEvent::kAllocatable:
      return {.cpu_taken = 1};
    case NodeEvent::kImage:
      return {.pulled = 1};
    case NodeEvent::kNone:
      break;
  }
  return {};
}

std::shared_ptr<const scheduler::Profile> ProfileOf(const DecisionOptions& options,
                                                    const scheduler::PluginHandle& handle) {
  if (options.filter_without_key) return ProfileWithFilterWithoutKey(handle);
  if (options.rule) return ProfileWithRule(*options.rule, options.company, handle);
  return DefaultProfile(handle);
}

}  // namespace

DecisionWork::DecisionWork(DecisionOptions options)
    : options_(std::move(options)), profile_(ProfileOf(options_, {clock_, api_, words_})) {
  const ClusterObjects cluster = MakeCluster(options_.nodes, options_.pods_per_node);
  for (const auto& node : cluster.nodes) cache_.AddNode(node);
  for (const auto& pod : cluster.pods) cache_.AddPod(*pod);
  PlacePods();
  if (options_.owners) KnowOwners();
  const size_t pods = std::max(options_.shapes.size(), options_.round + kSettling);
  for (size_t i = 0; i < pods; ++i) {
    const PodShape& shape = options_.shapes[i % options_.shapes.size()];
    pods_.push_back(PendingPod::Create(MakePod(kFirstFreeSerial + i, shape), words_));
  }
  NominatePods();
  MakeChangedNodes();
}

void DecisionWork::PlacePods() {
  size_t serial = kFirstFreeSerial / 2;  // above the serials of the cluster's pods
  for (const PlacedPods& each : options_.placed) {
    for (size_t i = 0; i < each.count; ++i) {
      cache_.AddPod(*MakePod(serial++, each.shape_of(i), NodeName(each.node_of(i))));
    }
  }
}

void DecisionWork::KnowOwners() {
  for (const PodShape& shape : options_.shapes) {
    const auto pod = MakePod(kFirstFreeSerial, shape);
    const api::OwnerReference& owner = pod->metadata.owner_references.front();
    api::ReplicaSet set;
    set.metadata.name = owner.name;
    set.metadata.namespace_ = pod->metadata.namespace_;
    set.metadata.uid = owner.uid;
    set.spec.selector.emplace().match_labels = {{"app", shape.app}};
    cache_.Put(set);
  }
}

void DecisionWork::NominatePods() {
  PodShape important = PlainShape();
  important.app = "important";
  important.priority = 1000;
  for (size_t i = 0; i < options_.nominated_nodes; ++i) {
    const size_t node = i * options_.nodes / options_.nominated_nodes;
    const auto pod = MakePod(kFirstFreeSerial + pods_.size() + i, important);
    nominator_.Nominate(PendingPod::Create(pod, words_), NodeName(node));
  }
}

void DecisionWork::MakeChangedNodes() {
  if (options_.event == NodeEvent::kNone) return;
  constexpr size_t kChangingNodes = 200;
  const NodeChange change = ChangeOf(options_.event);
  for (size_t i = 0; i < kChangingNodes; ++i) {
    const size_t node = i * options_.nodes / kChangingNodes;
    changing_nodes_.push_back({MakeNode(node, change), MakeNode(node)});
  }
}

void DecisionWork::Round(Meter& meter) {
  TakeBackPods();
  for (size_t i = 0; i < std::min(options_.shapes.size(), kSettling); ++i) Decide();
  const Measured measured(meter);
  for (size_t i = 0; i < options_.round; ++i) {
    Happen();
    Decide();
  }
}

void DecisionWork::TakeBackPods() {
  for (const std::string& uid : placed_) {
    BERTH_CHECK(cache_.Forget(uid).has_value(), "an assumed pod can be forgotten");
  }
  placed_.clear();
}

void DecisionWork::Happen() {
  if (changing_nodes_.empty()) return;
  const TwoStates& states = changing_nodes_[next_event_ % changing_nodes_.size()];
  const bool is_original_now = next_event_ / changing_nodes_.size() % 2 == 0;
  cache_.UpdateNode(is_original_now ? states.changed : states.original);
  ++next_event_;
}

void DecisionWork::Decide() {
  const PendingPod& pod = NextPod();
  scheduler::CycleState state;
  const Outcome outcome =
      SchedulePod({.profile = *profile_,
                   .snapshot = cache_,
                   .pod = pod,
                   .nominated = nominator_,
                   .start = start_,
                   .result_cache = options_.result_cache ? &result_cache_ : nullptr},
                  state);
  if (outcome.kind == Outcome::Kind::kUnschedulable) return Keep(FitErrorText(outcome));
  BERTH_CHECK(outcome.kind == Outcome::Kind::kPlaced, outcome.error.Message());
  const auto bound = pod.AssumedOn(outcome.node.word());
  BERTH_CHECK(cache_.Assume(bound).has_value(), "a pod is placed once");
  placed_.push_back(pod.uid());
}

const PendingPod& DecisionWork::NextPod() {
  if (next_pod_ == pods_.size()) {
    next_pod_ = 0;
    // The shapes do not repeat in such a round, so no result of the last round may remain.
    if (options_.shapes.size() >= pods_.size()) result_cache_.Clear();
  }
  return *pods_[next_pod_++];
}

}  // namespace berth::bench
