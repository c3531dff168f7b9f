// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/scheduler_contract.h"
#include "controllers/reconciler.h"
#include "sandbox/simulation/simulation.h"
#include "tests/controllers/cluster_on_server.h"
#include "tests/controllers/kstatus.h"
#include "tests/controllers/profiles.h"
#include "tests/support/http/stub_server.h"

namespace berth::controllers {

// RolloutTest runs a reconciler beside a Deployment controller. Every status that is written is
// judged, see ClusterOnServer::PatchStatus. The test fakes the kubelet and the scheduler.
class RolloutTest : public testing::Test {
 protected:
  RolloutTest() { simulation_.Start(); }

  void Put(const std::string& spec_yaml) {
    cluster_.PutProfile(MakeProfile("a", spec_yaml));
    const Plan plan = PlanAlone(cluster_.ProfileNow("a"));
    // A Berth scheduler reports its configuration. A kube-scheduler reports nothing and keeps the
    // old annotations.
    lease_.spec.lease_duration_seconds = 15;
    api::StringMap& annotations = lease_.metadata.annotations;
    if (plan.profile.spec.engine.IsKubeScheduler()) {
      lease_.spec.holder_identity = "kube-scheduler-1";
    } else {
      lease_.spec.holder_identity = "pod-1";
      annotations[std::string(api::kReporterAnnotation)] = "pod-1";
      annotations[std::string(api::kAppliedConfigHashAnnotation)] = plan.config_hash;
    }
    cluster_.SetLease(lease_);
  }

  std::string ReconcileOnce() {
    reconciler_.Reconcile("a");
    return KstatusOf(cluster_.ProfileNow("a"));
  }

  // Fakes the kubelet, delivers the Deployment's event and reconciles the profile.
  std::string Advance() {
    cluster_.MarkPodsReady();
    memory_.Observe({&api::Deployment::kResource, "berth-system", "berth-a"});
    return ReconcileOnce();
  }

  bool Settles() {
    return http::Eventually([this] { return Advance() == "Current"; }, kLimit);
  }

  std::string MessageOf(const std::string& type) {
    const api::Condition* condition =
        api::FindCondition(cluster_.ProfileNow("a").status.conditions, type);
    return condition ? condition->status + "/" + condition->reason + ": " + condition->message : "";
  }

  static constexpr std::chrono::seconds kLimit{30};

  api::Lease lease_;
  ClusterOnServer cluster_;
  simulation::Simulation simulation_{cluster_.client(), cluster_.clock(), {}};
  WriteMemory memory_;
  Reconciler reconciler_{cluster_,           cluster_,      memory_,
                         ShippedCatalogue(), TestOptions(), cluster_.clock()};
};

}  // namespace berth::controllers
