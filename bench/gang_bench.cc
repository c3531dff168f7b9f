// SPDX-License-Identifier: Apache-2.0
// Gangs: a gang that is placed, and many gangs that wait for room.
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/pod_group.h"
#include "base/check.h"
#include "base/fake_clock.h"
#include "bench/cases.h"
#include "bench/fixtures.h"
#include "bench/loop_work.h"
#include "scheduler/observer.h"
#include "scheduler/scheduler.h"

namespace berth::bench {
namespace {

using PodPtr = std::shared_ptr<const api::Pod>;

std::shared_ptr<const api::PodGroup> GroupOf(const std::string& name, const api::Pod& member,
                                             size_t min_member) {
  auto group = std::make_shared<api::PodGroup>();
  group->metadata.name = name;
  group->metadata.namespace_ = member.metadata.namespace_;
  group->metadata.uid = "group-" + name;
  group->spec.min_member = static_cast<int32_t>(min_member);
  return group;
}

PodPtr MemberOf(const std::string& group, const api::Pod& pod) {
  auto member = std::make_shared<api::Pod>(pod);
  member->metadata.labels[std::string(api::kPodGroupLabel)] = group;
  return member;
}

scheduler::ProfileMap Coscheduling(const scheduler::PluginHandle& handle) {
  const auto profile = ProfileWithCoscheduling(handle);
  return {{profile->scheduler_name(), profile}};
}

enum class Kind { kSinglePods, kGang };

// Runs the loop of core_bench.cc with Coscheduling; its pods are one gang, or single pods.
Case One(std::string_view name, const Scale& scale, Kind kind) {
  return {fmt::format("gangs/{}/nodes:{}", name, scale.nodes), [scale, kind] {
            LoopObjects objects = MakeLoopObjects(
                {.nodes = scale.nodes, .pods_per_node = scale.pods_per_node, .round = scale.round});
            if (kind == Kind::kGang) {
              objects.groups = {GroupOf("g", *objects.pods.front(), scale.round)};
              for (PodPtr& pod : objects.pods) pod = MemberOf("g", *pod);
            }
            return std::make_unique<LoopWork>(std::move(objects), &Coscheduling);
          }};
}

// EchoingApi stores the written conditions, for the watch to deliver.
class EchoingApi final : public InstantApi {
 public:
  void PatchPodStatus(const scheduler::PodRef& pod, scheduler::PodStatusPatch patch,
                      Done done) override {
    if (patch.condition) conditions[pod.uid] = *patch.condition;
    done({});
  }

  std::map<std::string, api::PodCondition> conditions;  // by UID
};

class AttemptCounter final : public scheduler::SchedulerObserver {
 public:
  void OnAttempt(scheduler::AttemptResult, std::string_view, Duration) override { ++count; }

  size_t count = 0;
};

// The room for a gang of WaitingGangs: none, or a node of its own that holds some of its members.
enum class Room { kForNone, kForSome };

PodShape MemberShape(size_t gang, size_t members, Room room) {
  if (room == Room::kForNone) return HugeShape();
  PodShape shape = PlainShape();
  shape.constraints = fmt::format(R"("nodeSelector":{{"{}":"{}"}},)", kHostname, NodeName(gang));
  constexpr int64_t kMilliCpuOfAll = 128'000;  // twice the CPU of the largest node
  shape.milli_cpu = kMilliCpuOfAll / static_cast<int64_t>(members);
  return shape;
}

// WaitingGangs simulates seconds in a cluster with waiting gangs that do not fit. It delivers
// events and runs the scheduler: node heartbeats, a label and allocatable resources that change and
// change back, pods that are added, changed and deleted on nodes; and once a second the scheduler's
// own writes.
class WaitingGangs final : public Workload {
 public:
  WaitingGangs(const Scale& scale, size_t gangs, Room room);

  size_t Operations() const override { return kSeconds; }
  void Round(Meter& meter) override;

 private:
  static constexpr size_t kSeconds = 20;  // twice the longest backoff
  struct ChangingNode {
    std::shared_ptr<const api::Node> now, heartbeat, label, allocatable, original;
  };

  void Event(size_t number);
  void ChangeNode(ChangingNode& node, const std::shared_ptr<const api::Node>& after);
  void Echo(Meter& meter);
  void Work();

  const size_t events_;  // in a second

