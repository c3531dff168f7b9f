// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/scheduler/loop_fixture.h"

namespace berth::scheduler::testing {

// World is a small cluster with a store. Its events and responses reach the scheduler late and out
// of order.
class World : public LoopTest {
 protected:
  using Pods = std::map<std::string, std::shared_ptr<const api::Pod>>;    // by UID
  using Nodes = std::map<std::string, std::shared_ptr<const api::Node>>;  // by name

  // Hooks for tests: called for each change before its event is sent, and to send the event.
  virtual void RecordStored(const std::shared_ptr<const api::Pod>& /*pod*/) {}
  virtual void RecordStored(const std::shared_ptr<const api::Node>& /*node*/) {}
  virtual void RecordGone(const std::shared_ptr<const api::Pod>& /*pod*/) {}
  virtual void RecordGone(const std::shared_ptr<const api::Node>& /*node*/) {}
  virtual void Tell(std::function<void()> event) { events_.push_back(std::move(event)); }

  size_t Random(size_t below) {
    return std::uniform_int_distribution<size_t>(0, below - 1)(random_);
  }
  bool Chance(int percent) { return Random(100) < static_cast<size_t>(percent); }
  template <class Map>
  typename Map::iterator Any(Map& map) {
    return std::next(map.begin(), static_cast<ptrdiff_t>(Random(map.size())));
  }

  template <class Object>
  std::shared_ptr<const Object> Versioned(Object object) {
    object.metadata.resource_version = std::to_string(++version_);
    return std::make_shared<const Object>(std::move(object));
  }

  void CreatePod() {
    // Names recur, with another UID.
    const std::string name = "p" + std::to_string(Random(30));
    for (const auto& [uid, pod] : pods_) {
      if (pod->metadata.name == name) return;
    }
    auto builder = Pod(name).Uid("pod-" + std::to_string(++version_));
    builder.Priority(static_cast<int32_t>(Random(3)));
    if (Chance(10)) builder.OnNode("n" + std::to_string(Random(6)));
    Put(Versioned(*builder.Build()));
  }
  void Put(std::shared_ptr<const api::Pod> pod) {
    pods_[pod->metadata.uid] = pod;
    RecordStored(pod);
    Tell([this, pod] { scheduler_.On(api::Added(pod)); });
  }
  void ChangePod() {
    if (pods_.empty()) return;
    api::Pod pod = *Any(pods_)->second;
    pod.metadata.labels["x"] = std::to_string(version_);
    Put(Versioned(std::move(pod)));
  }
  void DeletePod() {
    if (pods_.empty()) return;
    Remove(Any(pods_));
  }
  void Remove(Pods::iterator pod) {
    RecordGone(pod->second);
    Tell([this, uid = pod->first] { scheduler_.On(api::Deleted<api::Pod>(uid)); });
    pods_.erase(pod);
  }

