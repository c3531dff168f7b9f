// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/warm_up.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/conformance/pod_variants.h"
#include "tests/scheduler/testing/random.h"

namespace berth::conformance {
namespace {

using scheduler::testing::Random;

constexpr size_t kRounds = 4;
constexpr size_t kPodsARound = 6;

// Zone labels determine the order of nodes, so they must not change.
bool IsZoneLabel(const std::string& key) {
  return key.ends_with("/zone") || key.ends_with("/region");
}

class Warmer {
 public:
  Warmer(Cluster& cluster, const api::Pod& pod, uint64_t seed)
      : cluster_(cluster), pod_(pod), random_(seed) {
    for (const scheduler::Slot slot : cluster.snapshot().Order()) {
      nodes_.push_back(cluster.snapshot().At(slot).node);
    }
  }

  void Run() {
    if (nodes_.empty()) return;
    for (size_t round = 0; round < kRounds; ++round) {
      // The first round uses the unchanged cluster, so the case may use its results. Results of
      // later rounds must not be used.
      if (round > 0) ChangeNodes();
      if (round > 0) NominateSome();
      for (size_t i = 0; i < kPodsARound; ++i) Schedule(NextPod());
      if (random_.OneIn(2)) RestoreNodes();
      if (random_.OneIn(2)) RemovePods();
    }
    RestoreNodes();
    RemovePods();
    RemoveNominations();
    if (random_.OneIn(2)) Schedule(NextPod());
    RemovePods();
  }

 private:
  api::Pod NextPod() {
    api::Pod pod = random_.OneIn(3)   ? UnrelatedPod(random_)
                   : random_.OneIn(4) ? pod_
                                      : PodVariant(pod_, nodes_, random_);
    pod.metadata.uid = "warm-up-" + std::to_string(++made_);
    return pod;
  }

  // Schedules a pod and leaves it on its node.
  void Schedule(api::Pod pod) {
    auto shared = std::make_shared<api::Pod>(std::move(pod));
    const auto info = cluster_.InfoOf(shared);
    scheduler::CycleState state;
    scheduler::CycleTrace trace;
    size_t start = random_.Below(nodes_.size());
    const scheduler::Outcome outcome =
        scheduler::SchedulePod({.profile = cluster_.profile(),
                                .snapshot = cluster_.snapshot(),
                                .pod = *info,
                                .nominated = cluster_.nominated(),
                                .start = start,
                                .trace = random_.OneIn(2) ? &trace : nullptr,
                                .result_cache = cluster_.result_cache()},
                               state);
    const bool is_placed = outcome.kind == scheduler::Outcome::Kind::kPlaced;
    // Another scheduler may bind a pod to any node, fitting or not, known or not.
    const std::string node = random_.OneIn(20)  ? "warm-up-unknown"
                             : is_placed        ? outcome.node.name()
                             : random_.OneIn(2) ? random_.Pick(nodes_)->metadata.name
                                                : "";
    if (node.empty()) return;
    api::Pod bound = *shared;
    bound.spec.node_name = node;
    placed_.push_back(bound.metadata.uid);
    cluster_.cache().AddPod(bound);
  }

  void RemovePods() {
    for (const std::string& uid : placed_) cluster_.cache().RemovePod(uid);
    placed_.clear();
  }

  void NominateSome() {
    for (size_t i = random_.Below(3); i > 0; --i) {
      api::Pod pod = NextPod();
      pod.spec.node_name.clear();
      nominated_.push_back(pod.metadata.uid);
      cluster_.nominator().Nominate(cluster_.InfoOf(std::make_shared<api::Pod>(std::move(pod))),
                                    random_.Pick(nodes_)->metadata.name);
    }
    if (random_.OneIn(2)) RemoveNominations();
  }

  void RemoveNominations() {
    for (const std::string& uid : nominated_) cluster_.nominator().Delete(uid);
    nominated_.clear();
  }

  void ChangeNodes() {
    for (const auto& node : nodes_) {
      if (random_.OneIn(2)) {
        cluster_.cache().UpdateNode(std::make_shared<api::Node>(Changed(*node)));
      }
    }
    if (random_.OneIn(4)) ChangeNamespaces();
  }

  // Adds and removes a namespace, which invalidates results that read namespace labels.
  void ChangeNamespaces() {
    api::Namespace made;
    made.metadata.name = made.metadata.uid = "warm-up";
    cluster_.cache().Put(made);
    cluster_.cache().Remove(scheduler::ObjectKind::kNamespace, made.metadata.uid);
  }

  void RestoreNodes() {
    for (const auto& node : nodes_) cluster_.cache().UpdateNode(node);
  }

  api::Node Changed(api::Node node);
  void ChangeLabels(api::StringMap& labels);

  Cluster& cluster_;
  const api::Pod& pod_;
  Random random_;
  std::vector<std::shared_ptr<const api::Node>> nodes_;
  std::vector<std::string> placed_;
  std::vector<std::string> nominated_;
  size_t made_ = 0;
};

api::Node Warmer::Changed(api::Node node) {
  if (random_.OneIn(2)) ChangeLabels(node.metadata.labels);
  if (random_.OneIn(3)) {
    if (random_.OneIn(2)) node.spec.taints.clear();
    node.spec.taints.push_back(
        {.key = "warm-up",
         .value = random_.Pick<std::string>({"", "yes"}),
         .effect = random_.Pick<std::string>({"NoSchedule", "PreferNoSchedule", "NoExecute"})});
  }
  if (random_.OneIn(4)) node.spec.unschedulable = !node.spec.unschedulable;
  if (random_.OneIn(2)) {
    for (auto& [name, amount] : node.status.allocatable) {
      if (random_.OneIn(2)) amount = *Quantity::Parse(random_.Pick({"0", "3", "64", "500Gi"}));
    }
  }
  // Only adds images: an image that all nodes lost would get a new size when it is added again.
  if (random_.OneIn(3)) {
    for (const api::Container& container : pod_.spec.containers) {
      if (container.image.empty()) continue;
      node.status.images.push_back({.names = {container.image}, .size_bytes = 123 << 20});
    }
  }
  return node;
}

void Warmer::ChangeLabels(api::StringMap& labels) {
  for (auto label = labels.begin(); label != labels.end();) {
    if (IsZoneLabel(label->first) || random_.OneIn(2)) {
      ++label;
    } else if (random_.OneIn(2)) {
      label = labels.erase(label);
    } else {
      (label++)->second = random_.Pick({"7", "warm-up"});
    }
  }
  for (const auto& [key, value] : pod_.spec.node_selector.ValueOrDefault()) {
    if (!IsZoneLabel(key) && random_.OneIn(2)) labels[key] = value;
  }
}

}  // namespace

void WarmUp(Cluster& cluster, const api::Pod& pod, uint64_t seed) {
  Warmer(cluster, pod, seed).Run();
}

}  // namespace berth::conformance
