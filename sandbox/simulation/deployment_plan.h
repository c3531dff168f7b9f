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

// DeploymentPlan says what brings a Deployment one step nearer to its template.
struct DeploymentPlan {
  struct NewSet {
    std::string name;
    std::string json;  // the whole ReplicaSet
  };
  std::optional<NewSet> create;
  Scales scale;                       // of existing ReplicaSets, which note it (SizeNotes)
  std::optional<int64_t> revision;    // of the ReplicaSet in use, where it has another
  std::string newest;                 // name of that ReplicaSet; empty: it is still to be created
  std::vector<ReplicaSetPtr> remove;  // old ones beyond revisionHistoryLimit
  std::string revision_text;          // what the Deployment's own annotation should say
  api::DeploymentStatus status;
  LookAgain requeue_after;  // the progress deadline
};

// DeploymentView is what a plan may know.
struct DeploymentView {
  const Deployment& deployment;
  std::vector<ReplicaSetPtr> sets;  // controlled by it, in any order
  bool old_pods_exist = false;      // for Recreate: some pod of another template has not ended
  Time now;
};

// PlanDeployment states the next step. The ReplicaSet in use is the oldest whose template equals
// the Deployment's, so that going back to an old template takes its ReplicaSet again. A rollout
// waits while its ReplicaSets follow a change of spec.replicas, and while it is paused. Source:
// upstream's deployment controller.
DeploymentPlan PlanDeployment(const DeploymentView& view);

// TemplateHash names a template; `collisions` gives another name where one is taken.
std::string TemplateHash(const json::Raw& pod_template, int32_t collisions);

// SameTemplate compares templates but for the hash label.
bool SameTemplate(const json::Raw& a, const json::Raw& b);

}  // namespace berth::simulation
