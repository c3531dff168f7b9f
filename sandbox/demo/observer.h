// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/pod.h"
#include "client/client.h"
#include "crds/scheduler_profile.h"
#include "sandbox/demo/explain.h"
#include "sandbox/demo/manifests.h"
#include "sandbox/demo/narrator.h"

namespace berth::sandbox {

using PodPtr = std::shared_ptr<const api::Pod>;

// Observer reads from the API server the objects that the demo prints, and waits for their expected
// state. All errors are those of Narrator::Await and of the client, unless noted otherwise.
class Observer {
 public:
  // Requires: both outlive this.
  Observer(client::Client& client, Narrator& narrator) : client_(client), narrator_(narrator) {}

  // Waits for a namespace's `default` ServiceAccount, without which no pod is admitted.
  Result<void> AwaitAccount(std::string_view ns);
  // Waits until the operator's pod is ready and returns it.
  Result<PodPtr> AwaitOperator();
  // Waits for the condition Ready of the profile's latest generation. Errors (kConfig): the profile
  // is stalled, with the condition's message.
  Result<crds::SchedulerProfile> AwaitReady(const std::string& profile);
  // Waits for a pod in `default`. `what` names it in errors; `missing` returns the missing part of
  // the expected state, "" if there is none.
  Result<PodPtr> AwaitPod(const std::string& name, std::string_view what,
                          const std::function<std::string(const api::Pod&)>& missing);

  // Returns the number of a profile's objects by kind: "ConfigMap, 2 Roles".
  Result<std::string> Rendered(const std::string& profile);
  // Returns a ready pod of a profile's Deployment. Errors: kNotFound.
  Result<PodPtr> SchedulerOf(const std::string& profile);

  // Lists all nodes and pods.
  Result<ClusterState> StateNow();
  // Explains a pod's placement in one line; `before` is the cluster at the pod's creation.
  Result<std::string> PlacementReason(const PodPtr& pod, const ClusterState& before);

 private:
  Result<std::string> ConfigOf(const std::string& profile);

  client::Client& client_;
  Narrator& narrator_;
};

// Reports whether the scheduler has found no node for a pod.
bool IsRejected(const api::Pod& pod);
// Returns the scheduler's latest message about a pending pod; empty: none yet.
std::string WhyNotScheduled(const api::Pod& pod);

// Returns "3 ClusterRoles, Deployment": the kinds in the order of their first object.
std::string CountByKind(const std::vector<AppliedObject>& objects);

}  // namespace berth::sandbox
