// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "api/scheduler_config.h"
#include "base/clock.h"
#include "base/metrics.h"
#include "engine/extender/extender_client.h"
#include "engine/extender/object_texts.h"
#include "scheduler/framework/extender_port.h"

namespace berth::engine {

// HttpExtender asks an extender over HTTP. Nodes that it did not ask about are passed over where
// upstream does not fail, a node or pod that is named twice counts once, but for a score, which
// counts each time; texts are made fit to be shown (engine/outside_text.h). Owned by the scheduling thread. Source: kube-scheduler
// pkg/scheduler/extender.go.
class HttpExtender final : public scheduler::ExtenderPort {
 public:
  struct Parts {
    const Clock& clock;
    MetricsRegistry& metrics;
    // Of the objects that NeedsOf says. A node that is not there is on its way out and not asked
    // about; a pod that is not there is not asked for.
    const KnownTexts& texts;
    std::function<void(std::function<void()>)> post;  // to the scheduling thread
    std::function<bool()> may_write;                  // whether we may bind; any thread
    // Called before the scheduling thread waits for an answer, with the time at which it goes on at
    // the latest, and when it goes on.
    std::function<void(SteadyTime)> busy_until;
    size_t& bindings;      // counts those under way; of the scheduling thread
    std::stop_token stop;  // gives up what the scheduling thread waits for
  };

  // Errors (kConfig) name what is wrong with the address or TLS. Requires: the parts outlive this.
  static Result<std::unique_ptr<HttpExtender>> Create(const api::Extender& extender,
                                                      const ExtenderReach& reach, Parts parts);

  Result<scheduler::ExtenderVerdicts> Filter(const scheduler::PendingPod& pod,
                                             const scheduler::Snapshot& snapshot,
                                             std::span<const scheduler::Slot> nodes) override;
  AwaitScores Prioritize(const scheduler::PendingPod& pod, const scheduler::Snapshot& snapshot,
                         std::span<const scheduler::Slot> nodes) override;
  Result<std::vector<scheduler::Candidate>> Preempt(
      const scheduler::PendingPod& pod, const scheduler::Snapshot& snapshot,
      std::span<const scheduler::Candidate> candidates) override;
  void Bind(const scheduler::PendingPod& pod, const scheduler::NodeRef& node,
            std::function<void(Result<void>)> done) override;

 private:
  HttpExtender(bool sends_names, Parts parts, std::unique_ptr<ExtenderClient> client)
      : sends_names_(sends_names), parts_(std::move(parts)), client_(std::move(client)) {}

  // Await gives a function that waits for the answer to a question that is sent now.
  template <class Answer>
  std::function<Result<Answer>()> Ask(ExtenderVerb verb, std::string question);
  Result<json::Raw> TextOf(const scheduler::PendingPod& pod) const;
  Result<api::ExtenderArgs> Question(const scheduler::PendingPod& pod,
                                     const scheduler::Snapshot& snapshot,
                                     std::span<const scheduler::Slot> nodes) const;
  Result<api::ExtenderPreemptionArgs> Question(
      const scheduler::PendingPod& pod, std::span<const scheduler::Candidate> candidates) const;
  Result<scheduler::Candidate> Read(const std::string& node_name, const api::MetaVictims& victims,
                                    const scheduler::Snapshot& snapshot) const;

  const bool sends_names_;  // of nodes, not the objects
  const Parts parts_;
  const std::unique_ptr<ExtenderClient> client_;
};

// NeedsOf is of which objects these extenders are sent the whole.
TextNeeds NeedsOf(std::span<const api::Extender> extenders);

}  // namespace berth::engine
