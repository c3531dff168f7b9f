// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/work_queue.h"
#include "controllers/reconciler.h"

namespace berth::controllers {

// Settle says when the queue hands out this key again, which an object of `kind` has, after a
// reconcile with this outcome, and logs its error.
void Requeue(const Outcome& outcome, std::string_view kind, const std::string& key,
             WorkQueue& queue);

}  // namespace berth::controllers
