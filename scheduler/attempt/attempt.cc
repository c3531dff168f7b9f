// SPDX-License-Identifier: Apache-2.0
#include "scheduler/attempt/attempt.h"

#include <utility>

#include "scheduler/framework/algorithm.h"
#include "scheduler/queue/scheduling_queue.h"

namespace berth::scheduler {

AttemptFailure FailureAfterChoice(const Attempt& attempt, const Status& status) {
  AttemptFailure failure{.status = status, .message = status.Message()};
  if (!status.rejected()) return failure;
  Outcome rejected;
  rejected.kind = Outcome::Kind::kUnschedulable;
  rejected.node_count = 1;
  rejected.verdicts.absent = status;
  failure.message = FitErrorText(rejected);
  if (const auto plugin = attempt.profile->IndexOf(status.plugin)) {
    failure.unschedulable_plugins.Add(*plugin);
    if (status.code == Code::kPending) failure.pending_plugins.Add(*plugin);
  }
  return failure;
}

void ActivateRequested(Attempt& attempt, SchedulingQueue& queue) {
  auto* wanted = attempt.state.Edit<PodsToActivate>();
  if (wanted != nullptr) queue.Activate(std::exchange(wanted->uids, {}));
}

}  // namespace berth::scheduler
