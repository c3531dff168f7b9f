// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/objects.h"
#include "sandbox/simulation/rolling_update.h"

namespace berth::simulation {

inline constexpr const char* kTemplateHashLabel = "pod-template-hash";
inline constexpr const char* kRevisionAnnotation = "deployment.kubernetes.io/revision";

using ReplicaSetPtr = std::shared_ptr<const ReplicaSet>;

// DeploymentPlan holds the next step of a Deployment towards its template.
struct DeploymentPlan {
  struct NewSet {
    std::string name;
    std::string json;  // the complete ReplicaSet
  };
  std::optional<NewSet> create;
  Scales scale;                       // of existing ReplicaSets; also updates their SizeNotes
  std::optional<int64_t> revision;    // for the current ReplicaSet, if it has another one
  std::string newest;                 // name of that ReplicaSet; empty: not created yet
  std::vector<ReplicaSetPtr> remove;  // old ones beyond revisionHistoryLimit
  std::string revision_text;          // for the Deployment's annotation
  api::DeploymentStatus status;
  RequeueAfter requeue_after;  // the progress deadline
};

// DeploymentView is the input of a plan.
struct DeploymentView {
  const Deployment& deployment;
  std::vector<ReplicaSetPtr> sets;  // controlled by it, in any order
  bool old_pods_exist = false;      // for Recreate: a pod of another template has not ended
  Time now;
};

// Plans the next step. The current ReplicaSet is the oldest one with the Deployment's template, so
// that a rollback reuses the old ReplicaSet. A rollout waits while its ReplicaSets follow a change
// of spec.replicas, and while it is paused. Source: upstream's deployment controller.
DeploymentPlan PlanDeployment(const DeploymentView& view);

// Returns the hash in a ReplicaSet's name; `collisions` changes it if the name is taken.
std::string TemplateHash(const json::Raw& pod_template, int32_t collisions);

// Compares templates, ignoring the hash label.
bool SameTemplate(const json::Raw& a, const json::Raw& b);

}  // namespace berth::simulation
