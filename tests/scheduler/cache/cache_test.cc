// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/cache.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenario/self_check.h"
#include "scheduler/model/node_ref.h"
#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MakeNode;
using testing::MakePod;

class CacheTest : public ::testing::Test {
 protected:
  int64_t Cpu(const std::string& node) const {
    return cache_.Columns().requested(ResourceColumns::kMilliCpu, cache_.Find(node));
  }
  uint64_t EpochOf(const std::string& node, Epoch epoch) const {
    return cache_.changes().Of(cache_.Find(node), epoch);
  }
  std::vector<std::string> Order() const {
    std::vector<std::string> names;
    for (const Slot slot : cache_.Order()) names.push_back(cache_.At(slot).name.text());
    return names;
  }
  Result<void> Assume(const std::string& pod, const std::string& node) {
    return cache_.Assume(
        MakePod(pod).Requests("cpu=1").Info(words_)->AssumedOn(words_.Intern(node)));
  }

  Vocabulary words_;
  Cache cache_{words_};
};

TEST_F(CacheTest, CountsRequestsOfPodsOnTheirNode) {
  cache_.AddNode(MakeNode("n").Allocatable("cpu=4,memory=8Gi,pods=10,example.com/gpu=2").Build());
  cache_.AddPod(*MakePod("a")
                     .Requests("cpu=1,memory=1Gi,example.com/gpu=1")
                     .HostPort(80)
                     .OnNode("n")
                     .Build());
  cache_.AddPod(*MakePod("b").Requests("cpu=500m").OnNode("n").Build());
  const Slot slot = cache_.Find("n");
  const ResourceColumns& columns = cache_.Columns();
  EXPECT_EQ(columns.allocatable(ResourceColumns::kMilliCpu, slot), 4000);
  EXPECT_EQ(columns.allocatable(ResourceColumns::kPods, slot), 10);
  EXPECT_EQ(Cpu("n"), 1500);
  EXPECT_EQ(columns.requested(ResourceColumns::kMemory, slot), int64_t{1} << 30);
  EXPECT_EQ(columns.requested(ResourceColumns::kPods, slot), 2);
  EXPECT_EQ(columns.ScalarAt(words_.Find("example.com/gpu"), slot).requested, 1);
  EXPECT_EQ(cache_.At(slot).used_ports.size(), 1u);

  cache_.RemovePod("uid-a");
  EXPECT_EQ(Cpu("n"), 500);
  EXPECT_THAT(cache_.At(slot).used_ports, IsEmpty());
  EXPECT_EQ(cache_.repairs(), 0u);
}

TEST_F(CacheTest, StateIsIndependentOfNodeAndPodOrder) {
  const auto node = MakeNode("n").Allocatable("cpu=4").Label("zone", "a").Build();
  const auto pod = MakePod("a").Requests("cpu=1").OnNode("n").Build();
  cache_.AddPod(*pod);
  EXPECT_EQ(cache_.Find("n"), kNoSlot) << "a placeholder is not a node";
  EXPECT_THAT(Order(), IsEmpty());
  EXPECT_EQ(cache_.node_count(), 1u);
  cache_.AddNode(node);
  EXPECT_THAT(scenario::FindDifferences(cache_, {{node}}, {{pod}}), IsEmpty());
  EXPECT_EQ(Cpu("n"), 1000);
  EXPECT_THAT(Order(), ElementsAre("n"));

  Vocabulary words;
  Cache other(words);
  other.AddNode(node);
  other.AddPod(*pod);
  EXPECT_THAT(scenario::FindDifferences(other, {{node}}, {{pod}}), IsEmpty());
  EXPECT_EQ(other.At(other.Find("n")).pods.size(), 1u);
}

TEST_F(CacheTest, RemovedNodeStaysAsPlaceholderUntilItsLastPodIsRemoved) {
  cache_.AddNode(MakeNode("n").Allocatable("cpu=4").Label("zone", "a").Build());
  cache_.AddPod(*MakePod("a").Requests("cpu=1").OnNode("n").Build());
  cache_.RemoveNode("n");
  EXPECT_EQ(cache_.Find("n"), kNoSlot);
  EXPECT_EQ(cache_.NodeCount(), 0u);
  EXPECT_EQ(cache_.node_count(), 1u);
  cache_.RemovePod("uid-a");
  EXPECT_EQ(cache_.node_count(), 0u);
}

