// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scheduler/framework/profile.h"

// A scriptable plugin, and profiles made of such plugins and of real ones.
namespace berth::scheduler::testing {

// Script defines the results of a ScriptedPlugin and records its calls. Unset functions succeed.
struct Script {
  std::string_view name = "Scripted";  // static lifetime
  std::vector<EventInterest> events;
  bool no_event_helps = false;

  std::function<Status(const PendingPod&)> pre_enqueue;
  std::function<Verdict(const PendingPod&, const NodeView&)> filter;
  std::function<QueueingHint(const PendingPod&, const ClusterEvent&, const EventObjects&)> hint;
  std::function<ResultKey(const PendingPod&)> hint_key;  // unset: a hint call for each pod
  std::function<Status(const PendingPod&)> reserve;
  std::function<PermitResult(const PendingPod&)> permit;
  std::function<Status(const PendingPod&)> pre_flight;  // overrides has_pre_bind
  std::function<Status(const PendingPod&)> bind;  // set before TestProfile; replaces DefaultBinder
  // PodsToActivate, by UID: added in Permit and in PostBind.
  std::set<std::string> activate_in_permit, activate_in_post_bind;
  bool has_pre_bind = false;  // PreBind adds its callback to `pre_binds` for the test

  std::vector<std::string>
      calls;  // "Reserve a", "Unreserve a", "PreBind a", "PostBind a"; with ", node gone"
  std::vector<StatusDone> pre_binds;
  std::stop_token canceled;  // of the last PreBind call
};

// Builds a profile of PrioritySort, DefaultBinder, the scripted plugins and the named real plugins,
// with these args. A real QueueSort plugin replaces PrioritySort. The scripts must outlive the
// profile.
std::shared_ptr<const Profile> TestProfile(const PluginHandle& handle, std::string scheduler_name,
                                           std::vector<Script*> scripts,
                                           std::vector<std::string> real_plugins = {},
                                           std::shared_ptr<const Extenders> extenders = nullptr,
                                           std::vector<api::PluginConfig> args = {});

}  // namespace berth::scheduler::testing
