// SPDX-License-Identifier: Apache-2.0
#include "scenario/compare.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "scenario/template.h"

namespace berth::scenario {
namespace {

using Differences = std::vector<std::string>;

std::string Listed(const std::vector<std::string>& names) {
  return names.empty() ? std::string(kNone) : Join(names, ", ");
}

std::string PlaceOf(const api::Pod& pod) {
  return pod.spec.node_name.empty() ? std::string(kPending) : "on " + pod.spec.node_name;
}

// Comparison compares each part of an expectation.
class Comparison {
 public:
  Comparison(const Expectation& expected, const Actual& actual)
      : expected_(expected), actual_(actual) {}

  Differences Run() {
    Placements();
    PodsPerNode();
    Reasons();
    GroupConditions();
    Queue();
    Nominations();
    Verdicts();
    Scores("raw score", expected_.raw_scores, &Answers::Score::raw);
    Scores("score", expected_.scores, &Answers::Score::normalized);
    Totals();
    History();
    return std::move(differences_);
  }

 private:
  void Placements();
  void PodsPerNode();
  void Reasons();
  void GroupConditions();
  void CompareMessage(const std::string& about, std::string_view noun, const Message& expected,
                      const std::string& found);
  void Queue();
  void QueuePart(scheduler::QueueName part, const std::optional<std::vector<std::string>>& pods);
  void Nominations();
  void Verdicts();
  void Scores(std::string_view what, const decltype(Expectation::scores)& expected,
              int64_t Answers::Score::*value);
  void Totals();
  void History();

  void Add(std::string difference) { differences_.push_back(std::move(difference)); }
  // Returns the pod; adds a difference if it does not exist.
  std::shared_ptr<const api::Pod> Find(const std::string& name);
  const Answers* FindAnswers(const std::string& name);
  void CompareNumbers(const std::string& what, const std::map<std::string, int64_t>& expected,
                      const std::map<std::string, int64_t>& found);

