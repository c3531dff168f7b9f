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
            .Doc("How long pods may hold their places while others that their group needs have "
                 "none, where its PodGroup has no scheduleTimeoutSeconds; 0 is 60."),
        json::Field("podGroupBackoffSeconds", &CoschedulingArgs::pod_group_backoff_seconds)
            .Min(0)
            .Default("0")
            .Doc("How long a group that did not fit is let alone, beyond the backoff of its "
                 "pods."),
        json::Field("incompleteGroups", &CoschedulingArgs::incomplete_groups)
            .OneOf("ReleaseUnlessRun|Release|Keep")
            .Default("\"ReleaseUnlessRun\"")
            .Doc("What becomes of the pods that hold their places for longer: they are evicted "
                 "(Release), unless all that the group needs were running at a time or one that "
                 "ran is gone, or one has no controller that makes it anew (ReleaseUnlessRun), or "
                 "kept (Keep). The PodGroup's events say so."));
  }

  std::vector<api::FieldError> Validate() const;
};

// Coscheduling places the pods of a PodGroup together or not at all (model/gang.h). PreFilter
// refuses a group that cannot be whole yet, and says why; with the plugin at Permit the scheduler
// tries all members in one cycle, and looks after groups that are split later (GangWatch). Source:
// scheduler-plugins pkg/coscheduling/coscheduling.go and core/core.go.
class Coscheduling final : public QueueSortPlugin, public PreFilterPlugin, public PermitPlugin {
 public:
  using Args = CoschedulingArgs;
  static PluginDescriptor Descriptor();

  Coscheduling(const Args& args, const PluginHandle& handle);

  // Less takes pods of higher priority first, then those that have waited longer, where the pods of
  // a group wait as long as their group does, and are sorted by name.
  bool Less(const QueuedPod& a, const QueuedPod& b) const override;
  PreFilterResult PreFilter(CycleContext& cycle) const override;
  PermitResult Permit(CycleContext& cycle, const NodeRef& node) const override;
  const GangPolicy* gang_policy() const override { return &policy_; }

  ResultKey HintKeyOf(const PendingPod& pod) const override;

 private:
  const Clock& clock_;
  const GangPolicy policy_;
};

}  // namespace berth::scheduler
