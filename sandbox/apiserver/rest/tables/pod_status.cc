// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/tables/pod_status.h"

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/rest/tables/printer.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Returns the reason in a pod's status why a container waits or ended; "" while it runs.
std::string FailureOf(const json& status) {
  if (std::string reason = TextAt(status, "state/waiting/reason"); !reason.empty()) return reason;
  const json* ended = At(status, "state/terminated");
  if (ended == nullptr) return {};
  if (std::string reason = TextAt(*ended, "reason"); !reason.empty()) return reason;
  const int64_t signal = IntAt(*ended, "signal");
  return signal != 0 ? "Signal:" + std::to_string(signal)
                     : "ExitCode:" + std::to_string(IntAt(*ended, "exitCode"));
}

// Returns the status while init containers run; "" when all have finished.
std::string InitFailure(const json& pod) {
  const json* statuses = At(pod, "status/initContainerStatuses");
  const json* containers = At(pod, "spec/initContainers");
  if (statuses == nullptr || containers == nullptr) return {};
  for (size_t i = 0; i < statuses->size(); ++i) {
    const json& status = (*statuses)[i];
    const json* ended = At(status, "state/terminated");
    if (ended != nullptr && IntAt(*ended, "exitCode") == 0) continue;
    const std::string failure = FailureOf(status);
    if (!failure.empty() && failure != "PodInitializing") return "Init:" + failure;
    return "Init:" + std::to_string(i) + "/" + std::to_string(containers->size());
  }
  return {};
}

bool HasReadyCondition(const json& pod) {
  const json* conditions = At(pod, "status/conditions");
  if (conditions == nullptr) return false;
  for (const json& condition : *conditions) {
    if (condition.value("type", "") == "Ready") return condition.value("status", "") == "True";
  }
  return false;
}

std::string GatesText(const json& pod) {
  const json* gates = At(pod, "spec/readinessGates");
  if (gates == nullptr || gates->empty()) return "<none>";
  size_t met = 0;
  const json* conditions = At(pod, "status/conditions");
  for (const json& gate : *gates) {
    for (const json& condition : conditions == nullptr ? json::array() : *conditions) {
      if (condition.value("type", "") == gate.value("conditionType", "") &&
          condition.value("status", "") == "True")
        ++met;
    }
  }
  return std::to_string(met) + "/" + std::to_string(gates->size());
}

}  // namespace

PodSummary SummarizePod(const json& pod, Time now) {
  PodSummary summary;
  summary.status = TextAt(pod, "status/phase");
  if (const std::string reason = TextAt(pod, "status/reason"); !reason.empty())
    summary.status = reason;
  if (const json* conditions = At(pod, "status/conditions")) {
    for (const json& condition : *conditions) {
      if (condition.value("type", "") == "PodScheduled" &&
          condition.value("reason", "") == "SchedulingGated") {
        summary.status = "SchedulingGated";
      }
    }
  }
  size_t ready = 0;
  int64_t restarts = 0;
  Time last_restart;
  bool running = false;
  const std::string init = InitFailure(pod);
  if (!init.empty()) summary.status = init;
  const json* statuses = At(pod, "status/containerStatuses");
  for (size_t i = statuses == nullptr ? 0 : statuses->size(); i-- > 0;) {
    const json& status = (*statuses)[i];
    restarts += IntAt(status, "restartCount");
    if (const auto ended = Time::Parse(TextAt(status, "lastState/terminated/finishedAt"));
        ended && *ended > last_restart) {
      last_restart = *ended;
    }
    const std::string failure = FailureOf(status);
    if (!failure.empty() && init.empty()) summary.status = failure;
    if (!status.value("ready", false) || At(status, "state/running") == nullptr) continue;
    running = true;
    ++ready;
  }
  // A pod with one finished and one running container is still running.
  if (summary.status == "Completed" && running)
    summary.status = HasReadyCondition(pod) ? "Running" : "NotReady";
  if (At(pod, "metadata/deletionTimestamp") != nullptr) {
    const std::string phase = TextAt(pod, "status/phase");
    if (TextAt(pod, "status/reason") == "NodeLost")
      summary.status = "Unknown";
    else if (phase != "Failed" && phase != "Succeeded")
      summary.status = "Terminating";
  }
  const json* containers = At(pod, "spec/containers");
  summary.ready =
      std::to_string(ready) + "/" + std::to_string(containers == nullptr ? 0 : containers->size());
  summary.restarts = std::to_string(restarts);
  if (restarts > 0 && !last_restart.IsZero())
    summary.restarts += " (" + HumanDuration(now - last_restart) + " ago)";
  summary.readiness_gates = GatesText(pod);
  return summary;
}

}  // namespace berth::apiserver
