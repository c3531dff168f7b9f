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

// ScriptedExtender is an extender with answers from the test. It records its calls: "filter p: n1
// n2". Without an answer it accepts all nodes, scores none, and returns candidates unchanged.
// Scores are computed when they are awaited. A binding waits in `binds` until the test completes
// it.
struct ScriptedExtender {
  using Scored = std::vector<ExtenderScore>;
  using Nodes = std::span<const Slot>;
  using FilterAnswer =
      std::function<Result<ExtenderVerdicts>(const PendingPod&, const Snapshot&, Nodes)>;
  using ScoreAnswer = std::function<Result<Scored>(const PendingPod&, const Snapshot&, Nodes)>;
  using PreemptAnswer =
      std::function<Result<std::vector<Candidate>>(const PendingPod&, std::span<const Candidate>)>;

  // Has no verbs initially; tests may change the other fields of `spec`.
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

// Creates the extenders of a configuration in this order. `scripts` must outlive them. Errors end
// the test program.
std::shared_ptr<const Extenders> MakeExtenders(const PluginHandle& handle,
                                               const std::vector<ScriptedExtender*>& scripts);

// Accepts the nodes for which `passes` returns true and rejects the others with `message`, or
// without a reason if it is empty.
ExtenderVerdicts Passing(const Snapshot& snapshot, std::span<const Slot> nodes,
                         const std::function<bool(const std::string&)>& passes,
                         const std::string& message = "rejected", bool is_resolvable = true);

}  // namespace berth::scheduler::testing
