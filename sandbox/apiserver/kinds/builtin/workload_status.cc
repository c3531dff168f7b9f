// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/builtin/workload_rules.h"

namespace berth::apiserver {
namespace {

using Names = std::vector<const char*>;

// The counts of a kind; those that are part of the replicas.
struct Counts {
  std::string_view kind;
  Names all;
  Names parts;
  const char* available_of;  // how the ready ones are called that the available ones are part of
};

const std::vector<Counts>& Table() {
  static const std::vector<Counts> kTable = {
      {"Deployment",
       {"observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas",
        "unavailableReplicas", "terminatingReplicas", "collisionCount"},
       {"updatedReplicas", "readyReplicas", "availableReplicas"},
       "readyReplicas"},
      {"ReplicaSet",
       {"replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas",
        "terminatingReplicas", "observedGeneration"},
       {"fullyLabeledReplicas", "readyReplicas", "availableReplicas"},
       "readyReplicas"},
      {"StatefulSet",
       {"replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas",
        "observedGeneration", "collisionCount"},
       {"readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"},
       "status.readyReplicas"},
      {"DaemonSet",
       {"currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady",
        "observedGeneration", "updatedNumberScheduled", "numberAvailable", "numberUnavailable",
        "collisionCount"},
       {},
       nullptr},
  };
  return kTable;
}

void CheckPart(const Field& part, int64_t whole, const std::string& name) {
  if (part.Number() > whole)
    part.Invalid(std::to_string(part.Number()), "cannot be greater than " + name);
}

}  // namespace

void CheckWorkloadStatus(const Field& status, std::string_view kind) {
  for (const Counts& counts : Table()) {
    if (counts.kind != kind) continue;
    for (const char* name : counts.all) status[name].AtLeast(0, kNotNegative);
    for (const char* name : counts.parts)
      CheckPart(status[name], status["replicas"].Number(), "status.replicas");
    if (counts.available_of != nullptr)
      CheckPart(status["availableReplicas"], status["readyReplicas"].Number(), counts.available_of);
  }
}

}  // namespace berth::apiserver
