// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/pod_variants.h"

#include <array>
#include <string>
#include <utility>

namespace berth::conformance {
namespace {

using scheduler::testing::Random;
using Nodes = std::vector<std::shared_ptr<const api::Node>>;

api::Container& FirstContainer(api::Pod& pod) {
  if (pod.spec.containers.empty()) pod.spec.containers.emplace_back().name = "c";
  return pod.spec.containers.front();
}

void VaryTolerations(api::Pod& pod, const Nodes&, Random& random) {
  if (!pod.spec.tolerations.empty() && random.OneIn(2)) {
    pod.spec.tolerations.erase(pod.spec.tolerations.begin());
  } else {
    pod.spec.tolerations.push_back({.op = "Exists"});
  }
}

void VaryRequests(api::Pod& pod, const Nodes&, Random& random) {
  const auto amount = *Quantity::Parse(random.Pick({"0", "1m", "3", "2Gi"}));
  FirstContainer(pod).resources.requests[random.Pick({"cpu", "memory"})] = amount;
}

void VaryInitContainers(api::Pod& pod, const Nodes&, Random&) {
  if (!pod.spec.init_containers.empty()) return pod.spec.init_containers.clear();
  api::Container& container = pod.spec.init_containers.emplace_back();
  container.name = "warm-up";
  container.resources.requests["cpu"] = *Quantity::Parse("5");
}

void VaryNodeSelector(api::Pod& pod, const Nodes& nodes, Random& random) {
  if (pod.spec.node_selector) return pod.spec.node_selector.reset();
  const api::StringMap& labels = random.Pick(nodes)->metadata.labels;
  if (!labels.empty()) pod.spec.node_selector.Edit().insert(*labels.begin());
}

void VaryAffinity(api::Pod& pod, const Nodes& nodes, Random& random) {
  if (pod.spec.affinity) return pod.spec.affinity.reset();
  const api::NodeSelectorRequirement requirement{
      .key = "metadata.name", .op = "In", .values = {random.Pick(nodes)->metadata.name}};
  pod.spec.affinity.Edit().node_affinity.Edit().required.emplace().node_selector_terms.push_back(
      {.match_fields = {requirement}});
}

void VaryPorts(api::Pod& pod, const Nodes&, Random& random) {
  auto& ports = FirstContainer(pod).ports;
  if (!ports.empty() && random.OneIn(2)) return ports.clear();
  const int32_t port = random.Pick({80, 8080, 9100});
  ports.push_back({.container_port = port, .host_port = port});
}

void VaryImage(api::Pod& pod, const Nodes& nodes, Random& random) {
  const auto& images = random.Pick(nodes)->status.images;
  FirstContainer(pod).image =
      images.empty() || images.front().names.empty() ? "warm-up" : images.front().names.front();
}

void VaryNodeName(api::Pod& pod, const Nodes& nodes, Random& random) {
  pod.spec.node_name = pod.spec.node_name.empty() ? random.Pick(nodes)->metadata.name : "";
}

void VaryNomination(api::Pod& pod, const Nodes& nodes, Random& random) {
  pod.status.nominated_node_name = random.Pick(nodes)->metadata.name;
}

void VaryMetadata(api::Pod& pod, const Nodes&, Random& random) {
  if (random.OneIn(2)) {
    pod.metadata.labels["warm-up"] = "yes";
  } else {
    pod.metadata.namespace_ += "-warm-up";
  }
  pod.metadata.name += random.Pick({"", "-warm-up"});
}

void VaryPriority(api::Pod& pod, const Nodes&, Random& random) {
  pod.spec.priority = random.Pick({-10, 0, 2'000'000});
}

constexpr std::array kVariations = {
    VaryTolerations, VaryRequests, VaryInitContainers, VaryNodeSelector, VaryAffinity, VaryPorts,
    VaryImage,       VaryNodeName, VaryNomination,     VaryMetadata,     VaryPriority};

}  // namespace

api::Pod PodVariant(api::Pod pod, const Nodes& nodes, Random& random) {
  kVariations[random.Below(kVariations.size())](pod, nodes, random);
  return pod;
}

api::Pod UnrelatedPod(Random& random) {
  api::Pod pod;
  pod.metadata.name = random.Pick({"p", "unrelated"});
  pod.metadata.namespace_ = "warm-up";
  VaryRequests(pod, {}, random);
  if (random.OneIn(3)) VaryTolerations(pod, {}, random);
  if (random.OneIn(3)) VaryPorts(pod, {}, random);
  if (random.OneIn(3)) VaryPriority(pod, {}, random);
  return pod;
}

}  // namespace berth::conformance
