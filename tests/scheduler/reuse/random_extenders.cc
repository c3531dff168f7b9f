// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/reuse/random_extenders.h"

#include <string>

#include "tests/scheduler/reuse/random_objects.h"
#include "tests/scheduler/testing/random.h"

namespace berth::scheduler::testing {
namespace {

// Returns a number below `bound` that only depends on the pod, the node and the question.
size_t Draw(const PendingPod& pod, const std::string& node, const char* question, size_t bound) {
  return static_cast<size_t>((SeedOf(pod.uid() + "/" + node + "/" + question) >> 20) % bound);
}

struct Character {
  size_t passes_of_ten;
  size_t fails_of_hundred;
};

ScriptedExtender::FilterAnswer Filtering(Character character) {
  return [character](const PendingPod& pod, const Snapshot& snapshot,
                     std::span<const Slot> nodes) -> Result<ExtenderVerdicts> {
    if (Draw(pod, "", "fails", 100) < character.fails_of_hundred) {
      return Fail(Reason::kUnavailable, "out of order");
    }
    // Some pods fit no node.
    const size_t passes = Draw(pod, "", "wanted", 10) == 0 ? 0 : character.passes_of_ten;
    ExtenderVerdicts verdicts;
    for (const Slot slot : nodes) {
      const std::string& node = snapshot.At(slot).name.text();
      if (Draw(pod, node, "passes", 10) < passes) {
        verdicts.fitting.push_back(slot);
      } else if (Draw(pod, node, "explains", 4) > 0) {
        verdicts.rejections.push_back({slot, "rack " + std::to_string(Draw(pod, node, "rack", 3)),
                                       Draw(pod, node, "resolvable", 2) == 0});
      }
    }
    return verdicts;
  };
}

Result<ScriptedExtender::Scored> Score(const PendingPod& pod, const Snapshot& snapshot,
                                       std::span<const Slot> nodes) {
  if (Draw(pod, "", "cannot score", 5) == 0) return Fail(Reason::kTimeout, "timeout");
  ScriptedExtender::Scored scores;
  for (const Slot slot : nodes) {
    const std::string& node = snapshot.At(slot).name.text();
    if (Draw(pod, node, "scores", 3) == 0) continue;
    scores.push_back({slot, static_cast<int64_t>(Draw(pod, node, "score", 11))});
  }
  return scores;
}

}  // namespace

RandomExtenders::RandomExtenders() {
  for_apps_.Ignorable().Filters(Filtering({.passes_of_ten = 8, .fails_of_hundred = 10}));
  for_apps_.Scores(3, Score);
  for_apps_.spec.pod_selector.emplace().match_expressions = {
      {.key = kAppLabel, .op = "In", .values = {"web", "cache", "narrow"}}};
  for_devices_.Filters(Filtering({.passes_of_ten = 5, .fails_of_hundred = 3}));
  for_devices_.spec.managed_resources = {{"example.com/gpu"}};
}

std::shared_ptr<const Extenders> RandomExtenders::Make(const PluginHandle& handle) {
  return MakeExtenders(handle, {&for_apps_, &for_devices_});
}

size_t RandomExtenders::TakeCalls() {
  const size_t calls = for_apps_.calls.size() + for_devices_.calls.size();
  for_apps_.calls.clear();
  for_devices_.calls.clear();
  return calls;
}

}  // namespace berth::scheduler::testing
