// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/work_queue.h"
#include "controllers/reconciler.h"

namespace berth::controllers {

// Requeues the key of an object of this kind after a reconcile: with backoff, after the outcome's
// requeue_after, or not at all. Logs the outcome's error.
void Requeue(const Outcome& outcome, std::string_view kind, const std::string& key,
             WorkQueue& queue);

}  // namespace berth::controllers
