// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "controllers/observed.h"

// What the cluster tells of the scheduler that runs. All of it is pure.
namespace berth::controllers {

// SchedulerReport is what the scheduler itself says, on its Lease. Where another holds the Lease
// than whoever wrote the report, as after a change of the engine, there is none.
struct SchedulerReport {
  bool heard = false;        // the Lease exists and changed within its duration
  bool is_reported = false;  // by the holder of the Lease: a Berth scheduler
  std::string holder;
  std::string applied_hash;
  std::string needs_restart;  // settings of the applied text that wait for a restart
  std::string config_error;
  std::string rejected_hash;            // of the text that config_error is about
  std::string metric_sources;           // what is wrong with them; empty: nothing is said
  std::string absent_kinds;             // that it reads and are not installed; empty: none
  std::optional<int64_t> pending_pods;  // absent: nothing is said
};
SchedulerReport ReportOf(const Observed& observed);

// IsOurs says that the Deployment serves this profile: one that is being deleted serves nobody for
// long, and is written again once it is gone.
bool IsOurs(const api::Deployment& deployment, const crds::SchedulerProfile& profile);

// IsRolledOut says that `wanted` pods of the newest template are what the Deployment has.
bool IsRolledOut(const api::Deployment& deployment, int32_t wanted);

// VersionOf is the hash of the configuration that a pod, or a pod template, starts with; "" where
// it follows a ConfigMap.
std::string VersionOf(const api::ObjectMeta& metadata);

// HasPodsOfOtherVersion says that the profile has pods, be they ending, that start with another
// configuration than `version`, "" standing for those that follow.
bool HasPodsOfOtherVersion(const std::string& version, const Observed& observed);

// AppliedHash names the configuration that the scheduler runs, and none of its pods another; ""
// while that is not known. A scheduler that follows its ConfigMap says it itself. One that starts
// with its configuration has the version of its pods, all of which are of one rollout; a Berth
// scheduler says it, too, and a Lease that a Berth scheduler holds is not the kube-scheduler's yet.
std::string AppliedHash(const crds::SchedulerProfile& profile, const Observed& observed);

}  // namespace berth::controllers
