// SPDX-License-Identifier: Apache-2.0
#include "simulation/kubelet/admission.h"

#include <algorithm>
#include <utility>

#include "api/labels.h"
#include "simulation/kubelet/resources.h"

namespace berth::simulation {
namespace {

std::optional<Rejection> Rejected(std::string reason, const std::string& message) {
  return Rejection{std::move(reason), "Pod was rejected: " + message};
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
    // A node that does not have an extended resource at all leaves it out of account.
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

void NodeAccount::Admit(const std::string& uid, api::ResourceList requests) {
  admitted_[uid] = std::move(requests);
}

int64_t NodeAccount::Used(const std::string& resource) const {
  int64_t used = 0;
  for (const auto& [uid, requests] : admitted_) {
    const auto found = requests.find(resource);
    if (found != requests.end()) used += Amount(resource, found->second);
  }
  return used;
}

std::optional<Rejection> CheckAdmission(const api::Pod& pod, const api::Node& node,
                                        const NodeAccount& account) {
  if (auto full = CheckRoom(pod, node, account)) return full;
  if (!MatchesAffinity(pod, node)) {
    return Rejected("NodeAffinity",
                    "Predicate NodeAffinity failed: node(s) didn't match Pod's node "
                    "affinity/selector");
  }
  for (const api::Taint& taint : node.spec.taints) {
    if (IsTolerated(taint, pod)) continue;
    return Rejected("TaintToleration",
                    "Predicate TaintToleration failed: node(s) had taints that the pod didn't "
                    "tolerate");
  }
  return std::nullopt;
}

}  // namespace berth::simulation
