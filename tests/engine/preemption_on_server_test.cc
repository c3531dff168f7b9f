// SPDX-License-Identifier: Apache-2.0
// Preemption in a whole scheduler while victims, budgets or the preemptor change.
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "api/pod.h"
#include "api/policy.h"
#include "client/api_request.h"
#include "scheduler/preemption/overdue.h"
#include "tests/engine/engine_fixture.h"
#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

using http::Eventually;
using std::chrono::seconds;

constexpr const char* kCachedPods = R"(scheduler_cache_size{type="pods"})";
constexpr const char* kSearches = "scheduler_scheduling_algorithm_duration_seconds_count";
constexpr const char* kChosen = "scheduler_preemption_victims_sum";
constexpr const char* kDone =
    R"(scheduler_preemption_goroutines_execution_total{result="success"})";

class PreemptionOnServer : public EngineTest {
 protected:
  PreemptionOnServer() {
    for (const auto& [name, value] : {std::pair("higher", "5"), std::pair("highest", "10")}) {
      const std::string metadata = R"("metadata": {"name": ")" + std::string(name) + R"("})";
      const auto made = admin_.Call(client::CreateRequest(
          kPriorityClass, "",
          R"({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "value": )" +
              std::string(value) + ", " + metadata + "}"));
      EXPECT_TRUE(made) << made.error().message();
    }
  }

  // A running pod that terminates at once when deleted.
  struct Running {
    std::string name;
    std::string node;
    std::string priority_class = "";
    std::vector<std::string> finalizers = {};
  };
  void Run(const Running& running) {
    api::Pod pod = Pod(running.name, "1", running.priority_class);
    pod.metadata.labels = {{"app", running.name}};
    pod.metadata.finalizers = running.finalizers;
    pod.spec.node_name = running.node;
    pod.spec.termination_grace_period_seconds = 0;
    ASSERT_TRUE(admin_.Create(pod));
    ASSERT_TRUE(admin_.Patch<api::Pod>(
        "default", running.name,
        R"({"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}})",
        {.type = client::PatchType::kStrategicMerge}, "status"));
  }
  void AddUrgent(const std::string& cpu) {
    ASSERT_TRUE(admin_.Create(Pod("urgent", cpu, "highest")));
  }

  // Starts a scheduler that has seen all pods and retries without delay.
  void Begin(const std::string& preemption_args, double pods) {
    const std::string backoff = "podInitialBackoffSeconds: 1\npodMaxBackoffSeconds: 1\n";
    Start(Config({"hello"}, std::string(kUnique) + backoff) +
              "  pluginConfig: [{name: DefaultPreemption, args: {" + preemption_args + "}}]\n",
          {.max_unschedulable = seconds(60)});
    ASSERT_TRUE(Eventually([&] { return NotReady().empty() && Figure(kCachedPods) == pods; }))
        << NotReady();
  }

  std::optional<api::Pod> Find(const std::string& name) {
    auto pod = admin_.Get<api::Pod>("default", name);
    return pod ? std::optional(std::move(*pod)) : std::nullopt;
  }
  bool IsGone(const std::string& name) { return !Find(name).has_value(); }
  bool IsGoing(const std::string& name) {
    const auto pod = Find(name);
    return pod && pod->metadata.deletion_timestamp.has_value();
  }
  bool IsMarked(const std::string& name) {
    const auto pod = Find(name);
    return pod && std::ranges::any_of(pod->status.conditions, [](const auto& condition) {
             return condition.type == "DisruptionTarget";
           });
  }
  std::string NominatedNode() { return Find("urgent")->status.nominated_node_name; }
  void DelayVictims(const std::string& verb, const std::string& subresource) {
    memory_.Inject(R"({"action": "delay", "resource": "pods", "verb": ")" + verb +
                   R"(", "subresource": ")" + subresource + R"(", "delayMilliseconds": 700})");
  }

 private:
  static constexpr api::ResourceInfo kPriorityClass{.group = "scheduling.k8s.io",
                                                    .version = "v1",
                                                    .kind = "PriorityClass",
                                                    .plural = "priorityclasses",
                                                    .namespaced = false};

  static api::Pod Pod(const std::string& name, const std::string& cpu,
                      const std::string& priority_class) {
    api::Pod pod;
    pod.metadata.namespace_ = "default";
    pod.metadata.name = name;
    pod.spec.scheduler_name = "hello";
    pod.spec.priority_class_name = priority_class;
    pod.spec.containers.resize(1);
    pod.spec.containers[0].name = "c";
    pod.spec.containers[0].image = "example.com/c";
    pod.spec.containers[0].resources.requests["cpu"] = *Quantity::Parse(cpu);
    return pod;
  }
};

