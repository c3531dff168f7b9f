// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "controllers/observed.h"

// Derives the state of the running scheduler from the cluster's objects. All functions are pure.
namespace berth::controllers {

// SchedulerReport is the scheduler's own report, read from its Lease. It is empty if the holder of
// the Lease did not write it, as after a change of the engine.
struct SchedulerReport {
  bool heard = false;        // the Lease exists and changed within its duration
  bool is_reported = false;  // by the holder of the Lease: a Berth scheduler
  std::string holder;
  std::string applied_hash;
  std::string needs_restart;  // applied settings that take effect only after a restart
  std::string config_error;
  std::string rejected_hash;            // hash of the text that config_error is about
  std::string metric_sources;           // their errors; empty: none reported
  std::string absent_kinds;             // watched kinds that are not installed; empty: none
  std::optional<int64_t> pending_pods;  // nullopt: not reported
};
SchedulerReport ReportOf(const Observed& observed);

// Reports whether the Deployment is owned by this profile and not being deleted. A Deployment that
// is being deleted is created again once it is gone.
bool IsOurs(const api::Deployment& deployment, const crds::SchedulerProfile& profile);

// Reports whether the Deployment has exactly `wanted` pods, all of the newest template.
bool IsRolledOut(const api::Deployment& deployment, int32_t wanted);

// Returns the hash of the configuration that a pod or pod template starts with; "" if it follows a
// ConfigMap.
std::string VersionOf(const api::ObjectMeta& metadata);

// Reports whether the profile has pods, terminating ones included, that start with another
// configuration than `version`; "" stands for pods that follow a ConfigMap.
bool HasPodsOfOtherVersion(const std::string& version, const Observed& observed);

// Returns the hash of the configuration that the scheduler runs; "" if it is not known, or if some
// pod runs another. A scheduler that follows its ConfigMap reports the hash. A scheduler that reads
// its configuration only at start has the version of its pods, once its rollout is complete; a
// Berth scheduler must report the same hash. For a kube-scheduler, the Lease must not be held by a
// Berth scheduler any more.
std::string AppliedHash(const crds::SchedulerProfile& profile, const Observed& observed);

// Returns the hash of the configuration that the scheduler runs, if the operator rendered it: in
// this plan (`config_hash`) or according to the status. Otherwise the one that the status names as
// applied. `reported` is untrusted: any client with write access to the ConfigMap can make a
// scheduler run another text.
std::string RenderedHash(const crds::SchedulerProfile& profile, const std::string& config_hash,
                         const std::string& reported);

}  // namespace berth::controllers
