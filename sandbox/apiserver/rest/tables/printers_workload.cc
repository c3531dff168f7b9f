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

}  // namespace

const Printer* WorkloadPrinter(const std::string& key) {
  static const Column kContainers = TextColumn("Containers", 1), kImages = TextColumn("Images", 1),
                      kSelector = TextColumn("Selector", 1);
  static const std::map<std::string, Printer> kPrinters = {
      {"apps/Deployment",
       {{NameColumn(), TextColumn("Ready"), TextColumn("Up-to-date"), TextColumn("Available"),
         AgeColumn(), kContainers, kImages, kSelector},
        Deployment}},
      {"apps/ReplicaSet",
       {{NameColumn(), TypedColumn("Desired", "integer"), TypedColumn("Current", "integer"),
         TypedColumn("Ready", "integer"), AgeColumn(), kContainers, kImages, kSelector},
        ReplicaSet}},
  };
  const auto found = kPrinters.find(key);
  return found == kPrinters.end() ? nullptr : &found->second;
}

}  // namespace berth::apiserver
