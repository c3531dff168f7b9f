// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "base/json/type.h"

// The shorthand for nodes and pods; tests/scenarios/README.md explains it. template.cc validates
// it, objects.cc makes objects from it.
namespace berth::scenario {

struct NodeFields {
  std::string name;
  std::optional<int32_t> count;
  api::StringMap labels;
  api::StringMap annotations;
  std::string zone;
  api::ResourceList allocatable;
  std::vector<api::Taint> taints;
  bool unschedulable = false;
  std::map<std::string, Quantity> images;  // size by name
  json::Raw manifest;

  static auto Fields() {
    return json::Object(
        json::Field("name", &NodeFields::name), json::Field("count", &NodeFields::count),
        json::Field("labels", &NodeFields::labels),
        json::Field("annotations", &NodeFields::annotations),
        json::Field("zone", &NodeFields::zone),
        json::Field("allocatable", &NodeFields::allocatable),
        json::Field("taints", &NodeFields::taints),
        json::Field("unschedulable", &NodeFields::unschedulable),
        json::Field("images", &NodeFields::images), json::Field("manifest", &NodeFields::manifest));
  }
};

struct PodFields {
  std::string name;
  std::string namespace_ = "default";
  std::optional<int32_t> count;
  api::StringMap labels;
  api::StringMap annotations;
  // Fields of the only container:
  api::ResourceList requests;
  api::ResourceList limits;
  std::string image;
  std::vector<api::ContainerPort> ports;
  // Fields of the spec and the status, with Kubernetes' names:
  std::vector<api::Container> containers;
  std::vector<api::Container> init_containers;
  Rare<api::ResourceList> overhead;
  Rare<api::ResourceRequirements> resources;
  Rare<api::StringMap> node_selector;
  Rare<api::Affinity> affinity;
  std::vector<api::Toleration> tolerations;
  std::vector<api::TopologySpreadConstraint> topology_spread_constraints;
  std::optional<int32_t> priority;
  std::optional<std::string> preemption_policy;
  std::string scheduler_name;
  std::string node_name;
  std::vector<api::PodSchedulingGate> scheduling_gates;
  Rare<api::PodSchedulingGroup> scheduling_group;
  std::string nominated_node_name;
  std::string phase;
  bool deleting = false;
  json::Raw manifest;

  static auto Fields() {
    return json::Object(
        json::Field("name", &PodFields::name), json::Field("namespace", &PodFields::namespace_),
        json::Field("count", &PodFields::count), json::Field("labels", &PodFields::labels),
        json::Field("annotations", &PodFields::annotations),
        json::Field("requests", &PodFields::requests), json::Field("limits", &PodFields::limits),
        json::Field("image", &PodFields::image), json::Field("ports", &PodFields::ports),
        json::Field("containers", &PodFields::containers),
        json::Field("initContainers", &PodFields::init_containers),
        json::Field("overhead", &PodFields::overhead),
        json::Field("resources", &PodFields::resources),
        json::Field("nodeSelector", &PodFields::node_selector),
        json::Field("affinity", &PodFields::affinity),
        json::Field("tolerations", &PodFields::tolerations),
        json::Field("topologySpreadConstraints", &PodFields::topology_spread_constraints),
        json::Field("priority", &PodFields::priority),
        json::Field("preemptionPolicy", &PodFields::preemption_policy),
        json::Field("schedulerName", &PodFields::scheduler_name),
        json::Field("nodeName", &PodFields::node_name),
        json::Field("schedulingGates", &PodFields::scheduling_gates),
        json::Field("schedulingGroup", &PodFields::scheduling_group),
        json::Field("nominatedNodeName", &PodFields::nominated_node_name),
        json::Field("phase", &PodFields::phase), json::Field("deleting", &PodFields::deleting),
        json::Field("manifest", &PodFields::manifest));
  }

  bool HasOnlyContainer() const {
    return !requests.empty() || !limits.empty() || !image.empty() || !ports.empty();
  }
};

}  // namespace berth::scenario
