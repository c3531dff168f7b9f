// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/reuse/world.h"

#include <algorithm>
#include <utility>

#include "tests/scheduler/reuse/random_objects.h"

namespace berth::scheduler::testing {
namespace {

constexpr size_t kSpareNames = 20;     // names of nodes that do not exist at first
constexpr size_t kPendingAtMost = 40;  // maximum of pods that wait for another attempt
constexpr size_t kPodsPerNode = 4;     // approximate number of pods to keep

template <class T>
void SwapRemove(std::vector<T>& items, size_t i) {
  std::swap(items[i], items.back());
  items.pop_back();
}

}  // namespace

World::World(Random& random, size_t nodes, size_t shapes) : random_(random), shapes_(shapes) {
  nodes_.resize(nodes + kSpareNames);
  for (size_t i = 0; i < nodes; ++i) {
    PutNode(i, RandomNode(random_, "n" + std::to_string(i)).Build());
  }
  for (size_t i = 0; i < 100; ++i) volumes_.Change(random_, nodes);
  for (size_t i = 0; i < nodes * 2; ++i) AddPod();
}

PodBuilder World::NewPod() {
  // Names recur, UIDs do not.
  const uint64_t number = ++made_;
  const std::string name =
      random_.Pick({"p", "pod-", "a-long-name-"}) + std::to_string(number % 1000);
  // A shape is the random pod drawn with that seed.
  Random shape(random_.Below(shapes_));
  Random& drawn = random_.Percent(85) ? shape : random_;
  PodBuilder pod = RandomPod(drawn, name).Uid("uid-" + std::to_string(number));
  RandomVolumes::AddTo(drawn, pod);
  AddOwner(drawn, pod);
  return pod;
}

std::shared_ptr<const PendingPod> World::NextPod() {
  if (!pending_.empty() && random_.Percent(30)) return random_.Pick(pending_);
  return InfoOf(NewPod());
}

void World::Take(const std::shared_ptr<const PendingPod>& pod, const std::string& node) {
  const auto waiting = std::find(pending_.begin(), pending_.end(), pod);
  const bool is_waiting = waiting != pending_.end();
  if (node.empty()) {
    if (!is_waiting && pending_.size() < kPendingAtMost) pending_.push_back(pod);
    return;
  }
  if (is_waiting) pending_.erase(waiting);
  nominator_.Delete(pod->uid());
  std::erase(nominated_, pod->uid());
  const auto bound = pod->AssumedOn(cluster_.words().Intern(node));
  BERTH_CHECK(cluster_.cache().Assume(bound).has_value(), "a pending pod must not be in the cache");
  auto object = std::make_shared<api::Pod>(pod->pod());
  object->spec.node_name = node;
  placed_.push_back({std::move(object), /*is_assumed=*/true});
}

void World::Change() {
  struct Choice {
    size_t weight;
    void (*change)(World&);
  };
  static constexpr Choice kChoices[] = {
      {5, [](World& world) { world.AddPod(); }},
      {3, [](World& world) { world.UpdatePod(); }},
      {5, [](World& world) { world.RemovePods(); }},
      {4, [](World& world) { world.Confirm(); }},
      {1, [](World& world) { world.Forget(); }},
      {2, [](World& world) { world.Redraw(Relabel); }},
      {2, [](World& world) { world.Redraw(Retaint); }},
      {2, [](World& world) { world.Redraw(Resize); }},
      {2, [](World& world) { world.Redraw(Reimage); }},
      {1, [](World& world) { world.Redraw(Redeclare); }},
      {1, [](World& world) { world.Redraw(Reannotate); }},
      {1, [](World& world) { world.Redraw(Rezone); }},
      {1, [](World& world) { world.Cordon(); }},
      {1, [](World& world) { world.Heartbeat(); }},
      {1, [](World& world) { world.ReplaceNode(); }},
      {2, [](World& world) { world.AddNode(); }},
      {2, [](World& world) { world.RemoveNode(); }},
      {2, [](World& world) { world.Nominate(); }},
      {2, [](World& world) { world.ClearNomination(); }},
      {1, [](World& world) { world.ChangeNamespace(); }},
      {1, [](World& world) { world.ChangeWorkload(); }},
      {5, [](World& world) { world.volumes_.Change(world.random_, world.nodes_.size()); }},
      {1, [](World& world) { ++world.facts_.dial; }},
      {1, [](World& world) { world.ReportTraffic(); }},
  };
  size_t total = 0;
  for (const Choice& choice : kChoices) total += choice.weight;
  size_t drawn = random_.Below(total);
  for (const Choice& choice : kChoices) {
    if (drawn < choice.weight) return choice.change(*this);
    drawn -= choice.weight;
  }
}

// Reports most nodes; sometimes none, like a metric source without data.
void World::ReportTraffic() {
  if (random_.Percent(10)) return metrics_.Forget();
  NodeMetric::Samples samples;
  for (const auto& node : nodes_) {
    if (node == nullptr || random_.Percent(10)) continue;
    samples[node->metadata.name] = static_cast<double>(random_.Below(200));
  }
  metrics_.Tell(samples, snapshot());
}

// Adds a pod placed by another scheduler: it need not fit, and its node may be unknown.
void World::AddPod() {
  const std::string node = random_.Percent(1) ? "unknown-" + std::to_string(random_.Below(3))
                                              : nodes_[AnyNode()]->metadata.name;
  const auto pod = NewPod().OnNode(node).Build();
  cluster_.cache().AddPod(*pod);
  placed_.push_back({pod, /*is_assumed=*/false});
}

void World::UpdatePod() {
  if (placed_.empty()) return;
  Placed& placed = placed_[random_.Below(placed_.size())];
  if (placed.is_assumed) return;  // the API server does not show it there yet
  api::Pod pod = *placed.pod;
  switch (random_.Below(4)) {
    case 0:
      pod.metadata.labels["changed"] = std::to_string(random_.Below(3));
      break;
    case 1:
      pod.metadata.deletion_timestamp = *Time::Parse("2026-01-01T00:00:00Z");
      break;
    case 2:
      pod.metadata.annotations["note"] = std::to_string(random_.Below(3));
      break;
    default: {  // resized in place: requested, not done yet
      if (pod.spec.containers.empty()) return;
      api::Container& container = pod.spec.containers.front();
      const auto before = container.resources.requests;
      container.resources.requests["cpu"] = *Quantity::Parse(random_.Pick({"50m", "1", "3"}));
      pod.status.container_statuses.clear();
      api::ContainerStatus& status = pod.status.container_statuses.emplace_back();
      status.name = container.name;
      status.resources.Edit().requests = before;
      status.allocated_resources = random_.OneIn(2) ? before : container.resources.requests;
    }
  }
  placed.pod = std::make_shared<const api::Pod>(std::move(pod));
  cluster_.cache().UpdatePod(*placed.pod);
}

void World::RemovePlaced(size_t i) {
  cluster_.cache().RemovePod(placed_[i].pod->metadata.uid);
  SwapRemove(placed_, i);
}

// Removes one pod, or many if the world has too many.
void World::RemovePods() {
  size_t count = placed_.size() > nodes_.size() * kPodsPerNode ? 20 : 1;
  for (; count > 0 && !placed_.empty(); --count) RemovePlaced(random_.Below(placed_.size()));
}

void World::Confirm() {
  for (Placed& placed : placed_) {
    if (!placed.is_assumed || random_.OneIn(3)) continue;
    cluster_.cache().AddPod(*placed.pod);
    placed.is_assumed = false;
  }
}

void World::Forget() {
  for (size_t i = 0; i < placed_.size(); ++i) {
    if (!placed_[i].is_assumed) continue;
    const auto forgotten = cluster_.cache().Forget(placed_[i].pod->metadata.uid);
    BERTH_CHECK(forgotten.has_value(), "forgetting an assumed pod must succeed");
    return SwapRemove(placed_, i);
  }
}

size_t World::AnyNode() {
  for (size_t i = random_.Below(nodes_.size());; i = (i + 1) % nodes_.size()) {
    if (nodes_[i] != nullptr) return i;
  }
}

void World::PutNode(size_t i, std::shared_ptr<const api::Node> node) {
  if (nodes_[i] == nullptr) {
    ++node_count_;
    cluster_.cache().AddNode(node);
  } else {
    cluster_.cache().UpdateNode(node);
  }
  nodes_[i] = std::move(node);
}

void World::AddNode() {
  const size_t first = random_.Below(nodes_.size());
  for (size_t step = 0; step < nodes_.size(); ++step) {
    const size_t i = (first + step) % nodes_.size();
    if (nodes_[i] != nullptr) continue;
    NodeBuilder node = RandomNode(random_, "n" + std::to_string(i));
    return PutNode(i, node.Uid("uid-" + std::to_string(++made_)).Build());
  }
}

void World::RemoveNode() {
  if (node_count_ + 2 * kSpareNames < nodes_.size() || node_count_ <= 2) return;
  const size_t i = AnyNode();
  const std::string name = nodes_[i]->metadata.name;
  cluster_.cache().RemoveNode(name);
  nodes_[i].reset();
  --node_count_;
  if (random_.OneIn(3)) return;  // keep the pods, and with them the slot
  for (size_t p = placed_.size(); p > 0; --p) {
    if (placed_[p - 1].pod->spec.node_name == name) RemovePlaced(p - 1);
  }
}

void World::ReplaceNode() {
  const size_t i = AnyNode();
  NodeBuilder node = RandomNode(random_, nodes_[i]->metadata.name);
  PutNode(i, node.Uid("uid-" + std::to_string(++made_)).Build());
}

void World::Redraw(NodePart part) {
  const size_t i = AnyNode();
  api::Node node = *nodes_[i];
  part(random_, node);
  PutNode(i, std::make_shared<const api::Node>(std::move(node)));
}

void World::Cordon() {
  const size_t i = AnyNode();
  api::Node node = *nodes_[i];
  node.spec.unschedulable = !node.spec.unschedulable;
  PutNode(i, std::make_shared<const api::Node>(std::move(node)));
}

void World::Heartbeat() {
  const size_t i = AnyNode();
  api::Node node = *nodes_[i];
  node.status.conditions = {{.type = "Ready", .status = "True", .reason = std::to_string(++made_)}};
  PutNode(i, std::make_shared<const api::Node>(std::move(node)));
}

void World::Nominate() {
  const std::string node = nodes_[AnyNode()]->metadata.name;
  if (pending_.empty() || random_.OneIn(3)) {  // e.g. by preemption of another profile
    const auto pod = InfoOf(NewPod());
    if (!pod->node_name().empty()) return;
    nominated_.push_back(pod->uid());
    return nominator_.Nominate(pod, node);
  }
  auto& waiting = pending_[random_.Below(pending_.size())];
  if (!waiting->node_name().empty()) return;
  if (random_.OneIn(2)) {  // also in its status
    auto object = std::make_shared<api::Pod>(waiting->pod());
    object->status.nominated_node_name = node;
    waiting = PendingPod::Create(std::move(object), cluster_.words());
  }
  std::erase(nominated_, waiting->uid());
  nominated_.push_back(waiting->uid());
  nominator_.Nominate(waiting, node);
}

void World::ClearNomination() {
  if (nominated_.empty()) return;
  const size_t i = random_.Below(nominated_.size());
  nominator_.Delete(nominated_[i]);
  SwapRemove(nominated_, i);
}

void World::ChangeNamespace() {
  const std::string name = random_.Pick({"default", "team-a", "team-b"});
  cluster_.cache().Put(MakeNamespace(name, {{"level", std::to_string(random_.Below(4))}}));
}

void World::ChangeWorkload() {
  Cache& cache = cluster_.cache();
  const api::ReplicaSet set = RandomReplicaSet(random_);
  const api::Service service = RandomService(random_);
  switch (random_.Below(4)) {
    case 0:
      return cache.Remove(ObjectKind::kService, service.metadata.uid);
    case 1:
      return random_.OneIn(2) ? cache.Remove(ObjectKind::kReplicaSet, set.metadata.uid)
                              : cache.Put(set);
    default:
      return cache.Put(service);
  }
}

}  // namespace berth::scheduler::testing
