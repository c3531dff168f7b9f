// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/testing/builders.h"

#include "base/check.h"
#include "base/strings.h"

namespace berth::scheduler::testing {
namespace {

template <class T>
T Named(std::string name) {
  T object;
  object.metadata.uid = "uid-" + name;
  object.metadata.name = std::move(name);
  return object;
}

template <class T>
T NamedInDefault(std::string name) {
  T object = Named<T>(std::move(name));
  object.metadata.namespace_ = "default";
  return object;
}

}  // namespace

api::ResourceList ResourcesOf(std::string_view text) {
  api::ResourceList list;
  if (text.empty()) return list;
  for (const std::string_view entry : Split(text, ',')) {
    const auto parts = Split(entry, '=');
    BERTH_CHECK(parts.size() == 2, "resources must be written as name=amount");
    const auto amount = Quantity::Parse(parts[1]);
    BERTH_CHECK(amount.has_value(), amount.error().message());
    list[std::string(TrimSpace(parts[0]))] = *amount;
  }
  return list;
}

std::string MostScalars() {
  std::string text;
  for (size_t i = 0; i < kMostScalars; ++i) {
    text += (i == 0 ? "example.com/r" : ",example.com/r") + std::to_string(i) + "=1";
  }
  return text;
}

api::NodeSelectorRequirement Where(std::string key, std::string op,
                                   std::vector<std::string> values) {
  return {std::move(key), std::move(op), std::move(values)};
}

api::NodeSelectorTerm Labels(std::vector<api::NodeSelectorRequirement> expressions) {
  return {.match_expressions = std::move(expressions)};
}

api::NodeSelectorTerm NodeNames(std::vector<api::NodeSelectorRequirement> fields) {
  return {.match_fields = std::move(fields)};
}

api::PodAffinityTerm PodsWith(std::string key, std::string value, std::string topology_key) {
  api::PodAffinityTerm term;
  term.label_selector.Edit().match_labels[std::move(key)] = std::move(value);
  term.topology_key = std::move(topology_key);
  return term;
}

api::TopologySpreadConstraint SpreadBy(std::string topology_key, int32_t max_skew,
                                       std::string when_unsatisfiable, std::string key,
                                       std::string value) {
  api::TopologySpreadConstraint constraint;
  constraint.topology_key = std::move(topology_key);
  constraint.max_skew = max_skew;
  constraint.when_unsatisfiable = std::move(when_unsatisfiable);
  constraint.label_selector.Edit().match_labels[std::move(key)] = std::move(value);
  return constraint;
}

PodBuilder::PodBuilder(std::string name) {
  pod_.metadata.uid = "uid-" + name;
  pod_.metadata.name = std::move(name);
  pod_.metadata.namespace_ = "default";
}

PodBuilder& PodBuilder::Namespace(std::string name) {
  pod_.metadata.namespace_ = std::move(name);
  return *this;
}

PodBuilder& PodBuilder::Uid(std::string uid) {
  pod_.metadata.uid = std::move(uid);
  return *this;
}

PodBuilder& PodBuilder::Scheduler(std::string name) {
  pod_.spec.scheduler_name = std::move(name);
  return *this;
}

PodBuilder& PodBuilder::Priority(int32_t priority) {
  pod_.spec.priority = priority;
  return *this;
}

PodBuilder& PodBuilder::Label(std::string key, std::string value) {
  pod_.metadata.labels[std::move(key)] = std::move(value);
  return *this;
}

PodBuilder& PodBuilder::OnNode(std::string node) {
  pod_.spec.node_name = std::move(node);
  return *this;
}

PodBuilder& PodBuilder::Nominated(std::string node) {
  pod_.status.nominated_node_name = std::move(node);
  return *this;
}

PodBuilder& PodBuilder::Terminating() {
  pod_.metadata.deletion_timestamp = *Time::Parse("2026-01-01T00:00:00Z");
  return *this;
}

api::Container& PodBuilder::AddContainer(std::vector<api::Container>& list,
                                         std::string_view resources) {
  api::Container& container = list.emplace_back();
  container.name =
      "c" + std::to_string(pod_.spec.containers.size() + pod_.spec.init_containers.size());
  container.resources.requests = ResourcesOf(resources);
  return container;
}

PodBuilder& PodBuilder::ControlledBy(std::string api_version, std::string kind, std::string name) {
  pod_.metadata.owner_references.push_back({.api_version = std::move(api_version),
                                            .kind = std::move(kind),
                                            .name = std::move(name),
                                            .uid = {},
                                            .controller = true,
                                            .block_owner_deletion = {}});
  return *this;
}

PodBuilder& PodBuilder::Requests(std::string_view resources) {
  AddContainer(pod_.spec.containers, resources);
  return *this;
}

PodBuilder& PodBuilder::InitContainer(std::string_view resources) {
  AddContainer(pod_.spec.init_containers, resources);
  return *this;
}

PodBuilder& PodBuilder::Sidecar(std::string_view resources) {
  AddContainer(pod_.spec.init_containers, resources).restart_policy = "Always";
  return *this;
}

PodBuilder& PodBuilder::PodLevel(std::string_view resources) {
  pod_.spec.resources.Edit().requests = ResourcesOf(resources);
  return *this;
}

PodBuilder& PodBuilder::Overhead(std::string_view resources) {
  pod_.spec.overhead = ResourcesOf(resources);
  return *this;
}

PodBuilder& PodBuilder::InPlace(std::string_view actual, std::string_view allocated) {
  api::ContainerStatus& status = pod_.status.container_statuses.emplace_back();
  status.name = pod_.spec.containers.back().name;
  status.resources.Edit().requests = ResourcesOf(actual);
  status.allocated_resources = ResourcesOf(allocated);
  return *this;
}

PodBuilder& PodBuilder::ResizeInfeasible() {
  pod_.status.conditions.push_back(
      {.type = "PodResizePending", .status = "True", .reason = "Infeasible"});
  return *this;
}

PodBuilder& PodBuilder::HostPort(int32_t port, std::string protocol, std::string ip) {
  if (pod_.spec.containers.empty()) Requests("");
  pod_.spec.containers.back().ports.push_back({.container_port = port,
                                               .host_port = port,
                                               .host_ip = std::move(ip),
                                               .protocol = std::move(protocol)});
  return *this;
}

PodBuilder& PodBuilder::SidecarHostPort(int32_t port) {
  Sidecar("");
  pod_.spec.init_containers.back().ports.push_back({.container_port = port, .host_port = port});
  return *this;
}

PodBuilder& PodBuilder::InitHostPort(int32_t port) {
  InitContainer("");
  pod_.spec.init_containers.back().ports.push_back({.container_port = port, .host_port = port});
  return *this;
}

PodBuilder& PodBuilder::Toleration(std::string key, std::string value, std::string effect) {
  return Toleration({.key = std::move(key),
                     .op = value.empty() ? "Exists" : "Equal",
                     .value = std::move(value),
                     .effect = std::move(effect)});
}

PodBuilder& PodBuilder::Toleration(api::Toleration toleration) {
  pod_.spec.tolerations.push_back(std::move(toleration));
  return *this;
}

PodBuilder& PodBuilder::NodeSelector(std::string key, std::string value) {
  pod_.spec.node_selector.Edit()[std::move(key)] = std::move(value);
  return *this;
}

api::NodeAffinity& PodBuilder::NodeAffinity() {
  return pod_.spec.affinity.Edit().node_affinity.Edit();
}

PodBuilder& PodBuilder::RequiredNodeTerm(api::NodeSelectorTerm term) {
  EmptyRequiredAffinity();
  NodeAffinity().required->node_selector_terms.push_back(std::move(term));
  return *this;
}

PodBuilder& PodBuilder::EmptyRequiredAffinity() {
  api::NodeAffinity& affinity = NodeAffinity();
  if (!affinity.required) affinity.required.emplace();
  return *this;
}

PodBuilder& PodBuilder::PreferredNodeTerm(int32_t weight, api::NodeSelectorTerm term) {
  NodeAffinity().preferred.push_back({weight, std::move(term)});
  return *this;
}

PodBuilder& PodBuilder::Affinity(api::PodAffinityTerm term) {
  pod_.spec.affinity.Edit().pod_affinity.Edit().required.push_back(std::move(term));
  return *this;
}

PodBuilder& PodBuilder::AntiAffinity(api::PodAffinityTerm term) {
  pod_.spec.affinity.Edit().pod_anti_affinity.Edit().required.push_back(std::move(term));
  return *this;
}

PodBuilder& PodBuilder::PreferredAffinity(int32_t weight, api::PodAffinityTerm term) {
  pod_.spec.affinity.Edit().pod_affinity.Edit().preferred.push_back({weight, std::move(term)});
  return *this;
}

PodBuilder& PodBuilder::PreferredAntiAffinity(int32_t weight, api::PodAffinityTerm term) {
  pod_.spec.affinity.Edit().pod_anti_affinity.Edit().preferred.push_back({weight, std::move(term)});
  return *this;
}

PodBuilder& PodBuilder::Spread(api::TopologySpreadConstraint constraint) {
  pod_.spec.topology_spread_constraints.push_back(std::move(constraint));
  return *this;
}

PodBuilder& PodBuilder::Gate(std::string name) {
  pod_.spec.scheduling_gates.push_back({std::move(name)});
  return *this;
}

NodeBuilder::NodeBuilder(std::string name) {
  node_.metadata.uid = "uid-" + name;
  node_.metadata.name = std::move(name);
  node_.status.allocatable = ResourcesOf("pods=110");
}

NodeBuilder& NodeBuilder::Uid(std::string uid) {
  node_.metadata.uid = std::move(uid);
  return *this;
}

NodeBuilder& NodeBuilder::Allocatable(std::string_view resources) {
  for (const auto& [name, amount] : ResourcesOf(resources)) {
    node_.status.allocatable[name] = amount;
  }
  return *this;
}

NodeBuilder& NodeBuilder::Label(std::string key, std::string value) {
  node_.metadata.labels[std::move(key)] = std::move(value);
  return *this;
}

NodeBuilder& NodeBuilder::Taint(std::string key, std::string value, std::string effect) {
  node_.spec.taints.push_back(
      {.key = std::move(key), .value = std::move(value), .effect = std::move(effect)});
  return *this;
}

NodeBuilder& NodeBuilder::Address(std::string type, std::string address) {
  node_.status.addresses.push_back({.type = std::move(type), .address = std::move(address)});
  return *this;
}

NodeBuilder& NodeBuilder::Unschedulable() {
  node_.spec.unschedulable = true;
  return *this;
}

api::Namespace MakeNamespace(std::string name, api::StringMap labels) {
  auto made = Named<api::Namespace>(std::move(name));
  made.metadata.labels = std::move(labels);
  return made;
}

api::Service MakeService(std::string name, api::StringMap selector) {
  auto made = NamedInDefault<api::Service>(std::move(name));
  made.spec.selector = std::move(selector);
  return made;
}

api::ReplicationController MakeReplicationController(std::string name, api::StringMap selector) {
  auto made = NamedInDefault<api::ReplicationController>(std::move(name));
  made.spec.selector = std::move(selector);
  return made;
}

api::ReplicaSet MakeReplicaSet(std::string name, std::optional<api::LabelSelector> selector) {
  auto made = NamedInDefault<api::ReplicaSet>(std::move(name));
  made.spec.selector = std::move(selector);
  return made;
}

api::StatefulSet MakeStatefulSet(std::string name, std::optional<api::LabelSelector> selector) {
  auto made = NamedInDefault<api::StatefulSet>(std::move(name));
  made.spec.selector = std::move(selector);
  return made;
}

}  // namespace berth::scheduler::testing
