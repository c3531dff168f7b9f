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

// Checker compares the core's pods and nodes with the informers' stores, all of them once in
// kRound. It corrects differences: a change that the core did not receive, or an object that it
// lost. Each correction is logged and counted; any is a bug.
//
// A difference may be temporary, since an informer stores a change before the core receives it. So
// everything is checked twice.
//
//   1. Part of a store is compared with the core, while no change is being delivered
//      (Store::changes). Differing objects are suspects.
//   2. The suspects are posted to the scheduling thread, under the same lock. So the message comes
//      after all changes that the store contained, and before all later ones. When it runs, the
//      core has received exactly the store's changes, so a remaining difference is a bug.
//
// The core itself knows its temporary states (Scheduler::MismatchOf): an assumed pod, a pod in
// flight and a pod given up are correct. So timing never causes a false correction;
// docs/design/0019 has the whole argument.
//
// The store does not have the whole object of a pod with a node, so such a pod is fetched. The
// response is used only if the store still has that version; it is posted after the changes in the
// same way.
//
// Owned by the scheduling thread, like the core.
class Checker {
 public:
  static constexpr std::chrono::seconds kRound{25};
  // The number of objects compared in one step, which takes a fraction of a millisecond.
  static constexpr size_t kPiece = 128;

  using Message = std::function<void()>;
  // Receives the pod, or null if the request failed.
  using Fetched = std::function<void(std::shared_ptr<const api::Pod>)>;

  struct Parts {
    scheduler::Scheduler& scheduler;
    client::Store<KnownPod> pods;
    client::Store<api::Node> nodes;
    // Posts to the scheduling thread, after the changes that were posted before.
    std::function<void(Message)> post;
    // Gets a pod from the API server; `done` is called on the scheduling thread.
    std::function<void(const client::StoreKey& key, Fetched done)> fetch;
    std::function<void(std::string_view kind)> repaired;  // "pods", "nodes"
  };

  // Requires: the references in `parts` outlive this, and this outlives the messages it posted.
  explicit Checker(Parts parts) : parts_(std::move(parts)) {}
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  // Compares the next part, if it is due. Requires: the initial lists were applied.
  void Step(SteadyTime now);
  SteadyTime NextStep() const { return next_; }

 private:
  // The stages of a round: the objects of each store, and the objects of the core.
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
  std::optional<client::StoreKey> after_;  // in a stage that visits a store
  scheduler::PodPieces known_pods_;
  IncrementalVisitor known_nodes_;
  std::set<client::StoreKey> fetching_;
};

}  // namespace berth::engine
