// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/admission.h"

#include <algorithm>
#include <utility>

#include "api/labels.h"
#include "sandbox/simulation/kubelet/resources.h"

namespace berth::simulation {
namespace {

std::optional<Rejection> Rejected(std::string reason, const std::string& message) {
  return Rejection{std::move(reason), "Pod was rejected: " + message};
}

std::optional<Rejection> Failed(const std::string& predicate, const std::string& why) {
  return Rejected(predicate, "Predicate " + predicate + " failed: " + why);
}

std::optional<Rejection> OutOf(const std::string& resource, int64_t requested, int64_t used,
                               int64_t capacity) {
  if (requested == 0 || requested <= capacity - used) return std::nullopt;
  return Rejected("OutOf" + resource, "Node didn't have enough resource: " + resource +
                                          ", requested: " + std::to_string(requested) +
                                          ", used: " + std::to_string(used) +
                                          ", capacity: " + std::to_string(capacity));
}

int64_t CapacityOf(const api::Node& node, const std::string& resource) {
  const auto found = node.status.allocatable.find(resource);
  return found == node.status.allocatable.end() ? 0 : Amount(resource, found->second);
}

std::optional<Rejection> CheckRoom(const api::Pod& pod, const api::Node& node,
                                   const NodeAccount& account) {
  if (auto full =
          OutOf("pods", 1, static_cast<int64_t>(account.pods()), CapacityOf(node, "pods"))) {
    return full;
  }
  const api::ResourceList requests = RequestsOf(pod);
  for (const auto& [resource, quantity] : requests) {
    // A node ignores an extended resource that it does not have at all.
    const bool is_known = node.status.allocatable.contains(resource);
    if (!is_known && api::IsExtendedResourceName(resource)) continue;
    auto full = OutOf(resource, Amount(resource, quantity), account.Used(resource),
                      CapacityOf(node, resource));
    if (full) return full;
  }
  return std::nullopt;
}

bool MatchesAffinity(const api::Pod& pod, const api::Node& node) {
  const api::StringMap& labels = node.metadata.labels;
  if (pod.spec.node_selector && !api::Selector::FromMap(*pod.spec.node_selector).Matches(labels)) {
    return false;
  }
  const auto& affinity = pod.spec.affinity.ValueOrDefault().node_affinity.ValueOrDefault();
  return !affinity.required ||
         api::CompiledNodeSelector::Create(*affinity.required).Matches(labels, node.metadata.name);
}

bool Tolerates(const api::Toleration& toleration, const api::Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == "Exists") return true;
  return !toleration.key.empty() && toleration.value == taint.value;
}

bool IsTolerated(const api::Taint& taint, const api::Pod& pod) {
  return taint.effect != "NoExecute" ||
         std::any_of(
             pod.spec.tolerations.begin(), pod.spec.tolerations.end(),
             [&](const api::Toleration& toleration) { return Tolerates(toleration, taint); });
}

}  // namespace

void NodeAccount::Admit(const std::string& uid, api::ResourceList requests,
                        std::vector<api::HostPort> ports) {
  admitted_[uid] = {std::move(requests), std::move(ports)};
}

int64_t NodeAccount::Used(const std::string& resource) const {
  int64_t used = 0;
  for (const auto& [uid, admitted] : admitted_) {
    const auto found = admitted.requests.find(resource);
    if (found != admitted.requests.end()) used += Amount(resource, found->second);
  }
  return used;
}

bool NodeAccount::HasFree(const std::vector<api::HostPort>& ports) const {
  return std::none_of(admitted_.begin(), admitted_.end(), [&](const auto& entry) {
    return std::any_of(ports.begin(), ports.end(), [&](const api::HostPort& port) {
      const std::vector<api::HostPort>& taken = entry.second.ports;
      return std::any_of(taken.begin(), taken.end(),
                         [&](const api::HostPort& other) { return port.Conflicts(other); });
    });
  });
}

std::optional<Rejection> CheckAdmission(const api::Pod& pod, const api::Node& node,
                                        const NodeAccount& account) {
  if (auto full = CheckRoom(pod, node, account)) return full;
  if (!MatchesAffinity(pod, node)) {
    return Failed("NodeAffinity", "node(s) didn't match Pod's node affinity/selector");
  }
  if (!pod.spec.node_name.empty() && pod.spec.node_name != node.metadata.name) {
    return Failed("NodeName", "node(s) didn't match the requested node name");
  }
  if (!account.HasFree(api::HostPortsOf(pod))) {
    return Failed("NodePorts", "node(s) didn't have free ports for the requested pod ports");
  }
  for (const api::Taint& taint : node.spec.taints) {
    if (IsTolerated(taint, pod)) continue;
    return Failed("TaintToleration", "node(s) had taints that the pod didn't tolerate");
  }
  return std::nullopt;
}

}  // namespace berth::simulation
