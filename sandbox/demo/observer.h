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

// Observer reads from the API server what the demo tells, and waits for what it wants to see. All
// errors are those of Narrator::Await and of the client, unless said otherwise.
class Observer {
 public:
  // Requires: both outlive this.
  Observer(client::Client& client, Narrator& narrator) : client_(client), narrator_(narrator) {}

  // AwaitAccount waits for a namespace's `default` ServiceAccount, without which no pod is
  // admitted.
  Result<void> AwaitAccount(std::string_view ns);
  // AwaitOperator gives the operator's pod as soon as it is ready.
  Result<PodPtr> AwaitOperator();
  // AwaitReady waits for the condition Ready of the profile's latest generation. Errors (kConfig):
  // the profile is stalled, with what it says about that.
  Result<crds::SchedulerProfile> AwaitReady(const std::string& profile);
  // AwaitPod waits until `missing` says nothing of a pod in `default`.
  Result<PodPtr> AwaitPod(const std::string& name, std::string_view what,
                          const std::function<std::string(const api::Pod&)>& missing);

  // Rendered counts the objects of a profile by kind: "ConfigMap, 2 Roles".
  Result<std::string> Rendered(const std::string& profile);
  // SchedulerOf is a ready pod of a profile's Deployment. Errors (kNotFound): there is none.
  Result<PodPtr> SchedulerOf(const std::string& profile);

  Result<ClusterState> StateNow();
  // WhyThere says in one line why a pod is where it is; `before` is the cluster as it was when the
  // pod came.
  Result<std::string> WhyThere(const PodPtr& pod, const ClusterState& before);

 private:
  Result<std::string> ConfigOf(const std::string& profile);

  client::Client& client_;
  Narrator& narrator_;
};

// IsRejected says whether the scheduler has found no node for a pod.
bool IsRejected(const api::Pod& pod);
// WhyNotScheduled is what the scheduler said last of a pod that waits; empty: nothing yet.
std::string WhyNotScheduled(const api::Pod& pod);

// CountByKind is "3 ClusterRoles, Deployment": the kinds in their order.
std::string CountByKind(const std::vector<AppliedObject>& objects);

}  // namespace berth::sandbox