  // Preempts pods on any node for any pending pod.
  void PreemptForAnyone() {
    const std::vector<std::string> waiting = scheduler_.queue().Uids();
    const Cache& cache = scheduler_.cache();
    const Slot slot = nodes_.empty() ? kNoSlot : cache.Find(Any(nodes_)->first);
    if (waiting.empty() || slot == kNoSlot) return;
    EvictionRequest request{
        .preemptor = scheduler_.queue().Find(waiting[Random(waiting.size())])->pod,
        .node = NodeRef(cache.At(slot)),
        .victims = {},
        .respect_budgets = Chance(30),
        .scheduler_name = "test"};
    for (const auto& pod : cache.At(slot).pods) {
      if (!pod->terminating() && Chance(60)) request.victims.push_back(pod);
    }
    if (request.victims.empty()) return;
    scheduler_.evictor().Start(std::move(request));
    scheduler_.evictor().Proceed();
  }
  using VictimCall = RecordingApi::VictimCall;
  void ServeVictim(bool may_fail) {
    if (api_.victims.empty()) return;
    const size_t i = Random(api_.victims.size());
    VictimCall call = std::move(api_.victims[i]);
    api_.victims.erase(api_.victims.begin() + static_cast<ptrdiff_t>(i));
    answers_.emplace_back([call, result = TryRemove(call, may_fail)] { call.done(result); });
  }
  Result<void> TryRemove(const VictimCall& call, bool may_fail) {
    if (may_fail && Chance(20)) {
      return Fail(Chance(50) ? Reason::kTooManyRequests : Reason::kForbidden, "bad luck");
    }
    const auto found = pods_.find(call.pod.uid);
    if (found == pods_.end()) return Fail(Reason::kNotFound, "no such pod");
    api::Pod pod = *found->second;
    if (call.call == "mark") {
      pod.status.conditions = {*call.condition};
    } else if (!pod.spec.node_name.empty() && Chance(50)) {
      pod.metadata.deletion_timestamp = clock_.Wall();
    } else {
      Remove(found);
      return {};
    }
    Put(Versioned(std::move(pod)));
    return {};
  }
  // Lets the server process one read call.
  void ServeRead(bool may_fail) {
    if (api_.reads.empty()) return;
    const size_t i = Random(api_.reads.size());
    RecordingApi::ReadCall call = std::move(api_.reads[i]);
    api_.reads.erase(api_.reads.begin() + static_cast<ptrdiff_t>(i));
    answers_.emplace_back([call, read = TryRead(call, may_fail)] { call.done(read); });
  }
  Result<std::shared_ptr<const api::Pod>> TryRead(const RecordingApi::ReadCall& call,
                                                  bool may_fail) {
    if (may_fail && Chance(20)) return Fail(Reason::kInternalError, "bad luck");
    const auto found = pods_.find(call.pod.uid);
    if (found == pods_.end()) return Fail(Reason::kNotFound, "no such pod");
    return found->second;
  }
  // Deletes one terminating pod, like its kubelet. Returns false without such a pod.
  bool LetGo() {
    for (auto pod = pods_.begin(); pod != pods_.end(); ++pod) {
      if (!pod->second->metadata.deletion_timestamp) continue;
      Remove(pod);
      return true;
    }
    return false;
  }

  void PutNode() {
    const std::string name = "n" + std::to_string(Random(6));
    auto builder = Node(name, "cpu=" + std::to_string(1 + Random(6)) + ",pods=10");
    auto& stored = nodes_[name];
    const bool is_another = stored == nullptr || Chance(10);
    builder.Uid(is_another ? "node-" + std::to_string(++version_) : stored->metadata.uid);
    builder.Label("topology.kubernetes.io/zone", std::to_string(Random(2)));
    const auto node = Versioned(*builder.Build());
    const auto before = std::exchange(stored, node);
    RecordStored(node);
    Tell([this, before, node] {
      before ? scheduler_.On(api::Modified(before, node)) : scheduler_.On(api::Added(node));
    });
  }
  void DeleteNode() {
    if (nodes_.empty()) return;
    const auto victim = Any(nodes_);
    RecordGone(victim->second);
    Tell([this, node = victim->second] { scheduler_.On(api::Deleted(node)); });
    nodes_.erase(victim);
  }

  // Lets the server process one bind call; its response may arrive long after the event, or before
  // it.
  void ServeBind(bool may_fail) {
    if (api_.binds.empty()) return;
    const size_t i = Random(api_.binds.size());
    RecordingCall call = std::move(api_.binds[i]);
    api_.binds.erase(api_.binds.begin() + static_cast<ptrdiff_t>(i));
    answers_.emplace_back([call, result = TryBind(call, may_fail)] { call.done(result); });
  }
  using RecordingCall = RecordingApi::BindCall;
  Result<void> TryBind(const RecordingCall& call, bool may_fail) {
    if (may_fail && Chance(20)) return Fail(Reason::kInternalError, "bad luck");
    const auto found = pods_.find(call.pod.uid);
    if (found == pods_.end()) return Fail(Reason::kNotFound, "no such pod");
    if (!found->second->spec.node_name.empty()) return Fail(Reason::kConflict, "already assigned");
    EXPECT_TRUE(bound_.insert(call.pod.uid).second) << call.pod.uid << " was bound twice";
    api::Pod pod = *found->second;
    pod.spec.node_name = call.node;
    Put(Versioned(std::move(pod)));
    return {};
  }
  void BindByAnotherClient() {
    for (const auto& [uid, stored] : pods_) {
      if (!stored->spec.node_name.empty() || nodes_.empty()) continue;
      api::Pod pod = *stored;
      pod.spec.node_name = Any(nodes_)->first;
      return Put(Versioned(std::move(pod)));
    }
  }

