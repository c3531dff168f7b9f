// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/testing/test_cluster.h"

#include <algorithm>

namespace berth::scheduler::testing {

TestCluster& TestCluster::Add(const NodeBuilder& node) {
  cache_.AddNode(node.Build());
  return *this;
}

TestCluster& TestCluster::Add(const PodBuilder& pod) {
  const auto built = pod.Build();
  BERTH_CHECK(!built->spec.node_name.empty(), "pods of a TestCluster need a node");
  cache_.AddPod(*built);
  return *this;
}

NodeDelta Simulated::On(const NodeInfo& node) const {
  NodeDelta delta(node);
  for (const auto& pod : added) delta.Add(pod);
  for (const auto& gone : removed) {
    const auto on_node = std::ranges::find(node.pods, gone->uid(), &PodInfo::uid);
    BERTH_CHECK(on_node != node.pods.end(), "pod " + gone->uid() + " is not on the node");
    delta.Remove(**on_node);
  }
  return delta;
}

Slot TestCluster::SlotOf(const std::string& node) const {
  const Slot slot = cache_.Find(node);
  BERTH_CHECK(slot != kNoSlot, node);
  return slot;
}

std::string Text(const Verdict& verdict) { return Text(Status::FromVerdict(verdict, "")); }

std::string Text(const Status& status) {
  std::string text(ToString(status.code));
  if (!status.reasons.empty()) text += ": " + status.Message();
  return text;
}

std::map<std::string, std::string> FilterAll(const Plugin& plugin, Cycle& cycle) {
  if (const auto* pre_filter = dynamic_cast<const PreFilterPlugin*>(&plugin)) {
    const PreFilterResult result = pre_filter->PreFilter(cycle.context());
    if (!result.status.ok()) return {{"", Text(result.status)}};
  }
  const auto* filter = dynamic_cast<const FilterPlugin*>(&plugin);
  BERTH_CHECK(filter != nullptr, "the plugin has no Filter");
  std::map<std::string, std::string> answers;
  for (const Slot slot : cycle.context().snapshot.Order()) {
    const NodeView node = cycle.context().snapshot.View(slot);
    answers[node.name()] = Text(filter->Filter(cycle.context(), node));
  }
  return answers;
}

std::map<std::string, int64_t> ScoreAll(const Plugin& plugin, Cycle& cycle) {
  const std::span<const Slot> slots = cycle.context().snapshot.Order();
  if (const auto* pre_score = dynamic_cast<const PreScorePlugin*>(&plugin)) {
    const FeasibleNodes feasible({slots.begin(), slots.end()});
    if (!pre_score->PreScore(cycle.context(), feasible).ok()) return {};
  }
  const auto* score = dynamic_cast<const ScorePlugin*>(&plugin);
  BERTH_CHECK(score != nullptr, "the plugin has no Score");
  std::map<std::string, int64_t> answers;
  for (const Slot slot : slots) {
    const NodeView node = cycle.context().snapshot.View(slot);
    answers[node.name()] = score->Score(cycle.context(), node);
  }
  return answers;
}

std::map<std::string, int64_t> NormalizeAll(const Plugin& plugin, Cycle& cycle) {
  std::map<std::string, int64_t> answers = ScoreAll(plugin, cycle);
  std::vector<Slot> slots;
  std::vector<int64_t> scores;
  for (const auto& [node, score] : answers) {
    slots.push_back(cycle.context().snapshot.Find(node));
    scores.push_back(score);
  }
  const auto* score = dynamic_cast<const ScorePlugin*>(&plugin);
  BERTH_CHECK(score != nullptr && score->NormalizeScore(cycle.context(), slots, scores).ok(),
              "the plugin has no custom normalizer");
  size_t i = 0;
  for (auto& [node, answer] : answers) answer = scores[i++];
  return answers;
}

EventObjects NodeChange(const NodeBuilder* before, const NodeBuilder* after) {
  EventObjects objects;
  if (before != nullptr) objects.old_node = before->Build();
  if (after != nullptr) objects.new_node = after->Build();
  return objects;
}

EventObjects PodChange(Vocabulary& words, const PodBuilder* before, const PodBuilder* after) {
  const auto seen = [&words](const PodBuilder* pod) -> std::shared_ptr<const PodInfo> {
    if (pod == nullptr) return nullptr;
    if (pod->Build()->spec.node_name.empty()) return pod->Info(words);
    return pod->Placed(words);
  };
  return {.old_pod = seen(before), .new_pod = seen(after)};
}

}  // namespace berth::scheduler::testing
