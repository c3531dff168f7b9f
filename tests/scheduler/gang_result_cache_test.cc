// SPDX-License-Identifier: Apache-2.0
// Coscheduling returns no result for single nodes, so results of other plugins are cached as
// without it. Equivalent members share one rejection, which changes nothing that is written.
#include <algorithm>
#include <memory>

#include "api/pod_group.h"
#include "scheduler/framework/result_cache.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/loop_fixture.h"
#include "tests/scheduler/testing/random.h"

namespace berth::scheduler {
namespace {

using testing::LoopTest;
using testing::MakePod;
using testing::NodeBuilder;
using testing::PodBuilder;

class GangResultCache final : public LoopTest {
 public:
  enum class Pods { kUnique, kOneGang };

  GangResultCache(bool with_coscheduling, Pods pods) {
    api::KubeSchedulerProfile spec;
    spec.scheduler_name = "test";
    if (with_coscheduling) {
      spec.plugins.multi_point.disabled = {{"PrioritySort"}};
      spec.plugins.multi_point.enabled = {{"Coscheduling"}};
    }
    auto profile = scheduler::Profile::Create(spec, 0, MakeRegistry(), {clock_, api_, words_});
    BERTH_CHECK(profile.has_value(), profile.error().message());
    scheduler_.SetProfiles({{"test", *profile}});
    for (int i = 0; i < 20; ++i) {
      scheduler_.On(api::Added(Node("n" + std::to_string(i)).Build()));
    }
    constexpr int kPods = 12;
    api::PodGroup group;
    group.metadata.name = "g";
    group.metadata.namespace_ = "default";
    group.metadata.uid = "group";
    group.spec.min_member = kPods;
    scheduler_.On(api::Added(std::make_shared<const api::PodGroup>(group)));
    for (int i = 0; i < kPods; ++i) {
      PodBuilder pod = Pod("p" + std::to_string(10 + i));
      if (pods == Pods::kOneGang) pod.Label(std::string(api::kPodGroupLabel), "g");
      scheduler_.On(api::Added(pod.Build()));
    }
    Run();
    BERTH_CHECK(Bound().size() == kPods, "all pods must fit");
  }
  void TestBody() override {}

  ResultCacheStatistics statistics() const { return scheduler_.result_cache()->statistics(); }
};

TEST(GangResultCacheTest, CachesTheSameResultsWithAndWithoutThePlugin) {
  for (const auto pods : {GangResultCache::Pods::kUnique, GangResultCache::Pods::kOneGang}) {
    const ResultCacheStatistics without = GangResultCache(false, pods).statistics();
    const ResultCacheStatistics with = GangResultCache(true, pods).statistics();
    EXPECT_GT(without.kept, 0u) << "equivalent pods share results";
    EXPECT_EQ(with.kept, without.kept);
    EXPECT_EQ(with.computed, without.computed);
    EXPECT_EQ(with.items, without.items);
  }
}

// RejectedGang has the default plugins and Coscheduling, without random choices.
class RejectedGang final : public LoopTest {
 public:
  explicit RejectedGang(size_t result_cache_bytes = ResultCache::kDefaultBytes) {
    std::destroy_at(&scheduler_);
    std::construct_at(&scheduler_, clock_, api_, words_, witness_, QueueOptions{},
                      [] { return 0.0; });
    scheduler_.SetResultCacheBytes(result_cache_bytes);
    api::KubeSchedulerProfile spec;
    spec.scheduler_name = "test";
    spec.plugins.multi_point.disabled = {{"PrioritySort"}};
    spec.plugins.multi_point.enabled = {{"Coscheduling"}};
    auto profile = scheduler::Profile::Create(spec, 0, MakeRegistry(), {clock_, api_, words_});
    BERTH_CHECK(profile.has_value(), profile.error().message());
    scheduler_.SetProfiles({{"test", *profile}});
  }
  void TestBody() override {}

