// SPDX-License-Identifier: Apache-2.0
#include "sandbox/demo/observer.h"

#include <map>
#include <set>
#include <vector>

#include "api/conditions.h"
#include "api/core.h"
#include "api/scheduler_contract.h"
#include "base/strings.h"
#include "crds/names.h"
#include "sandbox/simulation/discovery.h"

namespace berth::sandbox {
namespace {

using api::FindCondition;
using api::IsTrue;

constexpr std::chrono::seconds kShortWait(30);
constexpr std::chrono::seconds kLongWait(90);

client::ListOptions OfProfile(const std::string& profile) {
  client::ListOptions list;
  list.label_selector = std::string(crds::kProfileLabel) + "=" + profile;
  return list;
}

// Returns the reason why a pod is not ready; empty: it is ready.
std::string Unready(const api::Pod& pod) {
  const api::PodCondition* ready = FindCondition(pod.status.conditions, "Ready");
  if (ready != nullptr && ready->status == "True") return "";
  return ready != nullptr && !ready->message.empty() ? ready->message : "phase " + pod.status.phase;
}

}  // namespace

bool IsRejected(const api::Pod& pod) {
  const auto* scheduled = FindCondition(pod.status.conditions, "PodScheduled");
  return scheduled != nullptr && scheduled->reason == "Unschedulable";
}

std::string WhyNotScheduled(const api::Pod& pod) {
  const auto* scheduled = FindCondition(pod.status.conditions, "PodScheduled");
  return scheduled == nullptr ? "" : scheduled->message;
}

std::string CountByKind(const std::vector<AppliedObject>& objects) {
  std::vector<std::string> order;
  std::map<std::string, int> counts;
  for (const AppliedObject& object : objects) {
    if (++counts[object.kind] == 1) order.push_back(object.kind);
  }
  for (std::string& kind : order) {
    const int count = counts[kind];
    if (count == 1) continue;
    const std::string plural =
        kind.ends_with("y") ? kind.substr(0, kind.size() - 1) + "ies" : kind + "s";
    kind = std::to_string(count) + " " + plural;
  }
  return Join(order, ", ");
}

Result<void> Observer::AwaitAccount(std::string_view ns) {
  return narrator_.Await("ServiceAccount " + std::string(ns) + "/default", kShortWait,
                         [&]() -> Result<std::string> {
                           const auto account = client_.Get<api::ServiceAccount>(ns, "default");
                           return account ? "" : account.error().message();
                         });
}

Result<PodPtr> Observer::AwaitOperator() {
  PodPtr pod;
  BERTH_TRY_VOID(narrator_.Await("the operator's pod", kLongWait, [&]() -> Result<std::string> {
    client::ListOptions list;
    list.label_selector = "app.kubernetes.io/component=operator";
    BERTH_TRY(const auto pods, client_.List<api::Pod>(crds::kDefaultNamespace, list));
    if (pods.items.empty()) return "the Deployment has no pod yet";
    pod = pods.items.front();
    return Unready(*pod);
  }));
  return pod;
}

Result<crds::SchedulerProfile> Observer::AwaitReady(const std::string& profile) {
  crds::SchedulerProfile seen;
  const auto check = [&]() -> Result<std::string> {
    BERTH_TRY(seen, client_.Get<crds::SchedulerProfile>("", profile));
    const auto& conditions = seen.status.conditions;
    if (IsTrue(conditions, "Stalled")) {
      return ConfigError("SchedulerProfile " + profile + ": " +
                         FindCondition(conditions, "Stalled")->message);
    }
    const api::Condition* ready = FindCondition(conditions, "Ready");
    if (ready == nullptr) return "not reconciled yet";
    const bool is_current = ready->observed_generation == seen.metadata.generation;
    return is_current && ready->status == "True" ? "" : ready->reason + ": " + ready->message;
  };
  BERTH_TRY_VOID(narrator_.Await("SchedulerProfile " + profile, kLongWait, check));
  return seen;
}

Result<PodPtr> Observer::AwaitPod(const std::string& name, std::string_view what,
                                  const std::function<std::string(const api::Pod&)>& missing) {
  PodPtr pod;
  BERTH_TRY_VOID(narrator_.Await(what, kShortWait, [&]() -> Result<std::string> {
    BERTH_TRY(api::Pod seen, client_.Get<api::Pod>("default", name));
    pod = std::make_shared<const api::Pod>(std::move(seen));
    return missing(*pod);
  }));
  return pod;
}

Result<std::string> Observer::Rendered(const std::string& profile) {
  BERTH_TRY(const auto served, simulation::DiscoverResources(client_));
  static const std::set<std::string_view> kRendered = {
      "ConfigMap",   "ServiceAccount", "Service",     "Deployment",          "Role",
      "RoleBinding", "NetworkPolicy",  "ClusterRole", "PodDisruptionBudget", "ClusterRoleBinding"};
  std::vector<AppliedObject> objects;
  for (const auto& resource : served) {
    if (!kRendered.contains(resource->info().kind)) continue;
    BERTH_TRY(const client::RawList found,
              client_.ListRaw(resource->info(), "", OfProfile(profile)));
    objects.insert(objects.end(), found.items.size(),
                   {.kind = std::string(resource->info().kind), .ns = "", .name = ""});
  }
  return CountByKind(objects);
}

Result<PodPtr> Observer::SchedulerOf(const std::string& profile) {
  BERTH_TRY(const auto pods, client_.List<api::Pod>("", OfProfile(profile)));
  for (const PodPtr& pod : pods.items) {
    if (IsTrue(pod->status.conditions, "Ready")) return pod;
  }
  return Fail(Reason::kNotFound, "SchedulerProfile " + profile + " has no ready scheduler");
}

Result<ClusterState> Observer::StateNow() {
  BERTH_TRY(const auto nodes, client_.List<api::Node>());
  BERTH_TRY(const auto pods, client_.List<api::Pod>());
  return ClusterState{.nodes = nodes.items, .pods = pods.items};
}

Result<std::string> Observer::PlacementReason(const PodPtr& pod, const ClusterState& before) {
  BERTH_TRY(const std::string config, ConfigOf(pod->spec.scheduler_name));
  BERTH_TRY(const std::string reason, ExplainPlacement(config, pod, pod->spec.node_name, before));
  return reason.empty() ? "bound by the scheduler" : reason;
}

Result<std::string> Observer::ConfigOf(const std::string& profile) {
  const std::string name = std::string(crds::kObjectPrefix) + profile;
  BERTH_TRY(const auto rendered, client_.Get<api::ConfigMap>(crds::kDefaultNamespace, name));
  const auto found = rendered.data.find(std::string(api::kConfigKey));
  if (found != rendered.data.end()) return found->second;
  return Fail(Reason::kNotFound, "ConfigMap " + name + " has no " + std::string(api::kConfigKey));
}

}  // namespace berth::sandbox
