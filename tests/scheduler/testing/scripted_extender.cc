// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/testing/scripted_extender.h"

#include <utility>

#include "base/check.h"

namespace berth::scheduler::testing {
namespace {

class ScriptedPort final : public ExtenderPort {
 public:
  explicit ScriptedPort(ScriptedExtender& script) : script_(script) {}

  Result<ExtenderVerdicts> Filter(const PendingPod& pod, const Snapshot& snapshot,
                                  std::span<const Slot> nodes) override {
    script_.calls.push_back("filter " + Text(pod, snapshot, nodes));
    if (script_.filter) return script_.filter(pod, snapshot, nodes);
    return ExtenderVerdicts{{nodes.begin(), nodes.end()}, {}};
  }
  AwaitScores Prioritize(const PendingPod& pod, const Snapshot& snapshot,
                         std::span<const Slot> nodes) override {
    script_.calls.push_back("prioritize " + Text(pod, snapshot, nodes));
    return [this, &pod, &snapshot, nodes]() -> Result<std::vector<ExtenderScore>> {
      if (script_.prioritize) return script_.prioritize(pod, snapshot, nodes);
      return std::vector<ExtenderScore>();
    };
  }
  Result<std::vector<Candidate>> Preempt(const PendingPod& pod, const Snapshot&,
                                         std::span<const Candidate> candidates) override {
    std::string call = "preempt " + pod.name() + ":";
    for (const Candidate& candidate : candidates) call += " " + candidate.node.name();
    script_.calls.push_back(std::move(call));
    if (script_.preempt) return script_.preempt(pod, candidates);
    return std::vector<Candidate>(candidates.begin(), candidates.end());
  }
  void Bind(const PendingPod& pod, const NodeRef& node,
            std::function<void(Result<void>)> done) override {
    script_.calls.push_back("bind " + pod.name() + ": " + node.name());
    script_.binds.push_back(std::move(done));
  }

 private:
  static std::string Text(const PendingPod& pod, const Snapshot& snapshot,
                          std::span<const Slot> nodes) {
    std::string text = pod.name() + ":";
    for (const Slot slot : nodes) text += " " + snapshot.At(slot).name.text();
    return text;
  }

  ScriptedExtender& script_;
};

}  // namespace

ScriptedExtender& ScriptedExtender::Filters(FilterAnswer answer) {
  spec.filter_verb = "filter";
  filter = std::move(answer);
  return *this;
}

ScriptedExtender& ScriptedExtender::Scores(int64_t weight, ScoreAnswer answer) {
  spec.prioritize_verb = "prioritize";
  spec.weight = weight;
  prioritize = std::move(answer);
  return *this;
}

ScriptedExtender& ScriptedExtender::Preempts(PreemptAnswer answer) {
  spec.preempt_verb = "preempt";
  preempt = std::move(answer);
  return *this;
}

ScriptedExtender& ScriptedExtender::Binds() {
  spec.bind_verb = "bind";
  return *this;
}

ScriptedExtender& ScriptedExtender::Ignorable() {
  spec.ignorable = true;
  return *this;
}

std::shared_ptr<const Extenders> MakeExtenders(const PluginHandle& handle,
                                               const std::vector<ScriptedExtender*>& scripts) {
  std::vector<api::Extender> specs;
  for (const ScriptedExtender* script : scripts) specs.push_back(script->spec);
  size_t next = 0;
  auto made = Extenders::Create(
      specs,
      [&](const api::Extender&) -> Result<std::unique_ptr<ExtenderPort>> {
        return std::make_unique<ScriptedPort>(*scripts[next++]);
      },
      handle);
  BERTH_CHECK(made.has_value(), made.error().message());
  return *made;
}

ExtenderVerdicts Passing(const Snapshot& snapshot, std::span<const Slot> nodes,
                         const std::function<bool(const std::string&)>& passes,
                         const std::string& message, bool is_resolvable) {
  ExtenderVerdicts verdicts;
  for (const Slot slot : nodes) {
    if (passes(snapshot.At(slot).name.text())) {
      verdicts.fitting.push_back(slot);
    } else if (!message.empty()) {
      verdicts.rejections.push_back({slot, message, is_resolvable});
    }
  }
  return verdicts;
}

}  // namespace berth::scheduler::testing
