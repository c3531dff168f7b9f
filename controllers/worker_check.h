// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/work_queue.h"

namespace berth::controllers {

// The time after which a worker is stuck. A reconcile is a few dozen requests, each with a timeout
// of 30 s, and takes well below a second if the API server answers.
inline constexpr std::chrono::minutes kStuckAfter{5};

// Returns the reason why a controller must be restarted: a worker has had a key, or ready keys have
// had no worker, for kStuckAfter. Returns nullopt if its workers move, have nothing to do, or were
// not started.
std::optional<std::string> WhyStuck(const WorkQueue& queue);

}  // namespace berth::controllers
