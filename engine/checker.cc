// SPDX-License-Identifier: Apache-2.0
#include "engine/checker.h"

#include <mutex>
#include <utility>

#include "base/log.h"

namespace berth::engine {
namespace {

using client::StoreKey;
using scheduler::StoredPod;

// Does not wait for an informer that is delivering a change.
constexpr std::chrono::milliseconds kBusyWait{1};

constexpr std::string_view kGone = "is not in the store";

StoredPod Stored(const KnownPod& pod) { return {pod.uid, pod.resource_version, pod.waiting.get()}; }

}  // namespace

void Checker::Step(SteadyTime now) {
  if (now < next_) return;
  const Progress progress = LookOn();
  if (progress == Progress::kBusy) {
    next_ = now + kBusyWait;
    return;
  }
  if (progress == Progress::kThrough) {
    stage_ = stage_ == Stage::kKnownNodes ? Stage::kStoredPods
                                          : static_cast<Stage>(static_cast<int>(stage_) + 1);
  }
  next_ = now + Interval();
}

// Returns the interval that spreads the steps of a round evenly.
std::chrono::nanoseconds Checker::Interval() const {
  const auto pieces = [](size_t objects) { return static_cast<int64_t>(objects / kPiece) + 1; };
  const scheduler::Cache& cache = parts_.scheduler.cache();
  // A pending pod may be counted twice: it may be assumed, too.
  const size_t known = cache.pod_count() + parts_.scheduler.pending_count();
  return std::chrono::nanoseconds(kRound) /
         (pieces(parts_.pods.size()) + pieces(known) + pieces(parts_.nodes.size()) +
          pieces(cache.node_count()));
}

Checker::Progress Checker::LookOn() {
  switch (stage_) {
    case Stage::kStoredPods:
      return CheckStoredPods();
    case Stage::kKnownPods:
      return CheckKnownPods();
    case Stage::kStoredNodes:
      return CheckStoredNodes();
    case Stage::kKnownNodes:
      return CheckKnownNodes();
  }
  return Progress::kThrough;
}

// Compares part of `store` with the core while no change is being delivered, and posts the suspects
// to `judge`. `find` collects the suspects and returns whether it was the last part.
template <class Suspect, class Store, class Find>
Checker::Progress Checker::Look(const Store& store, const Find& find,
                                void (Checker::*judge)(const Suspect&)) {
  const std::unique_lock lock(store.changes(), std::try_to_lock);
  if (!lock.owns_lock()) return Progress::kBusy;
  std::vector<Suspect> suspects;
  const bool is_through = find(suspects);
  if (!suspects.empty()) {
    parts_.post([this, judge, suspects = std::move(suspects)] {
      for (const Suspect& suspect : suspects) (this->*judge)(suspect);
    });
  }
  return is_through ? Progress::kThrough : Progress::kMore;
}

Checker::Progress Checker::CheckStoredPods() {
  const auto find = [this](std::vector<SuspectPod>& suspects) {
    after_ = parts_.pods.VisitAfter(after_, kPiece, [&](const StoreKey& key, const auto& pod) {
      if (!parts_.scheduler.MismatchOf(Stored(*pod)).empty()) suspects.push_back({key, pod});
    });
    return !after_;
  };
  return Look(parts_.pods, find, &Checker::JudgePod);
}

Checker::Progress Checker::CheckKnownPods() {
  const auto find = [this](std::vector<std::string>& gone) {
    return parts_.scheduler.VisitPods(known_pods_, kPiece, [&](const scheduler::PodInfo& pod) {
      const auto stored = parts_.pods.Get(pod.namespace_(), pod.name());
      if (stored == nullptr || stored->uid != pod.uid()) gone.push_back(pod.uid());
    });
  };
  return Look(parts_.pods, find, &Checker::JudgeGonePod);
}

Checker::Progress Checker::CheckStoredNodes() {
  const auto find = [this](std::vector<std::shared_ptr<const api::Node>>& suspects) {
    after_ = parts_.nodes.VisitAfter(after_, kPiece, [&](const StoreKey&, const auto& node) {
      if (!parts_.scheduler.MismatchOf(*node).empty()) suspects.push_back(node);
    });
    return !after_;
  };
  return Look(parts_.nodes, find, &Checker::JudgeNode);
}

Checker::Progress Checker::CheckKnownNodes() {
  const auto find = [this](std::vector<api::ObjectMeta>& gone) {
    return parts_.scheduler.cache().VisitNodes(known_nodes_, kPiece, [&](const api::Node& node) {
      if (parts_.nodes.Get("", node.metadata.name) == nullptr) gone.push_back(node.metadata);
    });
  };
  return Look(parts_.nodes, find, &Checker::JudgeGoneNode);
}

void Checker::JudgePod(const SuspectPod& suspect) {
  const KnownPod& stored = *suspect.stored;
  if (parts_.scheduler.MismatchOf(Stored(stored)).empty()) return;
  if (stored.waiting == nullptr) return Fetch(suspect.key);
  RepairPod(stored.waiting);
}

void Checker::JudgeGonePod(const std::string& uid) {
  const auto known = parts_.scheduler.Find(uid);
  if (known == nullptr) return;
  api::ObjectMeta metadata;
  metadata.namespace_ = known->namespace_();
  metadata.name = known->name();
  metadata.uid = uid;
  Note("pods", metadata, kGone);
  parts_.scheduler.On(api::Deleted<api::Pod>(uid));
}

void Checker::JudgeNode(const std::shared_ptr<const api::Node>& stored) {
  const std::string_view mismatch = parts_.scheduler.MismatchOf(*stored);
  if (mismatch.empty()) return;
  Note("nodes", stored->metadata, mismatch);
  parts_.scheduler.Repair(stored);
}

void Checker::JudgeGoneNode(const api::ObjectMeta& gone) {
  const scheduler::Cache& cache = parts_.scheduler.cache();
  const scheduler::Slot slot = cache.Find(gone.name);
  if (slot == scheduler::kNoSlot) return;
  const std::shared_ptr<const api::Node> node = cache.At(slot).node;
  if (node->metadata.uid != gone.uid) return;
  Note("nodes", gone, kGone);
  parts_.scheduler.On(api::Deleted(node));
}

// Fetches a pod with a node. If too many are being fetched, the next round finds it again.
void Checker::Fetch(const StoreKey& key) {
  if (fetching_.size() >= kPiece || !fetching_.insert(key).second) return;
  parts_.fetch(key, [this, key](const std::shared_ptr<const api::Pod>& pod) {
    fetching_.erase(key);
    if (pod != nullptr) TakeFetched(key, pod);
  });
}

// Posts the pod after the changes delivered so far, if the store still has this version. If the pod
// has changed since, the core receives that change.
void Checker::TakeFetched(const StoreKey& key, const std::shared_ptr<const api::Pod>& pod) {
  const std::lock_guard lock(parts_.pods.changes());
  const auto stored = parts_.pods.Get(key.first, key.second);
  if (stored == nullptr || stored->uid != pod->metadata.uid) return;
  if (stored->resource_version != pod->metadata.resource_version) return;
  parts_.post([this, pod] { RepairPod(pod); });
}

void Checker::RepairPod(const std::shared_ptr<const api::Pod>& pod) {
  const std::string_view mismatch = parts_.scheduler.MismatchOf(StoredPod::Of(*pod));
  if (mismatch.empty()) return;
  Note("pods", pod->metadata, mismatch);
  parts_.scheduler.Repair(pod);
}

void Checker::Note(std::string_view kind, const api::ObjectMeta& object,
                   std::string_view mismatch) const {
  log::Warn("Corrected the scheduler's state of an object", {{"kind", kind},
                                                             {"object", api::KeyOf(object)},
                                                             {"uid", object.uid},
                                                             {"mismatch", mismatch}});
  parts_.repaired(kind);
}

}  // namespace berth::engine