  FakeClock clock_;
  EchoingApi api_;
  scheduler::Vocabulary words_;
  AttemptCounter attempts_;
  scheduler::Scheduler scheduler_{clock_, api_, words_, attempts_};
  std::map<std::string, PodPtr> members_;  // by UID
  std::vector<ChangingNode> nodes_;
  std::vector<PodPtr> coming_, changed_;  // the same pods
  size_t next_ = 0;
  uint64_t version_ = 0;
};

WaitingGangs::WaitingGangs(const Scale& scale, size_t gangs, Room room)
    : events_(scale.events_a_second) {
  scheduler_.SetProfiles(Coscheduling({clock_, api_, words_}));
  ClusterObjects cluster = MakeCluster(scale.nodes, scale.pods_per_node);
  for (const auto& node : cluster.nodes) scheduler_.On(api::Added(node));
  for (const auto& pod : cluster.pods) scheduler_.On(api::Added(pod));
  constexpr size_t kChanging = 200;
  for (size_t i = 0; i < kChanging; ++i) {
    const size_t node = i * scale.nodes / kChanging;
    nodes_.push_back({.now = cluster.nodes[node],
                      .heartbeat = MakeNode(node, {.heartbeat = 5}),
                      .label = MakeNode(node, {.revision = 1}),
                      .allocatable = MakeNode(node, {.cpu_taken = 1}),
                      .original = cluster.nodes[node]});
  }
  size_t serial = kFirstFreeSerial;
  for (size_t i = 0; i < kChanging; ++i) {
    coming_.push_back(MakePod(serial++, PlainShape(), NodeName(i * scale.nodes / kChanging)));
    auto changed = std::make_shared<api::Pod>(*coming_.back());
    changed->metadata.labels["phase"] = "ready";
    changed->metadata.resource_version += "0";
    changed_.push_back(std::move(changed));
  }
  for (size_t gang = 0; gang < gangs; ++gang) {
    const std::string name = fmt::format("g{}", gang);
    for (size_t i = 0; i < scale.waiting_members; ++i) {
      const PodPtr pod =
          MemberOf(name, *MakePod(serial++, MemberShape(gang, scale.waiting_members, room)));
      if (i == 0) scheduler_.On(api::Added(GroupOf(name, *pod, scale.waiting_members)));
      scheduler_.On(api::Added(pod));
      members_.emplace(pod->metadata.uid, pod);
    }
  }
  // Runs until all backoffs are at their maximum.
  Unmeasured warm_up;
  for (int i = 0; i < 2; ++i) Round(warm_up);
}

void WaitingGangs::Round(Meter& meter) {
  const size_t attempts_before = attempts_.count;
  for (size_t second = 0; second < kSeconds; ++second) {
    {
      const Measured measured(meter);
      for (size_t i = 0; i < events_; ++i) {
        clock_.Advance(std::chrono::nanoseconds(std::chrono::seconds(1)) / events_);
        Event(next_++);
        Work();
      }
    }
    Echo(meter);
  }
  BERTH_CHECK(api_.bindings.empty(), "no gang fits");
  BERTH_CHECK(attempts_.count - attempts_before >= members_.size(), "every gang was woken");
}

void WaitingGangs::Event(size_t number) {
  ChangingNode& node = nodes_[number / 10 % nodes_.size()];
  const size_t pod = number / 10 % coming_.size();
  switch (number % 10) {
    case 0:
    case 2:
      return ChangeNode(node, node.heartbeat);
    case 4:
      return ChangeNode(node, node.label);
    case 6:
      return ChangeNode(node, node.allocatable);
    case 3:
      return scheduler_.On(api::Added(coming_[pod]));
    case 5:
      return scheduler_.On(api::Added(changed_[pod]));
    case 9:
      return scheduler_.On(api::Deleted<api::Pod>(coming_[pod]->metadata.uid));
    default:
      return ChangeNode(node, node.original);
  }
}

void WaitingGangs::ChangeNode(ChangingNode& node, const std::shared_ptr<const api::Node>& after) {
  const auto before = std::exchange(node.now, after);
  scheduler_.On(api::Modified(before, after));
}

// Delivers updates of the pods with new conditions.
void WaitingGangs::Echo(Meter& meter) {
  std::vector<PodPtr> written;
  for (auto& [uid, condition] : std::exchange(api_.conditions, {})) {
    auto pod = std::make_shared<api::Pod>(*members_.at(uid));
    pod->status.conditions = {condition};
    pod->metadata.resource_version = std::to_string(++version_);
    written.push_back(members_[uid] = std::move(pod));
  }
  if (written.empty()) return;
  const Measured measured(meter);
  for (const PodPtr& pod : written) scheduler_.On(api::Added(pod));
}

void WaitingGangs::Work() {
  scheduler_.Tick();
  while (scheduler_.ScheduleOne()) {
  }
}

Case Waiting(std::string_view name, const Scale& scale, size_t gangs, Room room) {
  return {fmt::format("gangs/{}/nodes:{}", name, scale.nodes),
          [scale, gangs, room] { return std::make_unique<WaitingGangs>(scale, gangs, room); }};
}

}  // namespace

std::vector<Case> GangCases(const Scale& scale) {
  return {One("one_gang", scale, Kind::kGang), One("single_pods", scale, Kind::kSinglePods),
          Waiting("a_second_of_events", scale, 0, Room::kForNone),
          Waiting("a_second_without_room", scale, scale.waiting_gangs, Room::kForNone),
          Waiting("a_second_with_room_for_some", scale, scale.waiting_gangs, Room::kForSome)};
}

}  // namespace berth::bench