TEST_F(PreemptionOnServer, ChoosesAnotherNodeIfAFinalizerHoldsTheVictim) {
  AddNode("n1", "1");
  AddNode("n2", "1");
  Run({.name = "held", .node = "n1", .finalizers = {"example.com/hold"}});
  Run({.name = "other", .node = "n2", .priority_class = "higher"});
  Begin("", 2);
  AddUrgent("1");
  ASSERT_TRUE(Eventually([&] { return IsGoing("held") && NominatedNode() == "n1"; }));

  const double searches = Figure(kSearches);
  clock_.Leap(seconds(90));
  ASSERT_TRUE(Eventually([&] {
    Wake();
    return Figure(kSearches) > searches;
  }));
  EXPECT_EQ(Figure(kChosen), 1) << "the victim may still terminate";
  EXPECT_EQ(NominatedNode(), "n1");

  clock_.Leap(scheduler::kGoneAtLatest);
  EXPECT_TRUE(Eventually([&] {
    Wake();
    return NodeOf("urgent") == "n2";
  }));
  EXPECT_TRUE(IsGone("other"));
  EXPECT_TRUE(IsGoing("held"));
}

TEST_F(PreemptionOnServer, VictimDeletedByAnotherClientCostsNoOtherVictim) {
  AddNode("n1", "1");
  AddNode("n2", "1");
  Run({.name = "gone", .node = "n1"});
  Run({.name = "other", .node = "n2", .priority_class = "higher"});
  Begin("", 2);
  DelayVictims("patch", "status");
  AddUrgent("1");
  ASSERT_TRUE(Eventually([&] { return Figure(kChosen) == 1; }));
  ASSERT_TRUE(admin_.Delete<api::Pod>("default", "gone"));
  EXPECT_TRUE(EventuallyOn("urgent", "n1"));
  EXPECT_FALSE(IsGone("other"));
  EXPECT_EQ(Figure(kChosen), 1);
  EXPECT_TRUE(Eventually([&] { return Figure(kDone) == 1; }));
}

TEST_F(PreemptionOnServer, BudgetThatChangesDuringPreemptionIsRespected) {
  api::PodDisruptionBudget budget;
  budget.metadata.namespace_ = "default";
  budget.metadata.name = "web";
  budget.spec.selector.emplace().match_labels = {{"app", "web"}};
  const auto allow = [&](int32_t disruptions) {
    budget.status.observed_generation = budget.metadata.generation;
    budget.status.disruptions_allowed = disruptions;
    const auto updated = admin_.Update(budget, "status");
    ASSERT_TRUE(updated) << updated.error().message();
    budget = *updated;
  };
  budget = admin_.Create(budget).value();
  allow(1);
  AddNode("n1", "1");
  AddNode("n2", "1");
  Run({.name = "web", .node = "n1"});
  Run({.name = "other", .node = "n2", .priority_class = "higher"});
  Begin("pdb: Respect", 2);
  DelayVictims("create", "eviction");
  AddUrgent("1");
  ASSERT_TRUE(Eventually([&] { return Figure(kChosen) == 1; }));
  allow(0);
  EXPECT_TRUE(EventuallyOn("urgent", "n2"));
  EXPECT_FALSE(IsGoing("web"));
  EXPECT_FALSE(IsGone("web"));
}

TEST_F(PreemptionOnServer, DeletedPreemptorSparesItsVictims) {
  AddNode("n1", "3");
  for (const char* name : {"v0", "v1", "v2"}) Run({.name = name, .node = "n1"});
  Begin("", 3);
  DelayVictims("patch", "status");
  AddUrgent("3");
  ASSERT_TRUE(Eventually([&] { return Figure(kChosen) == 3; }));
  ASSERT_TRUE(admin_.Delete<api::Pod>("default", "urgent"));
  ASSERT_TRUE(Eventually([&] { return Figure(kDone) == 1; }));
  int marked = 0;
  for (const char* name : {"v0", "v1", "v2"}) {
    EXPECT_FALSE(IsGone(name)) << name;
    EXPECT_FALSE(IsGoing(name)) << name;
    marked += IsMarked(name) ? 1 : 0;
  }
  EXPECT_EQ(marked, 2) << "it was deleted while the first victims were marked";

  memory_.server().ClearFaults();
  ASSERT_TRUE(admin_.Delete<api::Pod>("default", "v0"));
  AddPod("later", "1");
  EXPECT_TRUE(EventuallyOn("later", "n1")) << "no pod is nominated there";
}

}  // namespace
}  // namespace berth::engine
