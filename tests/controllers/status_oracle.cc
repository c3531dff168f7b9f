// SPDX-License-Identifier: Apache-2.0
#include "tests/controllers/status_oracle.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <mutex>

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/scheduler_contract.h"
#include "controllers/config.h"
#include "controllers/difference.h"
#include "controllers/name_ownership.h"
#include "controllers/render.h"
#include "tests/controllers/gitops_health.h"
#include "tests/controllers/kstatus.h"

namespace berth::controllers {
namespace {

using crds::SchedulerProfile;

// Tally counts the judged statuses by their kstatus, and prints the counts when the program exits:
// the last status may come while GoogleTest tears its environments down.
class Tally {
 public:
  ~Tally() {
    int all = 0;
    std::string parts;
    for (const auto& [kstatus, count] : counts_) {
      all += count;
      parts += (parts.empty() ? "" : ", ") + kstatus + " " + std::to_string(count);
    }
    if (all > 0) std::cout << "Statuses judged: " << all << " (" << parts << ")" << std::endl;
  }

  void Count(const std::string& kstatus) {
    const std::lock_guard lock(mutex_);
    ++counts_[kstatus];
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> counts_;  // guarded by mutex_
};

Tally& TheTally() {
  static Tally tally;
  return tally;
}

bool IsTrue(const SchedulerProfile& profile, std::string_view type) {
  const api::Condition* condition = api::FindCondition(profile.status.conditions, type);
  return condition && condition->status == "True";
}

// Assumes that the profile serves all its names: a profile with a taken name is Stalled.
std::string ConfigOf(const SchedulerProfile& profile) {
  return RenderConfig(profile, NamesOf(profile));
}

DefaultImage ImageIn(const api::PodSpec& pod) {
  DefaultImage image;
  if (!pod.containers.empty()) image.name = pod.containers.front().image;
  if (pod.node_selector && pod.node_selector->contains("kubernetes.io/arch")) {
    image.architecture = pod.node_selector->at("kubernetes.io/arch");
  }
  return image;
}

// Reports whether the Deployment is that of the profile's current spec. Settings that the operator
// chooses are taken from the Deployment.
bool IsOfSpec(const SchedulerProfile& profile, const api::Deployment& live) {
  const std::string config = ConfigOf(profile);
  const api::Deployment wanted =
      RenderDeployment({.profile = profile,
                        .config = config,
                        .version = WantedVersion(profile, ConfigHashOf(profile, config)),
                        .default_image = ImageIn(live.spec.template_.spec)});
  return Differences(wanted.spec, live.spec).empty();
}

bool IsRolledOut(const api::Deployment& deployment) {
  const int32_t wanted = deployment.spec.replicas.value_or(1);
  const api::DeploymentStatus& status = deployment.status;
  return status.observed_generation >= deployment.metadata.generation &&
         status.updated_replicas == wanted && status.replicas == wanted &&
         status.ready_replicas >= wanted;
}

bool IsHeld(const api::Lease& lease) { return !lease.spec.holder_identity.value_or("").empty(); }

bool Reports(const api::Lease& lease, const std::string& hash) {
  const api::StringMap& annotations = lease.metadata.annotations;
  const auto applied = annotations.find(std::string(api::kAppliedConfigHashAnnotation));
  return applied != annotations.end() && applied->second == hash &&
         !annotations.contains(std::string(api::kConfigNeedsRestartAnnotation)) && IsHeld(lease);
}

// A kube-scheduler reports nothing, and keeps the report of a previous Berth scheduler.
bool IsHeldByKubeScheduler(const api::Lease& lease) {
  const auto reporter = lease.metadata.annotations.find(std::string(api::kReporterAnnotation));
  const bool reports = reporter != lease.metadata.annotations.end() &&
                       reporter->second == lease.spec.holder_identity;
  return IsHeld(lease) && !reports;
}

// Returns the part of the profile's spec that is not running yet.
std::optional<std::string> Missing(const SchedulerProfile& profile, const Evidence& evidence) {
  SchedulerProfile wanted = crds::WithDefaults(profile);
  crds::PlaceByDefault(wanted, crds::kDefaultNamespace);
  const bool rolled_out =
      std::ranges::any_of(evidence.deployments, [&wanted](const auto& deployment) {
        return IsOfSpec(wanted, *deployment) && IsRolledOut(*deployment);
      });
  if (!rolled_out) return "no Deployment of this spec was rolled out";
  if (wanted.spec.suspend) return std::nullopt;
  if (wanted.spec.engine.IsKubeScheduler()) {
    const bool leads = std::ranges::any_of(
        evidence.leases, [](const auto& lease) { return IsHeldByKubeScheduler(*lease); });
    return leads ? std::nullopt : std::optional<std::string>("no kube-scheduler held the Lease");
  }
  const std::string hash = api::ConfigHash(ConfigOf(wanted));
  const bool applied = std::ranges::any_of(
      evidence.leases, [&hash](const auto& lease) { return Reports(*lease, hash); });
  if (!applied) return "no scheduler reported to run configuration " + hash;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> FalseClaim(const SchedulerProfile& profile, const Evidence& evidence) {
  const std::string kstatus = KstatusOf(profile);
  // While the profile is paused, its objects may be in any state.
  if (IsTrue(profile, "Paused")) return std::nullopt;
  const bool is_current = kstatus == "Current";
  const bool is_ready = IsTrue(profile, "Ready");
  if (IsTrue(profile, "Stalled") && IsTrue(profile, "Reconciling")) {
    return "it is Stalled and Reconciling";
  }
  if (is_ready && (kstatus == "Failed" || profile.spec.suspend)) {
    return "it is Ready and " + (profile.spec.suspend ? "to be suspended" : kstatus);
  }
  if (is_current && profile.spec.suspend != IsTrue(profile, "Suspended")) {
    return "it is Current and suspended only in the spec, or only in the status";
  }
  if (!is_current && !is_ready) return std::nullopt;
  if (const auto missing = Missing(profile, evidence)) {
    return (is_ready ? "it is Ready and " : "it is Current and ") + *missing;
  }
  return std::nullopt;
}

void JudgeStatus(const SchedulerProfile& profile, const Evidence& evidence) {
  TheTally().Count(KstatusOf(profile));
  ExpectGitOpsToolsAgree(profile);
  const auto lie = FalseClaim(profile, evidence);
  EXPECT_FALSE(lie) << profile.metadata.name << ", generation " << profile.metadata.generation
                    << ": " << *lie << "\n"
                    << json::Encode(profile.status);
}

}  // namespace berth::controllers
