// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/framework/profile.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler::testing {

// Script defines a test plugin. It implements the extension points whose function is set.
struct Script {
  std::function<Status(const PendingPod&)> pre_enqueue;
  std::function<bool(const QueuedPod&, const QueuedPod&)> less;
  std::function<PreFilterResult(CycleContext&)> pre_filter;
  std::function<Verdict(const CycleContext&, const NodeView&)> filter;
  std::function<PostFilterResult(PostFilterContext&)> post_filter;
  std::function<Status(CycleContext&, const FeasibleNodes&)> pre_score;
  std::function<int64_t(const CycleContext&, const NodeView&)> score;
  Normalizer normalizer = Normalizer::kNone;
  std::function<Status(std::span<const Slot>, std::span<int64_t>)> normalize;
  std::function<Status(const std::string&)> reserve;
  std::function<void(const std::string&)> unreserve;
  std::function<PermitResult(const std::string&)> permit;
  std::function<Status(const std::string&)> pre_flight;
  bool allow_parallel = false;
  std::function<void(const std::stop_token&, StatusDone)> pre_bind;
  std::function<void(StatusDone)> bind;
  std::function<void(const std::string&)> post_bind;

  std::vector<EventInterest> events = {};

  // Results are cached if this is set and `depends_on` is not empty.
  std::function<ResultKey(const PendingPod&)> key_of;
  std::function<Versions(const PendingPod&, const Snapshot&)> versions_of;
  std::vector<Epoch> depends_on = {};
};

// Returns the descriptor of such a plugin. Requires: `name` outlives it.
PluginDescriptor Scripted(std::string_view name, Script script);

// Adds the queue sort plugin "Sort" and the bind plugin "Binder", which every profile needs.
Registry WithBasics(std::vector<PluginDescriptor> plugins);

// Enables all plugins of a registry in its order and disables the defaults.
api::KubeSchedulerProfile Everything(const Registry& registry);

// Returns a profile with these plugins and the basics. Errors end the test program.
std::shared_ptr<const Profile> MakeProfile(TestCluster& cluster,
                                           std::vector<PluginDescriptor> plugins,
                                           int32_t percentage = 0,
                                           std::shared_ptr<const Extenders> extenders = nullptr);

// Returns the indices of the plugins with these names. Requires: the profile has them.
PluginIndexSet IndexesOf(const Profile& profile, std::initializer_list<std::string_view> names);

// Returns an Unschedulable verdict with that reason.
inline Verdict Reject(std::string_view reason) {
  return Verdict::Unschedulable(VerdictReason::Intern(reason));
}

}  // namespace berth::scheduler::testing
