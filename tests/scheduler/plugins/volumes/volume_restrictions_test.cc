// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/volume_restrictions.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::FilterAll;
using testing::MakeNode;
using testing::MakePod;
using testing::ObjectOf;
using testing::PodBuilder;
using testing::TestCluster;
using testing::Text;

constexpr const char* kDisk = "Unschedulable: node(s) had no available disk";
constexpr const char* kClaim =
    "Unschedulable: node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access "
    "mode already in-use by another pod";

// Adds a volume with this source (YAML) to the pod.
PodBuilder With(PodBuilder pod, const std::string& source) {
  const auto json = yaml::ToJson("{name: v, " + source + "}");
  pod.raw().spec.volumes.push_back(*json::Decode<api::Volume>(*json, json::Mode::kStrict));
  return pod;
}

PodBuilder Claiming(PodBuilder pod, const std::string& claim) {
  return With(std::move(pod), "persistentVolumeClaim: {claimName: " + claim + "}");
}

std::string Claim(const std::string& name, const std::string& mode,
                  const std::string& name_space = "default") {
  return "{metadata: {name: " + name + ", namespace: " + name_space + "}, spec: {accessModes: [" +
         mode + "]}}";
}

struct DiskCase {
  const char* running;
  const char* coming;
  bool conflicts;
};

TEST(VolumeRestrictions, DiskIsSharedOnlyReadOnly) {
  const DiskCase cases[] = {
      {"gcePersistentDisk: {pdName: a}", "gcePersistentDisk: {pdName: a}", true},
      {"gcePersistentDisk: {pdName: a}", "gcePersistentDisk: {pdName: b}", false},
      {"gcePersistentDisk: {pdName: a, readOnly: true}", "gcePersistentDisk: {pdName: a}", true},
      {"gcePersistentDisk: {pdName: a, readOnly: true}",
       "gcePersistentDisk: {pdName: a, readOnly: true}", false},
      {"awsElasticBlockStore: {volumeID: a, readOnly: true}",
       "awsElasticBlockStore: {volumeID: a, readOnly: true}", true},
      {"awsElasticBlockStore: {volumeID: a}", "awsElasticBlockStore: {volumeID: b}", false},
      {"awsElasticBlockStore: {volumeID: a}", "gcePersistentDisk: {pdName: a}", false},
      {"iscsi: {targetPortal: p, iqn: a, lun: 0}", "iscsi: {targetPortal: q, iqn: a, lun: 1}",
       true},
      {"iscsi: {iqn: a, lun: 0, readOnly: true}", "iscsi: {iqn: a, lun: 0, readOnly: true}", false},
      {"iscsi: {iqn: a, lun: 0}", "iscsi: {iqn: b, lun: 0}", false},
      {"rbd: {monitors: [a, b], pool: p, image: i}", "rbd: {monitors: [b, c], pool: p, image: i}",
       true},
      {"rbd: {monitors: [a, b], pool: p, image: i}", "rbd: {monitors: [c], pool: p, image: i}",
       false},
      {"rbd: {monitors: [a], pool: p, image: i}", "rbd: {monitors: [a], pool: q, image: i}", false},
      {"rbd: {monitors: [a], pool: p, image: i}", "rbd: {monitors: [a], pool: p, image: j}", false},
      {"rbd: {monitors: [a], pool: p, image: i, readOnly: true}",
       "rbd: {monitors: [a], pool: p, image: i, readOnly: true}", false},
      {"rbd: {monitors: [a], pool: p, image: i, readOnly: true}",
       "rbd: {monitors: [a], pool: p, image: i}", true},
      {"emptyDir: {}", "gcePersistentDisk: {pdName: a}", false},
  };
  for (const DiskCase& c : cases) {
    SCOPED_TRACE(std::string(c.running) + " and " + c.coming);
    TestCluster cluster;
    cluster.Add(MakeNode("n1")).Add(MakeNode("n2"));
    cluster.Add(With(MakePod("running").OnNode("n1"), c.running));
    const auto plugin = cluster.Plugin<VolumeRestrictions>();
    Cycle cycle(cluster, With(MakePod("coming"), c.coming));
    const auto answers = FilterAll(*plugin, cycle);
    EXPECT_EQ(answers.at("n1"), c.conflicts ? kDisk : "Success");
    EXPECT_EQ(answers.at("n2"), "Success");
    const auto gone = With(MakePod("running").OnNode("n1"), c.running);
    EXPECT_EQ(plugin->Hint(cycle.pod(), {Resource::kAssignedPod, action::kDelete, {}},
                           testing::PodChange(cluster.words(), &gone, nullptr)),
              c.conflicts ? QueueingHint::kQueue : QueueingHint::kSkip);
  }
}

class ReadWriteOncePod : public ::testing::Test {
 protected:
  ReadWriteOncePod() {
    cluster_.Add(MakeNode("n1")).Add(MakeNode("n2"));
    cluster_.Add<api::PersistentVolumeClaim>(Claim("mine", "ReadWriteOncePod"));
    cluster_.Add<api::PersistentVolumeClaim>(Claim("free", "ReadWriteOncePod"));
    cluster_.Add<api::PersistentVolumeClaim>(Claim("shared", "ReadWriteOnce"));
    cluster_.Add(Claiming(Claiming(MakePod("user").OnNode("n1"), "mine"), "shared"));
  }

  std::map<std::string, std::string> Ask(const PodBuilder& pod, const char* node = nullptr,
                                         const testing::Simulated& simulated = {}) {
    Cycle cycle(cluster_, pod);
    if (node == nullptr) return FilterAll(*plugin_, cycle);
    const NodeDelta delta = simulated.On(cluster_.cache().At(cluster_.SlotOf(node)));
    plugin_->PreFilter(cycle.context());
    return {{node, Text(plugin_->Filter(cycle.context(), cluster_.View(node, &delta)))}};
  }