TEST_F(CacheTest, ReusedSlotGetsNewEpochs) {
  cache_.AddNode(MakeNode("old").Allocatable("cpu=4").Build());
  const Slot slot = cache_.Find("old");
  cache_.AddPod(*MakePod("a").Requests("cpu=1").OnNode("old").Build());
  const uint64_t object = EpochOf("old", Epoch::kNodeObject);
  const uint64_t pods = EpochOf("old", Epoch::kNodePods);
  cache_.RemoveNode("old");
  cache_.RemovePod("uid-a");
  cache_.AddNode(MakeNode("new").Allocatable("cpu=8").Build());
  EXPECT_EQ(cache_.Find("new"), slot);
  EXPECT_GT(EpochOf("new", Epoch::kNodeObject), object);
  EXPECT_GT(EpochOf("new", Epoch::kNodePods), pods);
  EXPECT_EQ(Cpu("new"), 0);
  EXPECT_THAT(cache_.At(slot).pods, IsEmpty());
}

TEST_F(CacheTest, ChangeMovesOnlyTheEpochsOfItsData) {
  auto builder = MakeNode("n").Allocatable("cpu=4");
  cache_.AddNode(builder.Build());
  cache_.AddNode(MakeNode("other").Allocatable("cpu=4").Build());
  const uint64_t object = EpochOf("n", Epoch::kNodeObject);
  const uint64_t pods = EpochOf("n", Epoch::kNodePods);
  const uint64_t other = EpochOf("other", Epoch::kNodeObject);

  builder.raw().metadata.resource_version = "2";  // a heartbeat
  builder.raw().status.conditions = {{.type = "Ready", .status = "True"}};
  cache_.UpdateNode(builder.Build());
  EXPECT_EQ(EpochOf("n", Epoch::kNodeObject), object);
  EXPECT_EQ(cache_.At(cache_.Find("n")).node->metadata.resource_version, "2");

  cache_.UpdateNode(builder.Label("disk", "ssd").Build());
  const uint64_t labelled = EpochOf("n", Epoch::kNodeObject);
  EXPECT_GT(labelled, object);
  builder.raw().status.capacity = builder.raw().status.allocatable;
  cache_.UpdateNode(builder.Build());
  const uint64_t grown = EpochOf("n", Epoch::kNodeObject);
  EXPECT_GT(grown, labelled);
  builder.raw().status.node_info.Edit().kubelet_version = "v1.36.3";
  cache_.UpdateNode(builder.Build());
  EXPECT_GT(EpochOf("n", Epoch::kNodeObject), grown);
  EXPECT_EQ(EpochOf("n", Epoch::kNodePods), pods);
  EXPECT_EQ(EpochOf("other", Epoch::kNodeObject), other);

  cache_.AddPod(*MakePod("a").Requests("cpu=1").OnNode("n").Build());
  EXPECT_GT(EpochOf("n", Epoch::kNodePods), pods);
}

TEST_F(CacheTest, ConfirmingAnAssumedPodMovesNoEpoch) {
  cache_.AddNode(MakeNode("n").Allocatable("cpu=4").Build());
  ASSERT_TRUE(Assume("a", "n"));
  EXPECT_TRUE(cache_.IsAssumed("uid-a"));
  const uint64_t pods = EpochOf("n", Epoch::kNodePods);
  cache_.AddPod(*MakePod("a").Requests("cpu=1").OnNode("n").Build());
  EXPECT_FALSE(cache_.IsAssumed("uid-a"));
  EXPECT_EQ(cache_.assumed_count(), 0u);
  EXPECT_EQ(EpochOf("n", Epoch::kNodePods), pods);
  EXPECT_EQ(cache_.repairs(), 0u);
}

