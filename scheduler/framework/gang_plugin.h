// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "scheduler/framework/interface.h"
#include "scheduler/model/gang.h"

namespace berth::scheduler {

// IncompleteGang is the action on the placed members of a gang that stays incomplete.
enum class IncompleteGang : uint8_t {
  // Evict them, unless the gang has run (Gang::has_run) or a member has no controller.
  kReleaseUnlessRun,
  kRelease,  // evict them
  kKeep,     // keep them on their nodes
};

// GangPolicy configures how the scheduler keeps the members of a gang together.
struct GangPolicy {
  // The wait after a failed attempt, in addition to the backoff of the pods.
  std::chrono::seconds backoff{0};
  IncompleteGang incomplete = IncompleteGang::kReleaseUnlessRun;
  // Whether members preempt only after all have been tried without, for a gang that does not fit.
  bool preempts_last = false;
  // The time until an incomplete gang is acted on. The timeout of the PodGroup overrides it.
  std::chrono::seconds patience{60};
};

// GangAttempts is the state of this scheduler's attempts to place a gang.
struct GangAttempts {
  std::optional<SteadyTime> failed;  // the last failure; absent after a success
  bool is_binding = false;           // some members are in their binding cycles
};

// GangPreemption is the result of preemption for a gang whose members preempt last.
enum class GangPreemption : uint8_t {
  kNone,       // no plugin makes room, or the gang has too few members
  kForbidden,  // the members' preemptionPolicy is Never
  kNoVictims,  // no pod has a lower priority
  kUnderWay,   // victims of an earlier attempt are still terminating
  kNotEnough,  // the gang does not fit without its victims, either
  kFound,      // it fits once its victims are gone
};

// IncompleteAttempt is an attempt that did not place enough members of a gang.
struct IncompleteAttempt {
  struct Counts {
    size_t fitting = 0;    // members that fit
    size_t remaining = 0;  // members that were not tried
    size_t placed = 0;     // members that have a node or fit
  };
  size_t missing = 0;  // members that had to be placed
  Counts counts;
  // The first member that does not fit, with the reason; empty if there is none.
  std::string pod;
  std::string why;
  GangPreemption preemption = GangPreemption::kNone;
  Counts with_preemption;  // kNotEnough
  size_t victims = 0;      // kFound
};

// GangRejection holds the reasons for the PodGroup, for its members that would fit, and for those
// that were not tried.
struct GangRejection {
  std::string of_group, of_fitting, of_untried;
};

// GangPlugin is the extension point of gangs: it decides whether a gang may be scheduled now. A
// configuration enables it at Permit, the point at which scheduler-plugins and kube-scheduler let
// members wait for each other. In a profile with a GangPlugin for the API of a PodGroup the
// scheduler places the members of its gang in one cycle, all or none (gangs/gang_cycle.h), so no
// member waits at Permit.
class GangPlugin : public virtual Plugin {
 public:
  virtual GangApi gang_api() const = 0;
  // Returns Success; UnschedulableAndUnresolvable with the reason, because preemption does not
  // help; or Error, after which the pod is retried without an event. It is called before the search
  // for a node, with the member that came first in the queue. Results of `snapshot` are valid
  // during the call.
  virtual Status CheckGang(const PendingPod& pod, const Gang& gang, const GangAttempts& attempts,
                           const Snapshot& snapshot) const = 0;
  virtual GangRejection WhyIncomplete(const Gang& gang, const IncompleteAttempt& attempt) const = 0;
  virtual const GangPolicy& gang_policy() const = 0;
};

}  // namespace berth::scheduler