  TestCluster cluster_;
  std::unique_ptr<VolumeRestrictions> plugin_ = cluster_.Plugin<VolumeRestrictions>();
};

using Answers = std::map<std::string, std::string>;

TEST_F(ReadWriteOncePod, ClaimInUseRejectsAllNodes) {
  EXPECT_EQ(Ask(Claiming(MakePod("p"), "mine")), (Answers{{"n1", kClaim}, {"n2", kClaim}}));
}

TEST_F(ReadWriteOncePod, SkipsOtherClaims) {
  for (const char* claim : {"free", "shared"}) {
    EXPECT_EQ(Ask(Claiming(MakePod("p"), claim)), (Answers{{"", "Skip"}})) << claim;
  }
  EXPECT_EQ(Ask(MakePod("p")), (Answers{{"", "Skip"}}));
  EXPECT_EQ(Ask(With(MakePod("p"), "ephemeral: {}")), (Answers{{"", "Skip"}}));
}

TEST_F(ReadWriteOncePod, ReportsMissingClaim) {
  EXPECT_EQ(Ask(Claiming(MakePod("p"), "gone")),
            (Answers{{"",
                      "UnschedulableAndUnresolvable: persistentvolumeclaim \"gone\" not "
                      "found"}}));
}

TEST_F(ReadWriteOncePod, IgnoresPodOnUnknownNode) {
  cluster_.cache().RemoveNode("n1");
  EXPECT_EQ(Ask(Claiming(MakePod("p"), "mine")), (Answers{{"", "Skip"}}));
}

TEST_F(ReadWriteOncePod, VictimReleasesClaim) {
  const auto user = cluster_.cache().FindPod(MakePod("user").Build()->metadata.uid);
  ASSERT_NE(user, nullptr);
  EXPECT_EQ(Ask(Claiming(MakePod("p"), "mine"), "n1", {.added = {}, .removed = {user}}),
            (Answers{{"n1", "Success"}}));
}

TEST_F(ReadWriteOncePod, SimulatedPodMatchesByClaimNameOnly) {
  PodBuilder pod = With(MakePod("p"), "gcePersistentDisk: {pdName: a}");  // else skipped
  pod = Claiming(std::move(pod), "free");
  PodBuilder other = Claiming(MakePod("other"), "free");
  other.raw().metadata.namespace_ = "elsewhere";
  EXPECT_EQ(Ask(pod, "n2", {.added = {other.Info(cluster_.words())}, .removed = {}}),
            (Answers{{"n2", kClaim}}));
  EXPECT_EQ(Ask(pod, "n2"), (Answers{{"n2", "Success"}}));
}

TEST_F(ReadWriteOncePod, HintQueuesForClaimAndItsUsers) {
  const auto pod = Claiming(MakePod("p"), "mine").Info(cluster_.words());
  const auto after_claim = [&](const std::string& claim) {
    return plugin_->Hint(
        *pod, {Resource::kPersistentVolumeClaim, action::kAdd, {}},
        {.volumes = VolumeObjects(std::shared_ptr<const api::PersistentVolumeClaim>(),
                                  ObjectOf<api::PersistentVolumeClaim>(claim))});
  };
  EXPECT_EQ(after_claim(Claim("mine", "ReadWriteOnce")), QueueingHint::kQueue);
  EXPECT_EQ(after_claim(Claim("mine", "ReadWriteOnce", "elsewhere")), QueueingHint::kSkip);
  EXPECT_EQ(after_claim(Claim("free", "ReadWriteOnce")), QueueingHint::kSkip);
  const auto after_pod = [&](PodBuilder gone, const char* name_space = "default") {
    gone.raw().metadata.namespace_ = name_space;
    return plugin_->Hint(*pod, {Resource::kAssignedPod, action::kDelete, {}},
                         testing::PodChange(cluster_.words(), &gone, nullptr));
  };
  EXPECT_EQ(after_pod(Claiming(MakePod("a").OnNode("n1"), "mine")), QueueingHint::kQueue);
  EXPECT_EQ(after_pod(Claiming(MakePod("a").OnNode("n1"), "mine"), "elsewhere"),
            QueueingHint::kSkip);
  EXPECT_EQ(after_pod(Claiming(MakePod("a").OnNode("n1"), "free")), QueueingHint::kSkip);
  const auto node = MakeNode("n3");
  EXPECT_EQ(
      plugin_->Hint(*pod, {Resource::kNode, action::kAdd, {}}, testing::NodeChange(nullptr, &node)),
      QueueingHint::kQueue);
}

TEST_F(ReadWriteOncePod, PodsWithSameDiskShareAKey) {
  const auto key = [&](const PodBuilder& pod) {
    Cycle cycle(cluster_, pod);
    plugin_->PreFilter(cycle.context());
    return plugin_->KeyOf(cycle.context());
  };
  const ResultKey plain = key(MakePod("p"));
  EXPECT_EQ(key(Claiming(MakePod("q"), "free")), plain);
  EXPECT_NE(key(Claiming(MakePod("q"), "mine")), plain);
  const std::string disk = "gcePersistentDisk: {pdName: a}";
  EXPECT_EQ(key(With(MakePod("p"), disk)), key(Claiming(With(MakePod("q"), disk), "free")));
  EXPECT_NE(key(With(MakePod("p"), disk)),
            key(With(MakePod("p"), "gcePersistentDisk: {pdName: b}")));
}

}  // namespace
}  // namespace berth::scheduler
