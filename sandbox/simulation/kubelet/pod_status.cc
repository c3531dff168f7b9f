// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/pod_status.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/json/document.h"

namespace berth::simulation {
namespace {

using Json = nlohmann::json;
using State = ContainerView::State;

Json Condition(const char* type, bool holds, Time since) {
  return {{"type", type},
          {"status", holds ? "True" : "False"},
          {"lastTransitionTime", since.ToString()}};
}

Json NotReady(const char* type, const PodView& view, const std::string& phase) {
  Json condition = Condition(type, false, view.ready_changed);
  if (phase == "Succeeded") {
    condition["reason"] = "PodCompleted";
    return condition;
  }
  std::string unready;
  for (const ContainerView& container : view.containers) {
    if (!container.ready) unready += (unready.empty() ? "" : " ") + container.name;
  }
  condition["reason"] = "ContainersNotReady";
  condition["message"] = "containers with unready status: [" + unready + "]";
  return condition;
}

Json ConditionsOf(const PodView& view, const std::string& phase) {
  const bool has_sandbox = !view.pod_ip.empty();
  Json conditions = Json::array(
      {Condition("PodReadyToStartContainers",
                 has_sandbox && phase != "Succeeded" && phase != "Failed", view.start_time),
       Condition("Initialized", true, view.start_time)});
  for (const char* type : {"Ready", "ContainersReady"}) {
    conditions.push_back(view.IsReady() ? Condition(type, true, view.ready_changed)
                                        : NotReady(type, view, phase));
  }
  return conditions;
}

Json StateOf(const ContainerView& container, const std::string& id) {
  switch (container.state) {
    case State::kWaiting: {
      Json waiting = {{"reason", container.reason}};
      if (!container.message.empty()) waiting["message"] = container.message;
      return {{"waiting", waiting}};
    }
    case State::kRunning:
      return {{"running", {{"startedAt", container.started_at.ToString()}}}};
    case State::kTerminated:
      break;
  }
  return {{"terminated",
           {{"exitCode", container.exit_code},
            {"reason", container.reason},
            {"startedAt", container.started_at.ToString()},
            {"finishedAt", container.finished_at.ToString()},
            {"containerID", id}}}};
}

Json ContainerStatusOf(const api::Pod& pod, const ContainerView& container) {
  const bool has_run = container.state != State::kWaiting || container.restarts > 0;
  const std::string id = has_run ? "simulated://" + pod.metadata.uid + "/" + container.name + "/" +
                                       std::to_string(container.restarts)
                                 : "";
  return {{"name", container.name},
          {"image", container.image},
          {"imageID", has_run ? "simulated://" + container.image : ""},
          {"containerID", id},
          {"ready", container.ready},
          {"started", container.state == State::kRunning},
          {"restartCount", container.restarts},
          {"state", StateOf(container, id)}};
}

// With the uid the API server rejects a report for another pod of the same name.
std::string Patch(const api::Pod& pod, Json status) {
  status["observedGeneration"] = pod.metadata.generation;
  return berth::json::DocumentText(
      Json({{"metadata", {{"uid", pod.metadata.uid}}}, {"status", std::move(status)}}));
}

}  // namespace

bool PodView::IsReady() const {
  return !containers.empty() && std::all_of(containers.begin(), containers.end(),
                                            [](const ContainerView& c) { return c.ready; });
}

std::string PhaseOf(const PodView& view, const std::string& restart_policy) {
  bool all_ended = !view.containers.empty();
  bool any_failed = false;
  bool any_started = false;
  for (const ContainerView& container : view.containers) {
    all_ended = all_ended && container.state == State::kTerminated;
    any_failed = any_failed || container.exit_code != 0;
    any_started = any_started || container.state != State::kWaiting || container.restarts > 0;
  }
  if (!any_started) return "Pending";
  const bool stays_down =
      restart_policy == "Never" || (restart_policy == "OnFailure" && !any_failed);
  if (all_ended && stays_down) return any_failed ? "Failed" : "Succeeded";
  return "Running";
}

std::string PodStatusPatch(const api::Pod& pod, const PodView& view) {
  const std::string phase = PhaseOf(view, pod.spec.restart_policy);
  Json status = {{"phase", phase},
                 {"startTime", view.start_time.ToString()},
                 {"conditions", ConditionsOf(view, phase)},
                 {"containerStatuses", Json::array()}};
  for (const ContainerView& container : view.containers) {
    status["containerStatuses"].push_back(ContainerStatusOf(pod, container));
  }
  if (!view.host_ip.empty()) {
    status["hostIP"] = view.host_ip;
    status["hostIPs"] = Json::array({{{"ip", view.host_ip}}});
  }
  if (!view.pod_ip.empty()) {
    status["podIP"] = view.pod_ip;
    status["podIPs"] = Json::array({{{"ip", view.pod_ip}}});
  }
  return Patch(pod, std::move(status));
}

std::string RejectionPatch(const api::Pod& pod, const Rejection& rejection, Time now) {
  return Patch(pod, {{"phase", "Failed"},
                     {"reason", rejection.reason},
                     {"message", rejection.message},
                     {"startTime", now.ToString()}});
}

}  // namespace berth::simulation
