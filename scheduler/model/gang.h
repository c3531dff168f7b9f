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

#include "base/clock.h"
#include "base/time.h"
#include "scheduler/model/resource.h"

namespace berth::scheduler {

class PodInfo;

// GangTerms is what a PodGroup asks for.
struct GangTerms {
  std::string uid;  // of the PodGroup
  size_t min_member = 1;
  size_t succeeded = 0;  // of its pods, as its status says: they need no place any more
  std::optional<std::chrono::seconds> timeout;  // above 0
  std::optional<Resources> min_resources;
  Time created;

  bool operator==(const GangTerms&) const = default;
};

// GangTurn is what the members of a gang have in common in the queue: an order by it keeps them
// together.
struct GangTurn {
  std::string gang;    // namespace/name
  SteadyTime since{};  // when its first member came, or the gang failed last
};

// GangHistory is what became of attempts with the gang.
struct GangHistory {
  std::optional<SteadyTime> failed;  // last; absent: it did not, or has been placed since
  std::string told;                  // what was said of the PodGroup last
  bool is_binding = false;           // members are on their way to be bound (GangBindBarrier),
  bool is_waited_for = false;        // and others wait for what becomes of them
  bool bound_here = false;           // this scheduler placed all that it needs, from none on
  bool has_run = false;              // as many as it needs were running, or one that ran is gone
  std::shared_ptr<const GangTurn> turn;
};

// Gang is the pods of a namespace that name the same PodGroup: its members are placed together or
// not at all. The pods make it, so it may be there before its PodGroup. Source: scheduler-plugins
// pkg/coscheduling/README.md.
class Gang {
 public:
  Gang(std::string namespace_name, std::string name)
      : namespace_(std::move(namespace_name)), name_(std::move(name)) {}

  const std::string& namespace_name() const { return namespace_; }
  const std::string& name() const { return name_; }
  std::string Key() const { return namespace_ + "/" + name_; }

  // terms is null while there is no PodGroup.
  const GangTerms* terms() const { return terms_ ? &*terms_ : nullptr; }

  // A pod that is being deleted is no member any more.
  size_t size() const { return members_.size(); }
  size_t placed() const { return placed_; }  // with those that are assumed
  // These require terms(). Needed is how many members have to be there beside those that succeeded,
  // Missing how many more have to be placed for the gang to be whole, Spare how many may leave their
  // nodes without splitting it.
  size_t Needed() const { return Above(terms_->min_member, terms_->succeeded); }
  size_t Missing() const { return Above(Needed(), placed_); }
  size_t Spare() const { return Above(placed_, Needed()); }
  // IsIncomplete says that some members hold room and others, of which it cannot do without, have
  // none: these wait, or are gone before all have run.
  bool IsIncomplete() const;
  // Placed lists the members on nodes.
  std::vector<std::shared_ptr<const PodInfo>> Placed() const;
  // AnyUnplaced shows the members without a node, sorted by UID, to `visit(uid, scheduler_name)`,
  // until it says true. Says whether it did.
  template <class Visit>
  bool AnyUnplaced(Visit&& visit) const {
    if (placed_ == members_.size()) return false;
    return std::any_of(members_.begin(), members_.end(), [&visit](const auto& entry) {
      return !entry.second.is_placed() && visit(entry.first, entry.second.scheduler_name);
    });
  }
  // Gated is how many members without a node have scheduling gates.
  size_t Gated() const { return gated_; }
  // AnotherScheduler is the name of a scheduler that a member without a node asks for, other than
  // this one; empty: they all ask for this one.
  std::string_view AnotherScheduler(std::string_view scheduler_name) const;
  // scheduler_name is what the member asks for that came last without a node; empty: none did.
  const std::string& scheduler_name() const { return scheduler_name_; }

  const GangHistory& history() const { return history_; }

 private:
  friend class GangTable;
  struct Member {
    bool is_placed() const { return placed != nullptr; }

    std::shared_ptr<const PodInfo> placed = nullptr;
    bool is_pending = false;  // the API server shows it without a node
    bool is_gated = false;
    std::string scheduler_name = {};
  };

  static size_t Above(size_t a, size_t b) { return a > b ? a - b : 0; }

  // Count and Uncount keep the counts, of a member that comes, goes, or is about to change.
  void Count(const Member& member);
  void Uncount(const Member& member);

  std::string namespace_, name_, scheduler_name_;
  std::optional<GangTerms> terms_;
  std::map<std::string, Member> members_;  // by UID
  size_t placed_ = 0;
  size_t running_ = 0;  // of the placed ones
  size_t gated_ = 0;
  std::map<std::string, size_t, std::less<>> asking_;  // without a node, by scheduler; none is 0
  GangHistory history_;
};

}  // namespace berth::scheduler
