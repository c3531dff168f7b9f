// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/pod_group.h"
#include "tests/scheduler/loop_fixture.h"
#include "tests/scheduler/preemption/preemption_world.h"

namespace berth::scheduler::testing {

// GangTest runs the loop with a profile that has Coscheduling.
class GangTest : public LoopTest {
 protected:
  GangTest() { ServeGangs(); }

  void ServeGangs(const std::string& args = "{}") {
    scheduler_.SetProfiles(
        {{"test", testing::TestProfile({clock_, api_, words_}, "test", {&script_},
                                       {"SchedulingGates", "NodeResourcesFit", "NodeName",
                                        "DefaultPreemption", "Coscheduling"},
                                       nullptr, {{.name = "Coscheduling", .args = {args}}})}});
  }
  void PutGroup(const std::string& name, int32_t min_member,
                std::optional<api::ResourceList> min_resources = {},
                std::optional<int32_t> timeout = {}, int32_t succeeded = 0) {
    api::PodGroup group;
    group.metadata.name = name;
    group.metadata.namespace_ = "default";
    group.metadata.uid = "group-" + name;
    group.spec.min_member = min_member;
    group.spec.min_resources = std::move(min_resources);
    group.spec.schedule_timeout_seconds = timeout;
    group.status.succeeded = succeeded;
    scheduler_.On(api::Added(std::make_shared<const api::PodGroup>(std::move(group))));
  }
  static PodBuilder Member(const std::string& gang, int i) {
    return Labelled(gang + "-" + std::to_string(i));
  }
  void AddMembers(const std::string& gang, int count) {
    for (int i = 0; i < count; ++i) scheduler_.On(api::Added(Member(gang, i).Build()));
  }
  void AddNodes(int count, const std::string& room = "cpu=2,pods=10") {
    for (int i = 0; i < count; ++i) {
      scheduler_.On(api::Added(Node("n" + std::to_string(i), room).Build()));
    }
  }
  // Shows the bound pods in this phase and answers their bind calls.
  void ConfirmAll(const std::string& phase = "") {
    for (const auto& call : std::exchange(api_.binds, {})) {
      auto pod = PodBuilder(Labelled(call.pod.name)).OnNode(call.node).Build();
      api::Pod running = *pod;
      running.status.phase = phase;
      running.metadata.resource_version = std::to_string(++version_);
      scheduler_.On(api::Added(std::make_shared<const api::Pod>(std::move(running))));
      call.done({});
    }
  }
  static PodBuilder Labelled(const std::string& name) {
    const std::string gang = name.substr(0, name.find('-'));
    return Pod(name)
        .Label(std::string(api::kPodGroupLabel), gang)
        .ControlledBy("batch/v1", "Job", gang);
  }
  // Fails the binding of a pod permanently.
  void RejectBind(const std::string& name) {
    const auto call =
        std::ranges::find(api_.binds, name, [](const auto& each) { return each.pod.name; });
    ASSERT_NE(call, api_.binds.end());
    const auto done = call->done;
    api_.binds.erase(call);
    done(Fail(Reason::kForbidden, "no"));
  }
  std::vector<std::string> VictimsOf(const std::string& call) const {
    std::vector<std::string> names;
    for (const auto& victim : api_.victims) {
      if (victim.call == call) names.push_back(victim.pod.name);
    }
    return names;
  }
  // Returns the event notes of a pod.
  std::vector<std::string> NotesOf(const std::string& name) const {
    std::vector<std::string> notes;
    for (const auto& [pod, event] : api_.events) {
      if (pod.name == name) notes.push_back(event.note);
    }
    return notes;
  }

  int version_ = 100;
};

}  // namespace berth::scheduler::testing
