// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/framework/descriptor.h"
#include "scheduler/framework/extender.h"

namespace berth::scheduler::testing {

// ScriptedExtender is an extender that answers what a test tells it, and notes what it was asked:
// "filter p: n1 n2". What has no answer lets all nodes pass, scores none, leaves candidates as they
// are. Scores are made when they are awaited. A binding waits in `binds` for the test to answer.
struct ScriptedExtender {
  using Scored = std::vector<ExtenderScore>;
  using Nodes = std::span<const Slot>;
  using FilterAnswer =
      std::function<Result<ExtenderVerdicts>(const PendingPod&, const Snapshot&, Nodes)>;
  using ScoreAnswer = std::function<Result<Scored>(const PendingPod&, const Snapshot&, Nodes)>;
  using PreemptAnswer =
      std::function<Result<std::vector<Candidate>>(const PendingPod&, std::span<const Candidate>)>;

  // It does nothing until it is told to; tests may change the rest of `spec`.
  explicit ScriptedExtender(std::string url) { spec.url_prefix = std::move(url); }
  ScriptedExtender& Filters(FilterAnswer answer = nullptr);
  ScriptedExtender& Scores(int64_t weight, ScoreAnswer answer = nullptr);
  ScriptedExtender& Preempts(PreemptAnswer answer = nullptr);
  ScriptedExtender& Binds();
  ScriptedExtender& Ignorable();

  api::Extender spec;
  FilterAnswer filter;
  ScoreAnswer prioritize;
  PreemptAnswer preempt;

  std::vector<std::string> calls;
  std::vector<std::function<void(Result<void>)>> binds;
};

// MakeExtenders makes those of a configuration, in the order they are listed. They outlive it.
// Failures end the test program.
std::shared_ptr<const Extenders> MakeExtenders(const PluginHandle& handle,
                                               const std::vector<ScriptedExtender*>& scripts);

// Passing lets the nodes pass whose name `passes`, and refuses the others with `message`, if that
// is not empty.
ExtenderVerdicts Passing(const Snapshot& snapshot, std::span<const Slot> nodes,
                         const std::function<bool(const std::string&)>& passes,
                         const std::string& message = "refused", bool is_resolvable = true);

}  // namespace berth::scheduler::testing