TEST_F(CacheTest, NodeRefResolvesWhileTheNodeObjectExists) {
  cache_.AddNode(MakeNode("n").Build());
  const NodeRef node(cache_.At(cache_.Find("n")));
  EXPECT_EQ(NodeRef().In(cache_), nullptr);
  cache_.UpdateNode(MakeNode("n").Label("a", "b").Build());
  ASSERT_NE(node.In(cache_), nullptr);
  EXPECT_EQ(node.In(cache_)->labels.Value(words_.Find("a")), words_.Find("b"));
  cache_.AddPod(*MakePod("p").OnNode("n").Build());
  cache_.RemoveNode("n");
  EXPECT_EQ(node.In(cache_), nullptr) << "a placeholder is not a node";
  cache_.AddNode(MakeNode("n").Build());
  EXPECT_EQ(node.In(cache_), nullptr) << "another node with the same name";
  EXPECT_EQ(node.name(), "n");
}

TEST_F(CacheTest, NodeRefDoesNotResolveToANewNodeInItsSlotOrName) {
  cache_.AddNode(MakeNode("n").Build());
  const Slot slot = cache_.Find("n");
  const NodeRef node(cache_.At(slot));
  cache_.RemoveNode("n");
  cache_.AddNode(MakeNode("m").Build());
  ASSERT_EQ(cache_.Find("m"), slot);
  EXPECT_EQ(node.In(cache_), nullptr);

  const NodeRef first(cache_.At(slot));
  auto second = MakeNode("m");
  second.raw().metadata.uid = "another machine";
  cache_.UpdateNode(second.Build());
  EXPECT_EQ(first.In(cache_), nullptr);
  EXPECT_NE(NodeRef(cache_.At(cache_.Find("m"))).In(cache_), nullptr);
}

TEST_F(CacheTest, ImageChangeSetsItsVersionAndMovesNoEpoch) {
  auto node = MakeNode("n");
  node.raw().status.images = {{{"nginx:1"}, 100}};
  cache_.AddNode(node.Build());
  const auto version_of = [&](const char* image) {
    return cache_.Image(words_.Find(image)).version;
  };
  const uint64_t nginx = version_of("nginx:1");
  const uint64_t generation = cache_.Generation();
  EXPECT_EQ(cache_.Image(words_.Find("nginx:1")).size, 100);
  node.raw().status.images.push_back({{"redis:1"}, 100});
  cache_.UpdateNode(node.Build());
  EXPECT_NE(version_of("redis:1"), 0u);
  EXPECT_EQ(version_of("nginx:1"), nginx);
  EXPECT_EQ(cache_.Generation(), generation);
  cache_.RemoveNode("n");
  EXPECT_EQ(version_of("nginx:1"), 0u);
}

TEST_F(CacheTest, NamespaceLabelChangeMovesOnlyItsEpoch) {
  const uint64_t order = cache_.ClusterEpoch(Epoch::kOrder);
  const auto moved = [&](const std::function<void()>& change) {
    const uint64_t before = cache_.ClusterEpoch(Epoch::kNamespaces);
    change();
    return cache_.ClusterEpoch(Epoch::kNamespaces) > before;
  };
  api::Namespace a = testing::MakeNamespace("a", {{"team", "x"}});
  EXPECT_TRUE(moved([&] { cache_.Put(a); }));
  a.metadata.annotations["note"] = "n";
  EXPECT_FALSE(moved([&] { cache_.Put(a); }));
  a.metadata.labels["team"] = "y";
  EXPECT_TRUE(moved([&] { cache_.Put(a); }));
  EXPECT_FALSE(moved([&] { cache_.Remove(ObjectKind::kNamespace, "unknown"); }));
  EXPECT_TRUE(moved([&] { cache_.Remove(ObjectKind::kNamespace, "uid-a"); }));
  EXPECT_EQ(cache_.ClusterEpoch(Epoch::kOrder), order);
}

TEST_F(CacheTest, AssumesAPodOnceAndForgetsIt) {
  cache_.AddNode(MakeNode("n").Allocatable("cpu=4").Build());
  ASSERT_TRUE(Assume("a", "n"));
  EXPECT_EQ(Cpu("n"), 1000);
  const Result<void> again = Assume("a", "n");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().message(), "pod uid-a(default/a) is in the cache, so can't be assumed");
  EXPECT_TRUE(cache_.Forget("uid-a"));
  EXPECT_EQ(Cpu("n"), 0);
  EXPECT_TRUE(cache_.Forget("uid-a")) << "forgetting an unknown pod is no error";
}

