// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "base/clock.h"
#include "client/store.h"
#include "engine/known_pod.h"
#include "scheduler/scheduler.h"

namespace berth::engine {

// Checker holds what the core knows of pods and nodes against what the informers' stores have, all
// of it once in kRound, and puts right what differs: a change that the core never heard of, or
// something that it lost. Each repair is logged and counted; none is ever to be seen.
//
// What differs at first sight may be on its way: an informer stores a change before the core hears
// of it. So there are two looks at everything.
//
//   1. A piece of a store is held against the core, while no change is half told (Store::changes).
//      What differs is suspect.
//   2. The suspects go to the scheduling thread as a message, from under the same lock: behind all
//      changes that the store showed, and before all that it did not. When the message runs, the
//      core has heard of exactly what the store showed; what differs now, is wrong.
//
// What is only the core's, it says of itself (Scheduler::MismatchOf): a pod that is assumed, in
// flight or given up is where it should be. So nothing is taken for wrong because of bad timing;
// docs/design/0019 has the whole argument.
//
// A pod that has a node is not in the store as a whole and is asked for. The answer counts only if
// the store still has that version; it goes behind the changes in the same way.
//
// Owned by the scheduling thread, as the core is.
class Checker {
 public:
  static constexpr std::chrono::seconds kRound{25};
  // So many objects are looked at in one step, which takes a fraction of a millisecond.
  static constexpr size_t kPiece = 128;

  using Message = std::function<void()>;
  // Fetched gets the pod, or null: it could not be had.
  using Fetched = std::function<void(std::shared_ptr<const api::Pod>)>;

  struct Parts {
    scheduler::Scheduler& scheduler;
    client::Store<KnownPod> pods;
    client::Store<api::Node> nodes;
    // To the scheduling thread, behind the changes that were posted before.
    std::function<void(Message)> post;
    // Asks the API server for a pod; the answer comes on the scheduling thread.
    std::function<void(const client::StoreKey& key, Fetched done)> fetch;
    std::function<void(std::string_view kind)> repaired;  // "pods", "nodes"
  };

  // Requires: what the parts refer to outlives this, and this the messages it posted.
  explicit Checker(Parts parts) : parts_(std::move(parts)) {}
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  // Step looks at the next piece, if it is due. Requires: the first lists were applied.
  void Step(SteadyTime now);
  SteadyTime NextStep() const { return next_; }

 private:
  // What a round goes over, one after the other: what the stores have, and what the core has.
  enum class Stage : uint8_t { kStoredPods, kKnownPods, kStoredNodes, kKnownNodes };
  enum class Progress : uint8_t { kBusy, kMore, kThrough };

  struct SuspectPod {
    client::StoreKey key;
    std::shared_ptr<const KnownPod> stored;
  };

  Progress LookOn();
  template <class Suspect, class Store, class Find>
  Progress Look(const Store& store, const Find& find, void (Checker::*judge)(const Suspect&));
  Progress CheckStoredPods();
  Progress CheckKnownPods();
  Progress CheckStoredNodes();
  Progress CheckKnownNodes();
  void JudgePod(const SuspectPod& suspect);
  void JudgeNode(const std::shared_ptr<const api::Node>& stored);
  void JudgeGonePod(const std::string& uid);
  void JudgeGoneNode(const api::ObjectMeta& gone);
  void Fetch(const client::StoreKey& key);
  void TakeFetched(const client::StoreKey& key, const std::shared_ptr<const api::Pod>& pod);
  void RepairPod(const std::shared_ptr<const api::Pod>& pod);
  void Note(std::string_view kind, const api::ObjectMeta& object, std::string_view mismatch) const;
  std::chrono::nanoseconds Interval() const;

  const Parts parts_;
  SteadyTime next_{};
  Stage stage_ = Stage::kStoredPods;
  std::optional<client::StoreKey> after_;  // in a stage that goes over a store
  scheduler::PodPieces known_pods_;
  IncrementalVisitor known_nodes_;
  std::set<client::StoreKey> fetching_;
};

}  // namespace berth::engine
