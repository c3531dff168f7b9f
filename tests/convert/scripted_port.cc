// SPDX-License-Identifier: Apache-2.0
#include "tests/convert/scripted_port.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace berth::convert {
namespace {

using scheduler::Slot;

class ScriptedPort final : public scheduler::ExtenderPort {
 public:
  explicit ScriptedPort(const nlohmann::json& script)
      : passes_(script.at("passes").get<std::set<std::string>>()),
        scores_(script.at("scores").get<std::map<std::string, int64_t>>()) {}

  Result<scheduler::ExtenderVerdicts> Filter(const scheduler::PendingPod&,
                                             const scheduler::Snapshot& snapshot,
                                             std::span<const Slot> nodes) override {
    scheduler::ExtenderVerdicts verdicts;
    for (const Slot slot : nodes) {
      if (passes_.contains(snapshot.At(slot).name.text())) {
        verdicts.fitting.push_back(slot);
      } else {
        verdicts.rejections.push_back({slot, "refused", /*is_resolvable=*/true});
      }
    }
    return verdicts;
  }

  AwaitScores Prioritize(const scheduler::PendingPod&, const scheduler::Snapshot& snapshot,
                         std::span<const Slot> nodes) override {
    std::vector<scheduler::ExtenderScore> scores;
    for (const Slot slot : nodes) {
      const auto score = scores_.find(snapshot.At(slot).name.text());
      if (score != scores_.end()) scores.push_back({slot, score->second});
    }
    return [scores] { return Result<std::vector<scheduler::ExtenderScore>>(scores); };
  }

  Result<std::vector<scheduler::Candidate>> Preempt(
      const scheduler::PendingPod&, const scheduler::Snapshot&,
      std::span<const scheduler::Candidate> candidates) override {
    return std::vector<scheduler::Candidate>(candidates.begin(), candidates.end());
  }

  void Bind(const scheduler::PendingPod&, const scheduler::NodeRef&,
            std::function<void(Result<void>)> done) override {
    done({});
  }

 private:
  const std::set<std::string> passes_;
  const std::map<std::string, int64_t> scores_;
};

}  // namespace

Result<std::unique_ptr<scheduler::ExtenderPort>> MakeScriptedPort(const api::Extender& extender,
                                                                  const nlohmann::json& scripts) {
  const auto script = scripts.find(extender.url_prefix);
  if (script == scripts.end()) return ConfigError("no answers of " + extender.url_prefix);
  return std::make_unique<ScriptedPort>(*script);
}

}  // namespace berth::convert