TEST_F(CacheTest, ForgetFailsForAConfirmedPod) {
  cache_.AddPod(*MakePod("a").Requests("cpu=1").OnNode("n").Build());
  const Result<void> forgotten = cache_.Forget("uid-a");
  ASSERT_FALSE(forgotten);
  EXPECT_EQ(forgotten.error().message(),
            "pod uid-a(default/a) wasn't assumed so cannot be forgotten");
}

TEST_F(CacheTest, MovesAnAssumedPodThatIsBoundElsewhere) {
  cache_.AddNode(MakeNode("n").Allocatable("cpu=4").Build());
  cache_.AddNode(MakeNode("m").Allocatable("cpu=4").Build());
  ASSERT_TRUE(Assume("a", "n"));
  cache_.AddPod(*MakePod("a").Requests("cpu=1").OnNode("m").Build());
  EXPECT_EQ(Cpu("n"), 0);
  EXPECT_EQ(Cpu("m"), 1000);
  EXPECT_FALSE(cache_.IsAssumed("uid-a"));
  EXPECT_EQ(cache_.repairs(), 1u);
}

TEST_F(CacheTest, CorrectsItselfAfterInconsistentEvents) {
  const auto on_n = MakePod("a").Requests("cpu=1").OnNode("n").Build();
  const auto on_m = MakePod("a").Requests("cpu=2").OnNode("m").Build();
  const auto n = MakeNode("n").Build();
  const auto m = MakeNode("m").Build();
  cache_.AddNode(n);
  cache_.AddNode(m);
  cache_.UpdatePod(*on_n);  // unknown
  cache_.AddPod(*on_n);     // twice
  cache_.UpdatePod(*on_m);  // moved
  EXPECT_EQ(cache_.repairs(), 3u);
  EXPECT_THAT(scenario::FindDifferences(cache_, {{n, m}}, {{on_m}}), IsEmpty());
  cache_.RemovePod("uid-b");
  cache_.RemoveNode("x");
  EXPECT_EQ(cache_.repairs(), 5u);
}

TEST_F(CacheTest, NodeWithNewUidReplacesTheOldNode) {
  cache_.AddNode(MakeNode("n").Uid("1").Allocatable("cpu=8").Build());
  cache_.AddNode(MakeNode("m").Allocatable("cpu=8").Build());
  cache_.AddPod(*MakePod("a").Requests("cpu=3").OnNode("n").Build());
  cache_.UpdateNode(MakeNode("n").Uid("2").Allocatable("cpu=2").Build());
  const Slot slot = cache_.Find("n");
  ASSERT_NE(slot, kNoSlot);
  EXPECT_EQ(cache_.Columns().allocatable(ResourceColumns::kMilliCpu, slot), 2000);
  EXPECT_EQ(Cpu("n"), 3000) << "its pods count until they are deleted";
  EXPECT_THAT(Order(), ElementsAre("m", "n"));
  cache_.RemovePod("uid-a");
  EXPECT_EQ(Cpu("n"), 0);
  EXPECT_EQ(cache_.repairs(), 0u);
}

TEST_F(CacheTest, OrdersNodesOverZonesAndKeepsTheOrderOnUpdates) {
  const std::string zone = "topology.kubernetes.io/zone";
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"a1", "a"}, {"a2", "a"}, {"b1", "b"}}) {
    cache_.AddNode(MakeNode(name).Label(zone, value).Build());
  }
  EXPECT_THAT(Order(), ElementsAre("a1", "b1", "a2"));
  cache_.UpdateNode(MakeNode("a1").Label(zone, "a").Label("x", "y").Build());
  EXPECT_THAT(Order(), ElementsAre("a1", "b1", "a2"));
  cache_.UpdateNode(MakeNode("a1").Label(zone, "b").Build());
  EXPECT_THAT(Order(), ElementsAre("a2", "b1", "a1"));
}

