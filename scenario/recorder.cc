// SPDX-License-Identifier: Apache-2.0
#include "scenario/recorder.h"

#include <algorithm>
#include <set>
#include <utility>

#include "scenario/template.h"

namespace berth::scenario {
namespace {

constexpr std::string_view kFits = "fits";

std::string VerdictText(const scheduler::CycleTrace::FilterRow& row) {
  if (row.verdict.fits()) return std::string(kFits);
  const auto status = scheduler::Status::FromVerdict(row.verdict, row.plugin);
  return std::string(row.plugin) + " " + std::string(ToString(status.code)) + ": " +
         status.Message();
}

}  // namespace

const Answers* Recorder::LastOf(const std::string& pod_key) const {
  const auto found = answers_.find(pod_key);
  return found == answers_.end() ? nullptr : &found->second;
}

void Recorder::OnQueueIncoming(scheduler::QueueName queue, std::string_view event) {
  log_("a pod enters " + std::string(ToString(queue)) + " by " + std::string(event));
}

void Recorder::OnAttempt(scheduler::AttemptResult result, std::string_view profile, Duration) {
  log_("attempt by " + std::string(profile) + ": " + std::string(ToString(result)));
  ++results_[std::string(ToString(result))];
}

scheduler::CycleTrace* Recorder::BeginTrace(const scheduler::PendingPod& pod) {
  order_.push_back(ShortKey(pod.Key()));
  log_("try " + order_.back());
  trace_ = {};
  return &trace_;
}

void Recorder::EndTrace(const scheduler::PendingPod& pod, std::string_view node) {
  Answers& answers = answers_[pod.Key()];
  answers = {};
  answers.chosen = node;
  ReadVerdicts(answers);
  for (const auto& row : trace_.scores) {
    answers.scores[std::string(row.plugin)][NameOf(row.slot)] = {row.raw, row.normalized};
  }
  for (const auto& row : trace_.totals) answers.totals[NameOf(row.slot)] = row.total;
  LogAnswers(answers);
}

// Keeps one verdict for each node: a rejection with nominated pods, which kube-scheduler evaluates
// first and reports; else any rejection; else "fits".
void Recorder::ReadVerdicts(Answers& answers) const {
  std::set<scheduler::Slot> settled;
  for (const auto& row : trace_.filters) {
    if (!row.simulated || row.verdict.fits()) continue;
    answers.verdicts[NameOf(row.slot)] = VerdictText(row);
    settled.insert(row.slot);
  }
  for (const auto& row : trace_.filters) {
    if (row.simulated || settled.contains(row.slot)) continue;
    std::string& verdict = answers.verdicts[NameOf(row.slot)];
    if (verdict.empty() || verdict == kFits) verdict = VerdictText(row);
  }
}

// Logs rejections only if all nodes were evaluated. A search that stops early may have evaluated
// more nodes than it needed, and their number is not deterministic.
void Recorder::LogAnswers(const Answers& answers) const {
  const auto rejected = std::count_if(answers.verdicts.begin(), answers.verdicts.end(),
                                      [](const auto& entry) { return entry.second != kFits; });
  const size_t feasible = std::max<size_t>(answers.totals.size(), answers.chosen.empty() ? 0 : 1);
  if (feasible == 0 || feasible + static_cast<size_t>(rejected) == cache_->NodeCount()) {
    for (const auto& [node, verdict] : answers.verdicts) {
      if (verdict != kFits) log_("  " + node + " " + verdict);
    }
  }
  for (const auto& [plugin, scores] : answers.scores) {
    for (const auto& [node, score] : scores) {
      log_("  " + plugin + " scores " + node + " " + std::to_string(score.raw) + ", " +
           std::to_string(score.normalized));
    }
  }
  for (const auto& [node, total] : answers.totals) {
    log_("  " + node + " totals " + std::to_string(total));
  }
  log_(answers.chosen.empty() ? "  chooses no node" : "  chooses " + answers.chosen);
}

}  // namespace berth::scenario
