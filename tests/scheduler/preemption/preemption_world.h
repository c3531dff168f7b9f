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

// MakeBudget is a budget of the namespace "default" for the pods with the label app=`app`, with UID
// "uid-NAME".
api::PodDisruptionBudget MakeBudget(std::string name, std::string app, int32_t allowed,
                                    std::vector<std::string> disrupted = {});

// Started sets when the pod started, in seconds since some day.
PodBuilder& Started(PodBuilder& pod, int64_t second);

// TextOf is a candidate in words: "n1: a b", or "n1: a b (1 violation)".
std::string TextOf(const Candidate& candidate);

// PreemptionWorld is a cluster in which a pod is tried that fits nowhere. What chance decides, it
// decides for the first.
class PreemptionWorld {
 public:
  // `args` are those of DefaultPreemption, as JSON; without plugins, the default profile runs. The
  // extenders outlive it.
  explicit PreemptionWorld(std::string args = "", std::vector<PluginDescriptor> plugins = {},
                           const std::vector<ScriptedExtender*>& extenders = {});

  TestCluster& cluster() { return cluster_; }
  Nominator& nominator() { return nominator_; }
  void Put(const api::PodDisruptionBudget& budget) { cluster_.cache().Put(budget); }

  // Try makes one attempt.
  const Outcome& Try(const PodBuilder& pod);

  // Of the last attempt:
  const PostFilterResult& result() const { return outcome_.post_filter; }
  std::string message() const { return outcome_.post_filter_message; }
  std::vector<std::string> Candidates() const;
  std::vector<std::string_view> Rejectors() const {
    return profile_->NamesOf(outcome_.unschedulable_plugins);
  }
  // Chosen is the candidate that the pod was nominated to; empty: none.
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
