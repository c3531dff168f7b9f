// SPDX-License-Identifier: Apache-2.0
#include "scheduler/attempt.h"

#include "scheduler/framework/algorithm.h"

namespace berth::scheduler {

AttemptFailure FailureAfterChoice(const Attempt& attempt, const Status& status) {
  AttemptFailure failure{.status = status, .message = status.Message()};
  if (!status.rejected()) return failure;
  Outcome refused;
  refused.kind = Outcome::Kind::kUnschedulable;
  refused.node_count = 1;
  refused.verdicts.absent = status;
  failure.message = FitErrorText(refused);
  if (const auto plugin = attempt.profile->IndexOf(status.plugin)) {
    failure.unschedulable_plugins.Add(*plugin);
    if (status.code == Code::kPending) failure.pending_plugins.Add(*plugin);
  }
  return failure;
}

}  // namespace berth::scheduler
