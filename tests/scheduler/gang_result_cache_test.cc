// SPDX-License-Identifier: Apache-2.0
// Coscheduling returns no result for single nodes, so results of other plugins are cached as
// without it.
#include "api/pod_group.h"
#include "scheduler/framework/result_cache.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/loop_fixture.h"

namespace berth::scheduler {
namespace {

using testing::LoopTest;
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

}  // namespace
}  // namespace berth::scheduler