  void PutGroup(int32_t min_member) {
    api::PodGroup group;
    group.metadata.name = "g";
    group.metadata.namespace_ = "default";
    group.metadata.uid = "group";
    group.spec.min_member = min_member;
    scheduler_.On(api::Added(std::make_shared<const api::PodGroup>(group)));
  }
  static PodBuilder Member(int i) {
    return Pod("g-" + std::to_string(100 + i)).Label(std::string(api::kPodGroupLabel), "g");
  }
  // Adds nodes, of which some are full, and a gang with a few kinds of members.
  void AddRandom(uint64_t seed) {
    testing::Random random(seed);
    const size_t nodes = 1 + random.Below(5);
    for (size_t i = 0; i < nodes; ++i) {
      const std::string name = "n" + std::to_string(i);
      auto node = Node(name, "cpu=4,memory=8Gi,pods=10").Label("disk", random.OneIn(2) ? "a" : "b");
      if (random.OneIn(4)) node.Taint("gpu");
      scheduler_.On(api::Added(node.Build()));
      for (size_t k = random.Below(4); k > 0; --k) {
        scheduler_.On(api::Added(MakePod(name + "-" + std::to_string(k))
                                     .Requests("cpu=1")
                                     .Label("app", random.OneIn(2) ? "a" : "b")
                                     .Priority(static_cast<int32_t>(random.Below(3)))
                                     .OnNode(name)
                                     .Build()));
      }
    }
    const auto size = static_cast<int>(1 + random.Below(12));
    PutGroup(static_cast<int32_t>(1 + random.Below(static_cast<size_t>(size))));
    for (int i = 0; i < size; ++i) scheduler_.On(api::Added(RandomMember(random, i).Build()));
  }
  // Lets all backoffs end a few times.
  void RunAll() {
    for (int i = 0; i < 3; ++i) {
      Run();
      Pass(std::chrono::seconds(30));
    }
  }
  // Returns all calls to the API server.
  std::vector<std::string> Calls() const {
    std::vector<std::string> calls = Bound();
    for (const auto& [pod, event] : api_.events) calls.push_back(pod.name + ": " + event.note);
    for (const auto& call : api_.patches) {
      calls.push_back(call.pod.name + " nominated to " +
                      call.patch.nominated_node_name.value_or("-") + ", " +
                      (call.patch.condition ? call.patch.condition->message : "no condition"));
    }
    for (const auto& call : api_.victims) calls.push_back(call.call + " " + call.pod.name);
    return calls;
  }
  // Returns the number of results for nodes that were looked up or computed.
  size_t results() const {
    const ResultCacheStatistics statistics = scheduler_.result_cache()->statistics();
    return statistics.kept + statistics.computed;
  }
  const std::vector<std::string>& attempts() const { return witness_.attempts; }
  int RunOnce() { return Run(); }
  void Put(const NodeBuilder& node) { scheduler_.On(api::Added(NodeBuilder(node).Build())); }
  void Put(const PodBuilder& pod) { scheduler_.On(api::Added(PodBuilder(pod).Build())); }
  using LoopTest::Node;

 private:
  static PodBuilder RandomMember(testing::Random& random, int i) {
    PodBuilder pod = Member(i);
    pod.Requests(random.Pick({"cpu=1", "cpu=2", "cpu=9", "cpu=1,memory=4Gi"}));
    pod.Priority(static_cast<int32_t>(random.Below(3)));
    if (random.OneIn(3)) pod.Label("app", "a");
    if (random.OneIn(5)) pod.NodeSelector("disk", "a");
    if (random.OneIn(5)) pod.Toleration("gpu");
    if (random.OneIn(5)) pod.HostPort(80);
    if (random.OneIn(5)) pod.raw().spec.preemption_policy = "Never";
    if (random.OneIn(8)) pod.Nominated("n0");
    return pod;
  }
};

TEST(GangResultCacheTest, EquivalentMembersAreRejectedByOneSearch) {
  const auto results_of = [](int members) {
    RejectedGang gang;
    for (int i = 0; i < 20; ++i) gang.Put(RejectedGang::Node("n" + std::to_string(i)));
    gang.PutGroup(1);
    for (int i = 0; i < members; ++i) gang.Put(RejectedGang::Member(i).Requests("cpu=9"));
    EXPECT_EQ(gang.RunOnce(), 1);
    EXPECT_EQ(gang.attempts().size(), static_cast<size_t>(members));
    return gang.results();
  };
  EXPECT_EQ(results_of(100), results_of(2));
}

TEST(GangResultCacheTest, CallsAreEqualWithAndWithoutSharedRejections) {
  size_t rejected = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RejectedGang with;
    RejectedGang without(0);
    for (RejectedGang* gang : {&with, &without}) {
      gang->AddRandom(seed);
      gang->RunAll();
    }
    ASSERT_EQ(with.Calls(), without.Calls());
    ASSERT_EQ(with.attempts(), without.attempts());
    rejected += std::ranges::count(with.attempts(), "test unschedulable");
  }
  EXPECT_GT(rejected, 300u) << "too few members were rejected for a meaningful test";
}

}  // namespace
}  // namespace berth::scheduler
