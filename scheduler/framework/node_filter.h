// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/framework/nominations.h"
#include "scheduler/framework/profile.h"

namespace berth::scheduler {

// NodeFilter answers whether nodes fit, in one attempt, after PreFilter. A node with nominated pods
// of equal or higher priority must fit twice: with them added, for they will come, and without
// them, for they may not. Source: kube-scheduler-core 5.5. Owned by the scheduling thread; lives no
// longer than what it was given.
class NodeFilter {
 public:
  NodeFilter(const Profile& profile, const Nominations& nominated, CycleContext& cycle,
             const std::set<std::string_view>& skipped, CycleTrace* trace)
      : profile_(profile), nominated_(nominated), cycle_(cycle), skipped_(skipped), trace_(trace) {}

  // One asks about one node. The text of a verdict with Code::kError is whole: it names the plugin
  // and needs no context.
  Profile::FilterOutcome One(Slot slot) const;

  // Many is One for each slot; out[i] belongs to slots[i].
  void Many(std::span<const Slot> slots, std::span<Profile::FilterOutcome> out);

 private:
  // RivalsOn gives the nominated pods that count on a node.
  std::vector<std::shared_ptr<const PodInfo>> RivalsOn(Slot slot) const;
  Profile::FilterOutcome WithRivals(Slot slot,
                                    std::vector<std::shared_ptr<const PodInfo>> rivals) const;

  const Profile& profile_;
  const Nominations& nominated_;
  CycleContext& cycle_;
  const std::set<std::string_view>& skipped_;
  CycleTrace* trace_;
};

}  // namespace berth::scheduler