TEST_F(CacheTest, DropsTheObjectOfAConfirmedPod) {
  ASSERT_TRUE(Assume("a", "n"));
  EXPECT_NE(cache_.FindPod("uid-a")->pending(), nullptr) << "the binding may need it";
  const auto confirmed = cache_.AddPod(*MakePod("a").Requests("cpu=1").OnNode("n").Build());
  EXPECT_EQ(confirmed->pending(), nullptr);
  EXPECT_EQ(cache_.FindPod("uid-a"), confirmed);
  const auto updated = cache_.UpdatePod(*MakePod("a").Requests("cpu=2").OnNode("n").Build());
  EXPECT_EQ(updated->pending(), nullptr);
  EXPECT_EQ(cache_.FindPod("uid-a"), updated);
}

// All names of the cluster change in each round. The cache must release the old ones.
TEST_F(CacheTest, MemoryStaysBoundedWhenAllNamesChange) {
  constexpr int kNodes = 10;
  size_t settled = 0;
  for (int round = 0; round < 100'000; ++round) {
    const std::string mark = std::to_string(round);
    const std::string name = "n" + std::to_string(round % kNodes);
    auto node = MakeNode(name).Label("boot", mark).Label("key-" + mark, "x");
    node.Allocatable("cpu=4,example.com/r" + mark + "=1");
    node.raw().status.images = {{{"image:" + mark, "image@" + mark}, 100}};
    cache_.UpdateNode(node.Build());
    const std::string uid = "uid-p" + std::to_string(round % kNodes);
    if (round >= kNodes) cache_.RemovePod(uid);
    cache_.AddPod(*MakePod("p-" + mark)
                       .Uid(uid)
                       .Namespace("ns-" + mark)
                       .Label("hash", mark)
                       .Requests("example.com/q" + mark + "=1")
                       .OnNode(name)
                       .Build());
    if (round % 100 == 99) cache_.RemoveNode(name);
    if (round == 1000) settled = words_.capacity();
  }
  EXPECT_LE(words_.capacity(), settled + 20);
  EXPECT_EQ(cache_.repairs(), 0u);
  const Slot slot = cache_.Find("n0");
  EXPECT_EQ(cache_.At(slot).labels.Value(words_.Find("boot")), words_.Find("99990"));
  EXPECT_THAT(cache_.Image(words_.Find("image:99990")).slots, ElementsAre(slot));
  EXPECT_EQ(cache_.Columns().ScalarAt(words_.Find("example.com/r99990"), slot).allocatable, 1);
  EXPECT_EQ(cache_.Columns().ScalarAt(words_.Find("example.com/q99990"), slot).requested, 1);
}

TEST_F(CacheTest, ReleasesTextsOfRemovedObjects) {
  auto node = MakeNode("n").Label("zone", "a").Allocatable("example.com/gpu=1");
  node.raw().status.images = {{{"nginx:1"}, 100}};
  cache_.AddNode(node.Build());
  cache_.AddPod(*MakePod("a").Label("app", "db").Requests("example.com/gpu=1").OnNode("n").Build());
  EXPECT_GT(words_.size(), 6u);
  cache_.RemoveNode("n");
  cache_.RemovePod("uid-a");
  EXPECT_EQ(words_.size(), 2u) << "the empty text, and the PodGroup label";
}

TEST_F(CacheTest, PodWithManyScalarsMakesNoColumnOnAnyNode) {
  for (const char* name : {"n", "m"}) {
    cache_.AddNode(MakeNode(name).Allocatable("cpu=4,example.com/r7=2").Build());
  }
  const size_t words_before = words_.size();
  for (const char* node : {"n", "missing"}) {
    cache_.AddPod(*MakePod("a").Requests(testing::MostScalars()).OnNode(node).Build());
    const ResourceColumns& columns = cache_.Columns();
    EXPECT_EQ(columns.scalar_columns(), 1u) << node;
    EXPECT_EQ(columns.sparse_amounts(), testing::kMostScalars - 1) << node;
    const Slot slot = cache_.Find("n");
    const int64_t on_n = std::string_view(node) == "n" ? 1 : 0;
    EXPECT_EQ(columns.ScalarAt(words_.Find("example.com/r7"), slot).requested, on_n);
    EXPECT_EQ(columns.ScalarAt(words_.Find("example.com/r8"), slot).requested, on_n);
    EXPECT_FALSE(columns.IsOffered(words_.Find("example.com/r8")));
    cache_.RemovePod("uid-a");
    EXPECT_EQ(columns.scalar_columns(), 1u) << node;
    EXPECT_EQ(columns.sparse_amounts(), 0u) << node;
  }
  EXPECT_EQ(words_.size(), words_before);
}

