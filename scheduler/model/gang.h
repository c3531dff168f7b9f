// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/native_pod_group.h"
#include "base/clock.h"
#include "base/time.h"
#include "scheduler/model/resource.h"

namespace berth::scheduler {

class PodInfo;

// GangApi is the API that a PodGroup belongs to.
enum class GangApi : uint8_t {
  kCoscheduling,  // scheduling.x-k8s.io; a label of its pods names it
  kNative,        // scheduling.k8s.io; spec.schedulingGroup of its pods names it
};
inline constexpr size_t kGangApiCount = 2;

// GangDisruption states how many placed members preemption may evict.
enum class GangDisruption : uint8_t {
  kSurplus,   // those above the needed number; if that is not enough, all together
  kAny,       // any
  kTogether,  // all together
};

// GangTerms is the part of a PodGroup that scheduling reads.
struct GangTerms {
  std::string uid;  // of the PodGroup
  size_t min_member = 1;
  GangDisruption disruption = GangDisruption::kSurplus;
  size_t succeeded = 0;                         // status.succeeded: pods that need no node any more
  std::optional<std::chrono::seconds> timeout;  // above 0
  std::optional<Resources> min_resources;
  Time created;
  std::optional<int32_t> priority;  // that all members must have; absent: any
  bool has_claims = false;          // spec.resourceClaims is not empty
  std::string topology_key;         // all members must be in one domain of it; empty: anywhere

  bool operator==(const GangTerms&) const = default;
};

// GangTurn is the place of a gang in the queue. All members share it, so an order by it keeps them
// together.
struct GangTurn {
  std::string gang;    // namespace/name
  SteadyTime since{};  // the time of the first member, or of the gang's last failure
};

// Gang is the set of pods in a namespace with the same PodGroup, its members. They are placed
// together or not at all. Pods alone create a gang, so it may exist before its PodGroup. Sources:
// scheduler-plugins pkg/coscheduling/README.md; k8s.io/api scheduling/v1beta1/types.go.
class Gang {
 public:
  Gang(GangApi api, std::string namespace_name, std::string name)
      : api_(api), namespace_(std::move(namespace_name)), name_(std::move(name)) {}

  GangApi api() const { return api_; }
  const std::string& namespace_name() const { return namespace_; }
  const std::string& name() const { return name_; }
  // Returns the namespace and name of the PodGroup, for messages.
  std::string PodGroupName() const { return namespace_ + "/" + name_; }
  // Returns a text that no other gang has.
  std::string Key() const { return KeyOf(api_, namespace_, name_); }
  static std::string KeyOf(GangApi api, std::string_view namespace_name, std::string_view name);

  // Null while the PodGroup does not exist.
  const GangTerms* terms() const { return terms_ ? &*terms_ : nullptr; }

  // The PodGroup of scheduling.k8s.io as last seen; null if it does not exist or is of another API.
  const api::NativePodGroup* native() const { return native_.get(); }

  // Terminating pods are not members.
  size_t size() const { return members_.size(); }
  size_t placed() const { return placed_; }  // including assumed members
  // Require terms(). Needed returns the number of members that the gang needs besides those that
  // succeeded, Missing the number that still has to be placed, Spare the number of placed members
  // that it can lose.
  size_t Needed() const { return Above(terms_->min_member, terms_->succeeded); }
  size_t Missing() const { return Above(Needed(), placed_); }
  size_t Spare() const;
  // Reports whether some members are placed while needed members are not: these are pending, or
  // were deleted before all ran.
  bool IsIncomplete() const;
  // Reports whether the PodGroup exists, as many members as needed exist, and none has a scheduling
  // gate.
  bool IsReady() const { return terms_ && size() >= Needed() && gated_ == 0; }
  // Returns the placed members.
  std::vector<std::shared_ptr<const PodInfo>> Placed() const;
  // Calls visit(uid, scheduler_name) for the members without a node, sorted by UID, until it
  // returns true. Returns whether it did.
  template <class Visit>
  bool AnyUnplaced(Visit&& visit) const {
    if (placed_ == members_.size()) return false;
    return std::any_of(members_.begin(), members_.end(), [&visit](const auto& entry) {
      const Member& member = entry.second;
      return !member.placed && visit(entry.first, member.scheduler_name);
    });
  }
  // Returns the number of members without a node that have scheduling gates.
  size_t Gated() const { return gated_; }
  // Returns a scheduler name other than this one that a member without a node has; empty if there
  // is none.
  std::string_view AnotherScheduler(std::string_view scheduler_name) const;
  // Returns a priority other than this one that a member has; nullopt if there is none.
  std::optional<int32_t> AnotherPriority(int32_t priority) const;
  // Reports whether some members without a node may preempt and others may not.
  bool HasMixedPreemption() const { return never_ > 0 && never_ < members_.size() - placed_; }
  // The scheduler name of the latest member without a node; empty if there was none.
  const std::string& scheduler_name() const { return scheduler_name_; }

  // Reports whether this scheduler placed all needed members, starting from none.
  bool placed_here() const { return placed_here_; }
  // Reports whether all needed members ran at the same time, or a member that ran is gone. It is
  // reset when this scheduler places the gang.
  bool has_run() const { return has_run_; }

 private:
  friend class GangTable;
  struct Member {
    bool is_placed() const { return placed != nullptr && !is_aside; }

    std::shared_ptr<const PodInfo> placed = nullptr;
    bool is_aside = false;    // off its node in a simulated preemption
    bool is_pending = false;  // without a node at the API server
    bool is_gated = false;
    bool never_preempts = false;
    int32_t priority = 0;
    std::string scheduler_name = {};
  };

  static size_t Above(size_t a, size_t b) { return a > b ? a - b : 0; }

  // Update the counts when a member is added, removed, or about to change.
  void Count(const Member& member);
  void Uncount(const Member& member);

  GangApi api_;
  std::string namespace_, name_, scheduler_name_;
  std::optional<GangTerms> terms_;
  std::shared_ptr<const api::NativePodGroup> native_;
  std::map<std::string, Member> members_;  // by UID
  size_t placed_ = 0;
  size_t running_ = 0;  // of the placed ones
  size_t gated_ = 0;
  size_t never_ = 0;                                   // without a node, and never preempt
  std::map<std::string, size_t, std::less<>> asking_;  // without a node, by scheduler; above 0
  std::map<int32_t, size_t> priorities_;               // number of members by priority; above 0
  bool placed_here_ = false;
  bool has_run_ = false;
  bool was_ready_ = false;  // at the last review
};

}  // namespace berth::scheduler
