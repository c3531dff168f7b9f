// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/scheduler_contract.h"
#include "controllers/config.h"
#include "controllers/render.h"
#include "tests/controllers/gitops_health.h"
#include "tests/controllers/kstatus.h"
#include "tests/controllers/profiles.h"

namespace berth::controllers {

// World is a plan's view of one profile, built step by step.
struct World {
  explicit World(crds::SchedulerProfile of) : profile(std::move(of)) {
    observed.profiles = {std::make_shared<const crds::SchedulerProfile>(profile)};
  }

  World& Deployed(int32_t ready, int32_t replicas = 1) {
    api::Deployment deployment =
        RenderDeployment({.profile = profile,
                          .version = WantedVersion(profile, PlanAlone(profile).config_hash),
                          .default_image = {.name = "i"}});
    deployment.metadata.generation = 1;
    deployment.status = {.observed_generation = 1,
                         .replicas = replicas,
                         .updated_replicas = replicas,
                         .ready_replicas = ready};
    observed.deployment = std::make_shared<const api::Deployment>(deployment);
    return *this;
  }

  World& Reports(const std::string& hash, const std::string& error = "") {
    api::Lease lease;
    lease.spec.holder_identity = "pod-1";
    lease.spec.lease_duration_seconds = 15;
    lease.metadata.annotations[std::string(api::kAppliedConfigHashAnnotation)] = hash;
    if (!error.empty()) {
      lease.metadata.annotations[std::string(api::kConfigErrorAnnotation)] = error;
      lease.metadata.annotations[std::string(api::kConfigErrorHashAnnotation)] = ConfigHash();
    }
    observed.lease = std::make_shared<const api::Lease>(lease);
    observed.lease_unchanged = std::chrono::seconds(1);
    return *this;
  }

  // Writes the status of a reconcile into the profile.
  World& Reconciled() {
    profile.status = ReportOn(PlanAlone(profile, observed), observed, failures, Time()).status;
    return *this;
  }

  // Gives the ConfigMap these texts.
  World& HasConfig(const std::string& config, const std::string& last_good) {
    api::ConfigMap live;
    live.data = {{std::string(api::kConfigKey), config},
                 {std::string(api::kLastGoodKey), last_good}};
    observed.config_map = std::make_shared<const api::ConfigMap>(live);
    return *this;
  }

  // Reports the configuration as applied except for these settings.
  World& RunsAllBut(const std::string& settings) {
    Reports(ConfigHash());
    api::Lease lease = *observed.lease;
    lease.metadata.annotations[std::string(api::kConfigNeedsRestartAnnotation)] = settings;
    observed.lease = std::make_shared<const api::Lease>(lease);
    return *this;
  }

  // Changes the Deployment with `edit`.
  World& WithDeployment(const std::function<void(api::Deployment&)>& edit) {
    api::Deployment deployment = *observed.deployment;
    edit(deployment);
    observed.deployment = std::make_shared<const api::Deployment>(deployment);
    return *this;
  }

  World& HasPod(const std::string& json) {
    observed.pods.push_back(
        std::make_shared<const SchedulerPod>(json::Decode<SchedulerPod>(json).value()));
    return *this;
  }

  World& Met(ReconcileError failure) {
    failures.push_back(std::move(failure));
    return *this;
  }

  std::string ConfigHash() const { return PlanAlone(profile).config_hash; }

  // Returns the conditions as `type=status/reason`.
  std::vector<std::string> Conditions() {
    profile.status = StatusOf(profile, observed, failures);
    std::vector<std::string> texts;
    for (const api::Condition& condition : profile.status.conditions) {
      EXPECT_EQ(condition.observed_generation, profile.metadata.generation);
      EXPECT_FALSE(condition.message.empty());
      EXPECT_FALSE(condition.last_transition_time.IsZero());
      texts.push_back(condition.type + "=" + condition.status + "/" + condition.reason);
    }
    ExpectGitOpsToolsAgree(profile);
    return texts;
  }
  // Returns the message of a condition.
  std::string MessageOf(std::string_view type) const {
    const api::Condition* condition = api::FindCondition(profile.status.conditions, type);
    return condition ? condition->message : "";
  }

  std::string Kstatus() const { return KstatusOf(profile); }

  crds::SchedulerProfile profile;
  Observed observed;
  std::vector<ReconcileError> failures;  // errors of the apply
};

}  // namespace berth::controllers