TEST_F(CacheTest, RequestsOfPlacedPodsCountOnceANodeOffersTheScalar) {
  cache_.AddNode(MakeNode("n").Allocatable("cpu=4").Build());
  cache_.AddNode(MakeNode("m").Allocatable("cpu=4").Build());
  cache_.AddPod(*MakePod("a").Requests("example.com/gpu=2").OnNode("n").Build());
  cache_.AddPod(*MakePod("b").Requests("example.com/gpu=3").OnNode("late").Build());
  const ResourceColumns& columns = cache_.Columns();
  const auto requested = [&](const char* node) {
    return columns.ScalarAt(words_.Find("example.com/gpu"), cache_.Find(node)).requested;
  };
  EXPECT_EQ(columns.scalar_columns(), 0u);
  EXPECT_EQ(requested("n"), 2);

  cache_.UpdateNode(MakeNode("m").Allocatable("cpu=4,example.com/gpu=8").Build());
  cache_.AddNode(MakeNode("late").Allocatable("cpu=4,example.com/gpu=8").Build());
  EXPECT_EQ(columns.scalar_columns(), 1u);
  EXPECT_EQ(columns.sparse_amounts(), 0u) << "the column takes the sums over";
  EXPECT_EQ(requested("n"), 2);
  EXPECT_EQ(requested("m"), 0);
  EXPECT_EQ(requested("late"), 3);

  cache_.RemoveNode("m");
  EXPECT_EQ(columns.scalar_columns(), 1u) << "a node still offers it";
  cache_.UpdateNode(MakeNode("late").Allocatable("cpu=4").Build());
  EXPECT_EQ(columns.scalar_columns(), 0u);
  EXPECT_EQ(columns.sparse_amounts(), 2u);
  EXPECT_EQ(requested("n"), 2);
  EXPECT_EQ(requested("late"), 3);
  cache_.RemovePod("uid-a");
  cache_.RemovePod("uid-b");
  EXPECT_EQ(columns.sparse_amounts(), 0u);
}

// The resources of a node with many, beside those that every node offers.
TEST_F(CacheTest, ScalarsOfFewNodesMakeNoColumnsBeyondALimit) {
  constexpr size_t kNodes = 4 * ResourceColumns::kSlotsPerOffer;
  for (size_t i = 0; i < kNodes; ++i) {
    cache_.AddNode(MakeNode("n" + std::to_string(i)).Allocatable("cpu=4").Build());
  }
  const ResourceColumns& columns = cache_.Columns();
  const auto amounts = [&](const char* resource, size_t node) {
    const Slot slot = cache_.Find("n" + std::to_string(node));
    const auto view = columns.ViewOf(words_.Find(resource));
    return std::pair(view[slot].allocatable, view[slot].requested);
  };
  cache_.AddNode(MakeNode("many").Allocatable(testing::MostScalars()).Build());
  EXPECT_EQ(columns.scalar_columns(), ResourceColumns::kScalarColumns);
  EXPECT_EQ(columns.sparse_amounts(), testing::kMostScalars - ResourceColumns::kScalarColumns);

  cache_.AddPod(*MakePod("a").Requests("example.com/gpu=2").OnNode("n1").Build());
  for (size_t i = 0; i < kNodes; ++i) {
    const size_t columns_before = columns.scalar_columns();
    cache_.UpdateNode(
        MakeNode("n" + std::to_string(i)).Allocatable("cpu=4,example.com/gpu=8").Build());
    EXPECT_LE(columns.scalar_columns(), ResourceColumns::kScalarColumns + 1);
    EXPECT_GE(columns.scalar_columns(), columns_before) << "no column comes and goes";
    EXPECT_EQ(amounts("example.com/gpu", i), std::pair(int64_t{8}, int64_t{i == 1 ? 2 : 0}));
  }
  EXPECT_EQ(columns.scalar_columns(), ResourceColumns::kScalarColumns + 1);
  for (size_t i = 2; i < kNodes; ++i) {
    cache_.UpdateNode(MakeNode("n" + std::to_string(i)).Allocatable("cpu=4").Build());
  }
  EXPECT_EQ(columns.scalar_columns(), ResourceColumns::kScalarColumns);
  EXPECT_EQ(amounts("example.com/gpu", 0), std::pair(int64_t{8}, int64_t{0}));
  EXPECT_EQ(amounts("example.com/gpu", 1), std::pair(int64_t{8}, int64_t{2}));
  EXPECT_EQ(amounts("example.com/gpu", 2), std::pair(int64_t{0}, int64_t{0}));

  cache_.RemoveNode("many");
  EXPECT_EQ(columns.scalar_columns(), 0u);
  EXPECT_EQ(columns.sparse_amounts(), 2u) << "of n0 and n1";
  cache_.UpdateNode(MakeNode("n0").Allocatable("cpu=4,example.com/gpu=9").Build());
  EXPECT_EQ(columns.scalar_columns(), 1u);
  EXPECT_EQ(amounts("example.com/gpu", 1), std::pair(int64_t{8}, int64_t{2}));
}