  void DeliverEvent() {
    if (events_.empty()) return;
    events_.front()();
    events_.pop_front();
  }
  void DeliverAnswer() {
    if (answers_.empty()) return;
    const size_t i = Random(answers_.size());
    const auto answer = answers_[i];
    answers_.erase(answers_.begin() + static_cast<ptrdiff_t>(i));
    answer();
  }
  void AnswerPlugins(bool may_fail) {
    auto waiting = std::exchange(script_.pre_binds, {});
    for (const StatusDone& done : waiting) {
      done(may_fail && Chance(20) ? Status::Failed("no volume") : Status::Success());
    }
    std::vector<std::string> uids;
    scheduler_.waiting().ForEach([&](const PendingPod& pod) { uids.push_back(pod.uid()); });
    for (const std::string& uid : uids) {
      if (may_fail && Chance(30)) {
        scheduler_.waiting().Reject(uid, "Scripted", "no");
      } else {
        scheduler_.waiting().Allow(uid, "Scripted");
      }
    }
  }

  void Step() {
    const size_t dice = Random(100);
    if (dice < 8) return CreatePod();
    if (dice < 12) return ChangePod();
    if (dice < 16) return DeletePod();
    if (dice < 19) return PutNode();
    if (dice < 20) return Chance(30) ? DeleteNode() : BindByAnotherClient();
    if (dice < 30) return ServeBind(true);
    if (dice < 40) return DeliverAnswer();
    if (dice < 45) return AnswerPlugins(true);
    if (dice < 52) return Pass(std::chrono::milliseconds(Random(1500)));
    if (dice < 65) return static_cast<void>(scheduler_.ScheduleOne());
    if (dice < 66) return PreemptForAnyone();
    if (dice < 71) return ServeVictim(true);
    if (dice < 72) return static_cast<void>(LetGo());
    DeliverEvent();
  }
  // Stops all changes and completes the pending work.
  void Settle(int rounds = 400) {
    for (int round = 0; round < rounds; ++round) {
      while (!events_.empty()) DeliverEvent();
      Run();
      AnswerPlugins(false);
      while (!api_.binds.empty()) ServeBind(false);
      while (!api_.victims.empty()) ServeVictim(false);
      while (!api_.reads.empty()) ServeRead(false);
      while (LetGo()) continue;
      while (!answers_.empty()) DeliverAnswer();
      Pass(std::chrono::seconds(1));
    }
    while (!events_.empty()) DeliverEvent();
  }
  template <class Map>
  static auto Values(const Map& map) {
    std::vector<typename Map::mapped_type> values;
    for (const auto& [key, value] : map) values.push_back(value);
    return values;
  }
  void ExpectNoPodIsLeftThatFits() {
    const Cache& cache = scheduler_.cache();
    for (const auto& [uid, pod] : pods_) {
      if (!pod->spec.node_name.empty()) continue;
      const auto info = PendingPod::Create(pod, words_);
      for (const Slot slot : cache.Order()) {
        const bool fits_cpu = cache.Columns().requested(ResourceColumns::kMilliCpu, slot) + 1000 <=
                              cache.Columns().allocatable(ResourceColumns::kMilliCpu, slot);
        const bool fits_pods = cache.At(slot).pods.size() < 10;
        EXPECT_FALSE(fits_cpu && fits_pods) << uid << " fits " << cache.At(slot).name.text();
      }
    }
  }

  void ExpectNoPodIsGated() {
    for (const std::string& uid : scheduler_.queue().Uids()) {
      EXPECT_FALSE(scheduler_.evictor().IsPreempting(uid)) << uid;
      EXPECT_NE(scheduler_.queue().WhereIs(uid), QueueName::kGated) << uid;
    }
  }

  // Gates pods like DefaultPreemption.
  Script gate_{.name = "Gate"};
  std::mt19937 random_;
  uint64_t version_ = 0;
  Pods pods_;
  Nodes nodes_;
  std::deque<std::function<void()>> events_;
  std::vector<std::function<void()>> answers_;
  std::set<std::string> bound_;
};

}  // namespace berth::scheduler::testing
