// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/policy.h"
#include "scheduler/framework/algorithm.h"
#include "scheduler/queue/nominator.h"
#include "tests/scheduler/testing/recorded_evictions.h"
#include "tests/scheduler/testing/scripted_extender.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler::testing {

// Returns a budget in namespace "default" for the pods with the label app=`app`, with UID
// "uid-NAME".
api::PodDisruptionBudget MakeBudget(std::string name, std::string app, int32_t allowed,
                                    std::vector<std::string> disrupted = {});

// Sets the pod's start time, in seconds after a fixed day.
PodBuilder& Started(PodBuilder& pod, int64_t second);

// Returns a candidate as text: "n1: a b", or "n1: a b (1 violation)".
std::string TextOf(const Candidate& candidate);

// PreemptionWorld is a cluster in which a pod that fits on no node is tried. Random choices select
// the first option.
class PreemptionWorld {
 public:
  // `args` are the args of DefaultPreemption, as JSON. Without `plugins`, the default profile is
  // used. The extenders must outlive this.
  explicit PreemptionWorld(std::string args = "", std::vector<PluginDescriptor> plugins = {},
                           const std::vector<ScriptedExtender*>& extenders = {});

  TestCluster& cluster() { return cluster_; }
  Nominator& nominator() { return nominator_; }
  void Put(const api::PodDisruptionBudget& budget) { cluster_.cache().PutBudget(budget); }

  // Runs one scheduling attempt.
  const Outcome& Try(const PodBuilder& pod);

  // Of the last attempt:
  const PostFilterResult& result() const { return outcome_.post_filter; }
  std::string message() const { return outcome_.post_filter_message; }
  std::vector<std::string> Candidates() const;
  std::vector<std::string_view> Rejectors() const {
    return profile_->NamesOf(outcome_.unschedulable_plugins);
  }
  // Returns the candidate to which the pod was nominated; empty: none.
  std::string Chosen() const;
  const std::vector<EvictionRequest>& evictions() const { return evictions_.requests; }

 private:
  TestCluster cluster_;
  Nominator nominator_;
  RecordedEvictions evictions_;
  std::shared_ptr<const Profile> profile_;
  CycleState state_;
  Outcome outcome_;
};

}  // namespace berth::scheduler::testing