TEST_F(CacheTest, RemovalFillsTheGapWithTheLastPod) {
  for (const char* name : {"a", "b", "c"}) cache_.AddPod(*MakePod(name).OnNode("n").Build());
  cache_.RemovePod("uid-a");
  cache_.AddNode(MakeNode("n").Build());
  std::vector<std::string> names;
  for (const auto& pod : cache_.At(cache_.Find("n")).pods) names.push_back(pod->name());
  EXPECT_THAT(names, ElementsAre("c", "b"));
}

TEST_F(CacheTest, CompareListsEachDifference) {
  cache_.AddNode(MakeNode("only-here").Build());
  cache_.AddPod(*MakePod("stale").OnNode("only-here").Build());
  ASSERT_TRUE(Assume("assumed", "only-here"));
  const auto node = MakeNode("only-there").Build();
  const auto missing = MakePod("missing").OnNode("only-there").Build();
  const auto pending = MakePod("assumed").Build();
  EXPECT_THAT(scenario::FindDifferences(cache_, {{node}}, {{missing, pending}}),
              ElementsAre("node only-here is not in the store", "node only-there is missing",
                          "pod uid-missing is missing", "pod uid-stale is not in the store"));
}

TEST_F(CacheTest, StoresVolumeObjectsByKeyAndReturnsThePreviousState) {
  const auto claim = [](const std::string& uid, const std::string& version) {
    auto made = std::make_shared<api::PersistentVolumeClaim>();
    made->metadata.namespace_ = "ns";
    made->metadata.name = "data";
    made->metadata.uid = uid;
    made->metadata.resource_version = version;
    return std::shared_ptr<const api::PersistentVolumeClaim>(std::move(made));
  };
  const auto find = [this] { return cache_.Volumes().Find<api::PersistentVolumeClaim>("ns/data"); };
  const auto first = claim("a", "1");
  EXPECT_EQ(cache_.PutVolumeObject(first), nullptr);
  EXPECT_EQ(find(), first.get());
  const uint64_t epoch = cache_.ClusterEpoch(Epoch::kVolumes);
  const auto second = claim("a", "2");
  EXPECT_EQ(cache_.PutVolumeObject(second), first);
  EXPECT_GT(cache_.ClusterEpoch(Epoch::kVolumes), epoch);

  const auto again = claim("b", "3");
  EXPECT_EQ(cache_.PutVolumeObject(again), nullptr) << "another object with that name";
  EXPECT_EQ(cache_.Remove<api::PersistentVolumeClaim>("a"), second);
  EXPECT_EQ(find(), again.get()) << "the newest has the name";
  EXPECT_EQ(cache_.Remove<api::PersistentVolumeClaim>("unknown"), nullptr);
  cache_.Clear(ObjectKind::kPersistentVolumeClaim);
  EXPECT_EQ(find(), nullptr);
}

}  // namespace
}  // namespace berth::scheduler
