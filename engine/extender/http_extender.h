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

// HttpExtender calls an extender over HTTP. Nodes in a response that were not in the request are
// ignored where upstream does not fail. A node or pod that is named twice counts once; scores count
// each time. Texts of the extender are sanitized (engine/outside_text.h). Owned by the scheduling
// thread. Source: kube-scheduler pkg/scheduler/extender.go.
class HttpExtender final : public scheduler::ExtenderPort {
 public:
  struct Parts {
    const Clock& clock;
    MetricsRegistry& metrics;
    // The objects according to NeedsOf. A missing node is being deleted and is left out of
    // requests; for a missing pod no request is sent.
    const KnownTexts& texts;
    std::function<void(std::function<void()>)> post;  // to the scheduling thread
    std::function<bool()> may_write;                  // whether this process may bind; any thread
    // Called before the scheduling thread waits for a response, with the deadline of the wait, and
    // with the current time after the wait.
    std::function<void(SteadyTime)> busy_until;
    size_t& bindings;      // number of running bindings; used by the scheduling thread
    std::stop_token stop;  // cancels the calls that the scheduling thread waits for
  };

  // Errors (kConfig) name the invalid address or TLS field. Requires: the parts outlive this.
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

  // Sends a request and returns a function that waits for the response.
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

  const bool sends_names_;  // sends names of nodes instead of objects
  const Parts parts_;
  const std::unique_ptr<ExtenderClient> client_;
};

// Returns the kinds of objects that these extenders receive as a whole.
TextNeeds NeedsOf(std::span<const api::Extender> extenders);

}  // namespace berth::engine
