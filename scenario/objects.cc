// SPDX-License-Identifier: Apache-2.0
#include "scenario/objects.h"

#include <utility>

#include "api/scheduler_config.h"
#include "base/json/json.h"
#include "base/names.h"
#include "scenario/shorthand.h"

namespace berth::scenario {
namespace {

constexpr std::string_view kZoneLabel = "topology.kubernetes.io/zone";

template <class T>
Result<T> FromManifest(const json::Raw& manifest, const std::string& name) {
  auto object = json::Decode<T>(manifest.text, json::Mode::kLenient);
  if (!object) return Fail(object.error().With("manifest"));
  if (!name.empty()) object->metadata.name = name;
  return object;
}

api::Container OnlyContainer(PodFields& fields) {
  api::Container container;
  container.name = "main";
  container.image = std::move(fields.image);
  container.resources.requests = std::move(fields.requests);
  container.resources.limits = std::move(fields.limits);
  container.ports = std::move(fields.ports);
  for (api::ContainerPort& port : container.ports) {
    if (port.container_port == 0) port.container_port = port.host_port;
  }
  return container;
}

api::Pod PodOf(PodFields fields) {
  api::Pod pod;
  pod.metadata.name = std::move(fields.name);
  pod.metadata.namespace_ = std::move(fields.namespace_);
  pod.metadata.labels = std::move(fields.labels);
  pod.metadata.annotations = std::move(fields.annotations);
  api::PodSpec& spec = pod.spec;
  if (fields.containers.empty()) {
    spec.containers.push_back(OnlyContainer(fields));
  } else {
    spec.containers = std::move(fields.containers);
  }
  spec.init_containers = std::move(fields.init_containers);
  spec.overhead = std::move(fields.overhead);
  spec.resources = std::move(fields.resources);
  spec.node_selector = std::move(fields.node_selector);
  spec.affinity = std::move(fields.affinity);
  spec.tolerations = std::move(fields.tolerations);
  spec.topology_spread_constraints = std::move(fields.topology_spread_constraints);
  spec.priority = fields.priority;
  spec.preemption_policy = std::move(fields.preemption_policy);
  spec.scheduler_name = std::move(fields.scheduler_name);
  spec.node_name = std::move(fields.node_name);
  spec.scheduling_gates = std::move(fields.scheduling_gates);
  spec.scheduling_group = std::move(fields.scheduling_group);
  pod.status.nominated_node_name = std::move(fields.nominated_node_name);
  pod.status.phase = std::move(fields.phase);
  return pod;
}

}  // namespace

Result<api::Node> MakeNode(const Template& written) {
  BERTH_TRY(NodeFields fields, json::Decode<NodeFields>(written.json, json::Mode::kStrict));
  if (!fields.manifest.text.empty()) return FromManifest<api::Node>(fields.manifest, fields.name);
  api::Node node;
  node.metadata.name = std::move(fields.name);
  node.metadata.labels = std::move(fields.labels);
  node.metadata.annotations = std::move(fields.annotations);
  if (!fields.zone.empty()) node.metadata.labels[std::string(kZoneLabel)] = fields.zone;
  node.spec.taints = std::move(fields.taints);
  node.spec.unschedulable = fields.unschedulable;
  node.status.allocatable = std::move(fields.allocatable);
  node.status.allocatable.emplace("pods", Quantity::FromValue(110));
  node.status.capacity = node.status.allocatable;
  for (const auto& [name, size] : fields.images) {
    node.status.images.push_back({.names = {name}, .size_bytes = size.Value()});
  }
  return node;
}

Result<api::Pod> MakePod(const Template& written, Time now) {
  BERTH_TRY(PodFields fields, json::Decode<PodFields>(written.json, json::Mode::kStrict));
  const bool deleting = fields.deleting;
  api::Pod pod;
  if (!fields.manifest.text.empty()) {
    BERTH_TRY(pod, FromManifest<api::Pod>(fields.manifest, fields.name));
    if (pod.metadata.namespace_.empty()) pod.metadata.namespace_ = "default";
  } else {
    if (!fields.containers.empty() && fields.HasOnlyContainer()) {
      return ConfigError(
          "containers: requests, limits, image and ports describe a container of "
          "their own; write them in the list");
    }
    pod = PodOf(std::move(fields));
  }
  if (deleting) pod.metadata.deletion_timestamp = now;
  if (pod.spec.scheduler_name.empty()) pod.spec.scheduler_name = api::kDefaultSchedulerName;
  return pod;
}

void Identities::Give(std::string_view kind, api::ObjectMeta& metadata, Time now) {
  const std::string key = std::string(kind) + " " + KeyOf(metadata);
  const int64_t incarnation = ++made_[key];
  if (metadata.uid.empty()) {
    metadata.uid = HashHex(std::to_string(seed_) + " " + key + " " + std::to_string(incarnation));
  }
  if (metadata.creation_timestamp.IsZero()) metadata.creation_timestamp = now;
  metadata.resource_version = NextVersion();
  metadata.generation = 1;
}

}  // namespace berth::scenario
