// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "extender/entry.h"
#include "scheduler/framework/ports.h"
#include "scheduler/scheduler.h"

namespace berth::extender {

// Answer is what goes back: an HTTP code, and JSON.
struct Answer {
  int code = 200;
  std::string body;
};

// ErrorAnswer has the error in the form of the protocol, {"Error": text}, with any code.
Answer ErrorAnswer(int code, const std::string& text);

// RejectionOf is the answer to a question that cannot be answered. filter and bind have a place for
// it, which kube-scheduler shows: of other codes than 200 it shows only the number. The answers of
// prioritize and preempt have none: 400, 500.
Answer RejectionOf(Verb verb, const Error& error, std::string_view question);

// More nodes than this are not answered about in one question; Kubernetes has 5,000 in a cluster.
inline constexpr size_t kMaxNodes = 50'000;

// AnswerTo answers filter, prioritize and preempt from what `core` knows; `knows_cluster` says
// whether that is a cluster, or nothing but what is asked. Names that are not known are refused,
// score 0, and are no candidates. On the thread that owns `core`.
Answer AnswerTo(const Route& route, const std::string& question, scheduler::Scheduler& core,
                scheduler::Vocabulary& words, bool knows_cluster);

// Bind has the port make the binding. `done` comes once, on the thread that owns the port.
void Bind(const std::string& question, scheduler::ApiPort& port, std::function<void(Answer)> done);

}  // namespace berth::extender