  const Expectation& expected_;
  const Actual& actual_;
  Differences differences_;
};

std::shared_ptr<const api::Pod> Comparison::Find(const std::string& name) {
  auto pod = actual_.server.FindPod(PodKey(name));
  if (pod == nullptr) Add("pod " + name + ": unknown pod");
  return pod;
}

const Answers* Comparison::FindAnswers(const std::string& name) {
  const Answers* answers = actual_.recorder.LastOf(PodKey(name));
  if (answers == nullptr) Add("pod " + name + ": has no attempt yet");
  return answers;
}

void Comparison::Placements() {
  for (const auto& [name, nodes] : expected_.placements) {
    const auto pod = Find(name);
    if (pod == nullptr) continue;
    const std::string& node = pod->spec.node_name;
    const bool met = std::any_of(nodes.begin(), nodes.end(), [&](const std::string& allowed) {
      return node.empty() ? allowed == kPending : allowed == node;
    });
    if (met) continue;
    const bool is_pending = nodes.size() == 1 && nodes.front() == kPending;
    std::string sentence = "pod " + name + ": expected ";
    sentence += is_pending ? "pending" : "node " + Join(nodes, " or ");
    sentence += ", is " + PlaceOf(*pod);
    const Answers* answers = actual_.recorder.LastOf(PodKey(name));
    if (answers != nullptr && !answers->totals.empty()) {
      std::vector<std::string> totals;
      for (const auto& [scored, total] : answers->totals) {
        totals.push_back(scored + " " + std::to_string(total));
      }
      sentence += " (totals: " + Join(totals, ", ") + ")";
    }
    Add(std::move(sentence));
  }
}

void Comparison::PodsPerNode() {
  if (expected_.pods_per_node.empty()) return;
  std::map<std::string, int64_t> found;
  for (const auto& [node, count] : expected_.pods_per_node) found[node] = 0;
  for (const auto& pod : actual_.server.Pods()) {
    if (!pod->spec.node_name.empty()) ++found[pod->spec.node_name];
  }
  for (const auto& [node, count] : expected_.pods_per_node) {
    if (found[node] == count) continue;
    Add("node " + node + ": expected " + std::to_string(count) + " pods, has " +
        std::to_string(found[node]));
  }
}

void Comparison::Reasons() {
  for (const auto& [name, message] : expected_.reasons) {
    const auto pod = Find(name);
    if (pod == nullptr) continue;
    std::string found;
    for (const auto& condition : pod->status.conditions) {
      if (condition.type == "PodScheduled") found = condition.message;
    }
    CompareMessage("pod " + name, "reason", message, found);
  }
}

void Comparison::GroupConditions() {
  for (const auto& [name, message] : expected_.group_conditions) {
    const auto* conditions = actual_.server.ConditionsOf(
        ManifestKey(scheduler::ObjectKind::kNativePodGroup, PodKey(name)));
    if (conditions == nullptr) {
      Add("PodGroup " + name + ": unknown PodGroup");
      continue;
    }
    std::vector<std::string> found;
    for (const api::Condition& condition : *conditions) found.push_back(TextOf(condition));
    CompareMessage("PodGroup " + name, "condition", message, Join(found, "\n"));
  }
}

void Comparison::CompareMessage(const std::string& about, std::string_view noun,
                                const Message& expected, const std::string& found) {
  const std::string start = about + ": expected ";
  if (expected.is && found != *expected.is) {
    Add(start + "the " + std::string(noun) + " \"" + *expected.is + "\", found \"" + found + "\"");
  }
  if (expected.contains && found.find(*expected.contains) == found.npos) {
    Add(start + "a " + std::string(noun) + " with \"" + *expected.contains + "\", found \"" +
        found + "\"");
  }
}

void Comparison::Queue() {
  if (!expected_.queue) return;
  QueuePart(scheduler::QueueName::kActive, expected_.queue->active);
  QueuePart(scheduler::QueueName::kBackoff, expected_.queue->backoff);
  QueuePart(scheduler::QueueName::kUnschedulable, expected_.queue->unschedulable);
  QueuePart(scheduler::QueueName::kGated, expected_.queue->gated);
}

void Comparison::QueuePart(scheduler::QueueName part,
                           const std::optional<std::vector<std::string>>& pods) {
  if (!pods) return;
  std::vector<std::string> expected, found;
  for (const std::string& name : *pods) expected.push_back(ShortKey(PodKey(name)));
  const auto& queue = actual_.scheduler.queue();
  for (const std::string& uid : queue.Uids()) {
    if (queue.WhereIs(uid) == part) found.push_back(ShortKey(queue.Find(uid)->pod->Key()));
  }
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  if (expected == found) return;
  Add("queue " + std::string(ToString(part)) + ": expected " + Listed(expected) + ", has " +
      Listed(found));
}

void Comparison::Nominations() {
  for (const auto& [name, node] : expected_.nominations) {
    const auto pod = Find(name);
    if (pod == nullptr) continue;
    std::string found = actual_.scheduler.queue().nominator().NodeOf(pod->metadata.uid);
    if (found.empty()) found = kNone;
    if (found != node) {
      Add("pod " + name + ": expected the nomination " + node + ", has " + found);
    }
  }
}

void Comparison::Verdicts() {
  for (const auto& [name, nodes] : expected_.verdicts) {
    const Answers* answers = FindAnswers(name);
    if (answers == nullptr) continue;
    for (const auto& [node, verdict] : nodes) {
      const auto found = answers->verdicts.find(node);
      const std::string text = found == answers->verdicts.end() ? "not asked" : found->second;
      if (text == verdict) continue;
      Add("pod " + name + " on node " + node + ": expected the verdict \"" + verdict +
          "\", found \"" + text + "\"");
    }
  }
}

void Comparison::CompareNumbers(const std::string& what,
                                const std::map<std::string, int64_t>& expected,
                                const std::map<std::string, int64_t>& found) {
  for (const auto& [node, number] : expected) {
    const auto value = found.find(node);
    if (value != found.end() && value->second == number) continue;
    Add(what + " of node " + node + ": expected " + std::to_string(number) + ", found " +
        (value == found.end() ? std::string(kNone) : std::to_string(value->second)));
  }
}

void Comparison::Scores(std::string_view what, const decltype(Expectation::scores)& expected,
                        int64_t Answers::Score::*value) {
  for (const auto& [name, plugins] : expected) {
    const Answers* answers = FindAnswers(name);
    if (answers == nullptr) continue;
    for (const auto& [plugin, nodes] : plugins) {
      std::map<std::string, int64_t> found;
      if (const auto scores = answers->scores.find(plugin); scores != answers->scores.end()) {
        for (const auto& [node, score] : scores->second) found[node] = score.*value;
      }
      CompareNumbers("pod " + name + ": " + plugin + "'s " + std::string(what), nodes, found);
    }
  }
}

void Comparison::Totals() {
  for (const auto& [name, nodes] : expected_.totals) {
    const Answers* answers = FindAnswers(name);
    if (answers != nullptr) CompareNumbers("pod " + name + ": total", nodes, answers->totals);
  }
}

// Reads the history at each expectation, even if not compared: the next one starts here.
void Comparison::History() {
  const std::vector<std::string> order = actual_.recorder.TakeOrder();
  if (expected_.order && order != *expected_.order) {
    Add("order of attempts: expected " + Listed(*expected_.order) + ", was " + Listed(order));
  }
  const std::vector<std::string> events = actual_.server.TakeEvents();
  const std::vector<std::string> wanted = expected_.events.value_or(std::vector<std::string>());
  for (size_t i = 0; expected_.events && i < std::max(wanted.size(), events.size()); ++i) {
    const std::string expected = i < wanted.size() ? "\"" + wanted[i] + "\"" : "no more";
    const std::string found = i < events.size() ? "\"" + events[i] + "\"" : "no more";
    if (expected == found) continue;
    Add("event " + std::to_string(i + 1) + ": expected " + expected + ", found " + found);
  }
  std::map<std::string, int64_t> results = actual_.recorder.TakeResults();
  for (const auto& [result, count] : expected_.results) {
    if (results[result] == count) continue;
    Add("attempts that ended " + result + ": expected " + std::to_string(count) + ", were " +
        std::to_string(results[result]));
  }
}

}  // namespace

std::vector<std::string> Compare(const Expectation& expected, const Actual& actual) {
  return Comparison(expected, actual).Run();
}

}  // namespace berth::scenario
