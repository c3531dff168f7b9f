// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

struct CoschedulingArgs {
  int64_t permit_waiting_time_seconds = 60;
  int64_t pod_group_backoff_seconds = 0;
  std::string incomplete_groups = "ReleaseUnlessRun";

  static auto Fields() {
    return json::Object(
        json::Field("permitWaitingTimeSeconds", &CoschedulingArgs::permit_waiting_time_seconds)
            .Min(0)
            .Default("60")
            .Doc("How long the pods of an incomplete group may keep their nodes. The "
                 "scheduleTimeoutSeconds of the PodGroup overrides it; 0 is 60."),
        json::Field("podGroupBackoffSeconds", &CoschedulingArgs::pod_group_backoff_seconds)
            .Min(0)
            .Default("0")
            .Doc("The wait after a failed attempt to place the group, in addition to the "
                 "backoff of its pods."),
        json::Field("incompleteGroups", &CoschedulingArgs::incomplete_groups)
            .OneOf("ReleaseUnlessRun|Release|Keep")
            .Default("\"ReleaseUnlessRun\"")
            .Doc(
                "What happens to the placed pods of a group that stays incomplete. Release: they "
                "are "
                "evicted, so that others can use their room. Keep: they keep their nodes. "
                "ReleaseUnlessRun: they are evicted, except in three cases: the group has run (all "
                "needed pods at the same time, or one that ran is gone); a pod has no controller "
                "that creates it again; or another scheduler, or this one before its restart, "
                "placed them. An event of the PodGroup reports what was done."));
  }

  std::vector<api::FieldError> Validate() const;
};

// Coscheduling places the pods of a PodGroup together or not at all (model/gang.h). CheckGang
// rejects a group that cannot be complete yet. A configuration with the plugin at PreFilter but not
// at Permit gets the same check for each pod alone. Source: scheduler-plugins
// pkg/coscheduling/coscheduling.go and core/core.go.
class Coscheduling final : public QueueSortPlugin, public PreFilterPlugin, public GangPlugin {
 public:
  using Args = CoschedulingArgs;
  static PluginDescriptor Descriptor();

  Coscheduling(const Args& args, const PluginHandle& handle);

  // Orders pods by priority, then by waiting time, which the pods of a group share, then by group
  // and name.
  bool Less(const QueuedPod& a, const QueuedPod& b) const override;
  PreFilterResult PreFilter(CycleContext& cycle) const override;
  Status CheckGang(const PendingPod& pod, const Gang& gang, const GangAttempts& attempts,
                   const Snapshot& snapshot) const override;
  GangRejection WhyIncomplete(const Gang& gang, const IncompleteAttempt& attempt) const override;
  GangApi gang_api() const override { return GangApi::kCoscheduling; }
  const GangPolicy& gang_policy() const override { return policy_; }

  ResultKey HintKeyOf(const PendingPod& pod) const override;

 private:
  const Clock& clock_;
  const GangPolicy policy_;
};

}  // namespace berth::scheduler
