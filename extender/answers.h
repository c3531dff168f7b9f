// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "extender/entry.h"
#include "scheduler/framework/ports.h"
#include "scheduler/scheduler.h"

namespace berth::extender {

// Answer is a response: an HTTP code, and JSON.
struct Answer {
  int code = 200;
  std::string body;
};

// Returns the error in the form of the protocol, {"Error": text}, with any code.
Answer ErrorAnswer(int code, const std::string& text);

// Returns the response to an invalid request. For filter and bind the error is in the body with
// code 200, because kube-scheduler shows only the number of other codes. The responses of
// prioritize and preempt have no error field: 400, 500.
Answer RejectionOf(Verb verb, const Error& error, std::string_view question);

// Maximum number of nodes in a request; Kubernetes supports 5,000 nodes in a cluster.
inline constexpr size_t kMaxNodes = 50'000;

// Answers filter, prioritize and preempt from the state of `core`. `knows_cluster` is false if only
// the objects of the request are known. Unknown node names are rejected, score 0, and are no
// candidates. On the thread that owns `core`.
Answer AnswerTo(const Route& route, const std::string& question, scheduler::Scheduler& core,
                scheduler::Vocabulary& words, bool knows_cluster);

// Creates the binding through the port. `done` runs once, on the thread that owns the port.
void Bind(const std::string& question, scheduler::ApiPort& port, std::function<void(Answer)> done);

}  // namespace berth::extender
