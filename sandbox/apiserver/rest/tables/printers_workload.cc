// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/rest/tables/printer.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;
const json* Containers(const json& object) { return At(object, "spec/template/spec/containers"); }

Cells Deployment(const json& object, Time now) {
  return {NameCell(object),
          std::to_string(IntAt(object, "status/readyReplicas")) + "/" +
              std::to_string(IntAt(object, "spec/replicas")),
          IntAt(object, "status/updatedReplicas"),
          IntAt(object, "status/availableReplicas"),
          AgeCell(object, now),
          ContainerNames(Containers(object)),
          ContainerImages(Containers(object)),
          SelectorText(At(object, "spec/selector"))};
}

Cells ReplicaSet(const json& object, Time now) {
  return {NameCell(object),
          IntAt(object, "spec/replicas"),
          IntAt(object, "status/replicas"),
          IntAt(object, "status/readyReplicas"),
          AgeCell(object, now),
          ContainerNames(Containers(object)),
          ContainerImages(Containers(object)),
          SelectorText(At(object, "spec/selector"))};
}

Cells ReplicationController(const json& object, Time now) {
  Cells cells = ReplicaSet(object, now);
  cells.back() = MapText(At(object, "spec/selector"));
  return cells;
}

Cells StatefulSet(const json& object, Time now) {
  return {NameCell(object),
          std::to_string(IntAt(object, "status/readyReplicas")) + "/" +
              std::to_string(IntAt(object, "spec/replicas")),
          AgeCell(object, now), ContainerNames(Containers(object)),
          ContainerImages(Containers(object))};
}

Cells DaemonSet(const json& object, Time now) {
  return {NameCell(object),
          IntAt(object, "status/desiredNumberScheduled"),
          IntAt(object, "status/currentNumberScheduled"),
          IntAt(object, "status/numberReady"),
          IntAt(object, "status/updatedNumberScheduled"),
          IntAt(object, "status/numberAvailable"),
          MapText(At(object, "spec/template/spec/nodeSelector")),
          AgeCell(object, now),
          ContainerNames(Containers(object)),
          ContainerImages(Containers(object)),
          SelectorText(At(object, "spec/selector"))};
}

std::string JobState(const json& job) {
  if (const json* conditions = At(job, "status/conditions")) {
    for (const char* type :
         {"Complete", "Failed", "Suspended", "FailureTarget", "SuccessCriteriaMet"}) {
      for (const json& condition : *conditions) {
        if (condition.value("type", "") == type && condition.value("status", "") == "True")
          return type;
      }
    }
  }
  return At(job, "metadata/deletionTimestamp") ? "Terminating" : "Running";
}

Cells Job(const json& job, Time now) {
  const std::string started = TextAt(job, "status/startTime");
  const auto start = Time::Parse(started);
  const auto end = Time::Parse(TextAt(job, "status/completionTime"));
  return {
      NameCell(job),
      JobState(job),
      std::to_string(IntAt(job, "status/succeeded")) + "/" +
          std::to_string(IntAt(job, "spec/completions", 1)),
      started.empty() || !start ? "" : HumanDuration((end && !end->IsZero() ? *end : now) - *start),
      AgeCell(job, now),
      ContainerNames(Containers(job)),
      ContainerImages(Containers(job)),
      SelectorText(At(job, "spec/selector"))};
}

Cells ControllerRevision(const json& object, Time now) {
  std::string owner = "<none>";
  if (const json* owners = At(object, "metadata/ownerReferences");
      owners != nullptr && !owners->empty()) {
    owner = (*owners)[0].value("kind", "") + "/" + (*owners)[0].value("name", "");
  }
  return {NameCell(object), owner, std::to_string(IntAt(object, "revision")), AgeCell(object, now)};
}

const Column kName = {"Name", "string", "name"};
const Column kAge = {"Age"};
Column Text(const char* name, int priority = 0) { return {name, "string", "", "", priority}; }
Column Number(const char* name) { return {name, "integer", "", "", 0}; }

}  // namespace

const Printer* WorkloadPrinter(const std::string& key) {
  static const Column kContainers = Text("Containers", 1), kImages = Text("Images", 1),
                      kSelector = Text("Selector", 1);
  static const std::map<std::string, Printer> kPrinters = {
      {"apps/Deployment",
       {{kName, Text("Ready"), Text("Up-to-date"), Text("Available"), kAge, kContainers, kImages,
         kSelector},
        Deployment}},
      {"apps/ReplicaSet",
       {{kName, Number("Desired"), Number("Current"), Number("Ready"), kAge, kContainers, kImages,
         kSelector},
        ReplicaSet}},
      {"/ReplicationController",
       {{kName, Number("Desired"), Number("Current"), Number("Ready"), kAge, kContainers, kImages,
         kSelector},
        ReplicationController}},
      {"apps/StatefulSet", {{kName, Text("Ready"), kAge, kContainers, kImages}, StatefulSet}},
      {"apps/DaemonSet",
       {{kName, Number("Desired"), Number("Current"), Number("Ready"), Number("Up-to-date"),
         Number("Available"), Text("Node Selector"), kAge, kContainers, kImages, kSelector},
        DaemonSet}},
      {"batch/Job",
       {{kName, Text("Status"), Text("Completions"), Text("Duration"), kAge, kContainers, kImages,
         kSelector},
        Job}},
      {"apps/ControllerRevision",
       {{kName, Text("Controller"), Text("Revision"), kAge}, ControllerRevision}},
  };
  const auto found = kPrinters.find(key);
  return found == kPrinters.end() ? nullptr : &found->second;
}

}  // namespace berth::apiserver
