// SPDX-License-Identifier: Apache-2.0
#include "scheduler/gangs/group_condition.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "scheduler/gangs/gang_watch.h"

namespace berth::scheduler {
namespace {

constexpr std::string_view kTrue = "True";

const api::Condition* FindScheduled(const api::NativePodGroup& group) {
  const auto& conditions = group.status.conditions;
  const auto found = std::ranges::find_if(conditions, [](const api::Condition& each) {
    return each.type == api::NativePodGroup::kScheduled ||
           each.type == api::NativePodGroup::kScheduledInOldVersion;
  });
  return found == conditions.end() ? nullptr : &*found;
}

std::string_view ReasonOf(const Status& result) {
  if (result.ok()) return "Scheduled";
  return result.rejected() ? "Unschedulable" : "SchedulerError";
}

}  // namespace

std::optional<api::Condition> ScheduledCondition(const api::NativePodGroup& group,
                                                 const Status& result, Time now) {
  api::Condition wanted;
  wanted.type = api::NativePodGroup::kScheduled;
  wanted.status = result.ok() ? kTrue : "False";
  wanted.observed_generation = group.metadata.generation;
  wanted.last_transition_time = now;
  wanted.reason = ReasonOf(result);
  wanted.message = result.Message();
  const api::Condition* current = FindScheduled(group);
  if (current == nullptr) return wanted;
  if (current->status == kTrue && wanted.status != kTrue) return std::nullopt;
  if (current->status == wanted.status) wanted.last_transition_time = current->last_transition_time;
  wanted.type = current->type;
  if (*current == wanted) return std::nullopt;
  wanted.type = api::NativePodGroup::kScheduled;
  return wanted;
}

void WriteScheduledCondition(ApiPort& api, const Gang& gang, const Status& result, Time now) {
  if (gang.native() == nullptr) return;
  std::optional<api::Condition> condition = ScheduledCondition(*gang.native(), result, now);
  if (!condition) return;
  api.PatchGroupCondition(PodGroupReference(gang), std::move(*condition),
                          [name = gang.PodGroupName()](const Result<void>& written) {
                            if (written || written.error().Is(Reason::kCanceled)) return;
                            log::Error("Could not update PodGroup status",
                                       {{"podGroup", name}, {"err", written.error()}});
                          });
}

}  // namespace berth::scheduler
