// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/node_volume_limits.h"

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

using Answers = std::map<std::string, std::string>;

constexpr const char* kFull = "Unschedulable: node(s) exceed max volume count";

PodBuilder WithVolume(PodBuilder pod, const std::string& source) {
  const auto json = yaml::ToJson("{name: vol, " + source + "}");
  pod.raw().spec.volumes.push_back(*json::Decode<api::Volume>(*json, json::Mode::kStrict));
  return pod;
}

PodBuilder Uses(PodBuilder pod, const std::string& claim) {
  return WithVolume(std::move(pod), "persistentVolumeClaim: {claimName: " + claim + "}");
}

// n1 and n2 have a limit of two volumes of a.csi, n3 has no CSINode. Claims c1 to c5 are bound to
// volumes of a.csi, b1 to a volume of b.csi.
class NodeVolumeLimitsTest : public ::testing::Test {
 protected:
  NodeVolumeLimitsTest() {
    for (const char* node : {"n1", "n2", "n3"}) cluster_.Add(MakeNode(node));
    SetLimit("n1", 2);
    SetLimit("n2", 2);
    for (const char* claim : {"c1", "c2", "c3", "c4", "c5"}) Bind(claim, "a.csi");
    Bind("b1", "b.csi");
  }

  void SetLimit(const std::string& node, int limit) {
    cluster_.Add<api::CsiNode>(
        "{metadata: {name: " + node +
        "}, spec: {drivers: [{name: a.csi, nodeID: x, allocatable: {count: " +
        std::to_string(limit) + "}}]}}");
  }
  void Bind(const std::string& claim, const std::string& driver) {
    cluster_.Add<api::PersistentVolumeClaim>("{metadata: {name: " + claim +
                                             ", namespace: default}, spec: {volumeName: v-" +
                                             claim + "}}");
    cluster_.Add<api::PersistentVolume>("{metadata: {name: v-" + claim +
                                        "}, spec: {csi: {driver: " + driver + ", volumeHandle: h-" +
                                        claim + "}}}");
  }
  void Attach(const std::string& name, const std::string& node, const std::string& claim) {
    cluster_.Add<api::VolumeAttachment>("{metadata: {name: " + name +
                                        "}, spec: {attacher: a.csi, nodeName: " + node +
                                        ", source: {persistentVolumeName: v-" + claim + "}}}");
  }

  Answers Ask(const PodBuilder& pod) {
    Cycle cycle(cluster_, pod);
    return FilterAll(*plugin_, cycle);
  }
  std::string AskSimulated(const PodBuilder& pod, const std::string& node,
                           const testing::Simulated& simulated) {
    Cycle cycle(cluster_, pod);
    plugin_->PreFilter(cycle.context());
    const NodeDelta delta = simulated.On(cluster_.cache().At(cluster_.SlotOf(node)));
    return Text(plugin_->Filter(cycle.context(), cluster_.View(node, &delta)));
  }
  ResultKey Key(const PodBuilder& pod) {
    Cycle cycle(cluster_, pod);
    plugin_->PreFilter(cycle.context());
    return plugin_->KeyOf(cycle.context());
  }
  std::shared_ptr<const PodInfo> Placed(const PodBuilder& pod) {
    cluster_.Add(pod);
    return cluster_.cache().FindPod(PodBuilder(pod).Build()->metadata.uid);
  }
  std::vector<std::shared_ptr<const PodInfo>> Coming(const PodBuilder& pod) {
    return {pod.Info(cluster_.words())};
  }

  TestCluster cluster_;
  std::unique_ptr<NodeVolumeLimits> plugin_ = cluster_.Plugin<NodeVolumeLimits>();
};

TEST_F(NodeVolumeLimitsTest, SkipsPodWithoutCountedVolumes) {
  EXPECT_EQ(Ask(MakePod("p")), (Answers{{"", "Skip"}}));
  EXPECT_EQ(Ask(WithVolume(MakePod("p"), "csi: {driver: a.csi}")), (Answers{{"", "Skip"}}));
}

TEST_F(NodeVolumeLimitsTest, RejectsAboveDriverLimit) {
  cluster_.Add(Uses(MakePod("a").OnNode("n1"), "c1"));
  EXPECT_EQ(Ask(Uses(MakePod("p"), "c2")),
            (Answers{{"n1", "Success"}, {"n2", "Success"}, {"n3", "Success"}}));
  const PodBuilder two = Uses(Uses(MakePod("p"), "c2"), "c3");
  EXPECT_EQ(Ask(two), (Answers{{"n1", kFull}, {"n2", "Success"}, {"n3", "Success"}}));
  SetLimit("n1", 3);
  EXPECT_EQ(Ask(two).at("n1"), "Success");
  SetLimit("n2", 0);
  EXPECT_EQ(Ask(two).at("n2"), kFull);
}

TEST_F(NodeVolumeLimitsTest, DriverWithoutLimitIsUnlimited) {
  SetLimit("n1", 0);
  EXPECT_EQ(Ask(Uses(MakePod("p"), "b1")).at("n1"), "Success");
}

TEST_F(NodeVolumeLimitsTest, VolumeInUseOnNodeAddsNothing) {
  cluster_.Add(Uses(MakePod("a").OnNode("n1"), "c1")).Add(Uses(MakePod("b").OnNode("n1"), "c2"));
  cluster_.Add(Uses(MakePod("c").OnNode("n2"), "c3")).Add(Uses(MakePod("d").OnNode("n2"), "c4"));
  EXPECT_EQ(Ask(Uses(MakePod("p"), "c1")),
            (Answers{{"n1", "Success"}, {"n2", kFull}, {"n3", "Success"}}));
}

TEST_F(NodeVolumeLimitsTest, AttachmentsCountButVolumeStaysNew) {
  Attach("t1", "n1", "c1");
  cluster_.Add(Uses(MakePod("a").OnNode("n1"), "c1"));
  EXPECT_EQ(Ask(Uses(MakePod("p"), "c2")).at("n1"), "Success") << "one volume counts once";
  Attach("t2", "n1", "c2");
  // The volume is already attached, but no pod uses it: it counts as attached and as new.
  EXPECT_EQ(Ask(Uses(MakePod("p"), "c2")).at("n1"), kFull);
}

TEST_F(NodeVolumeLimitsTest, RejectsNodesWithoutADriverThatMustBeThere) {
  const std::string missing = "Unschedulable: b.csi CSI driver is not installed on the node";
  const PodBuilder pod = Uses(Uses(MakePod("p"), "c1"), "b1");
  const auto require = [&](const char* required) {
    cluster_.Add<api::CsiDriver>(
        std::string("{metadata: {name: b.csi}, spec: {preventPodSchedulingIfMissing: ") + required +
        "}}");
  };
  const Answers everywhere{{"n1", "Success"}, {"n2", "Success"}, {"n3", "Success"}};
  EXPECT_EQ(Ask(pod), everywhere);
  const ResultKey optional = Key(pod);
  require("false");
  EXPECT_EQ(Ask(pod), everywhere);
  EXPECT_EQ(Key(pod), optional);
  require("true");
  EXPECT_EQ(Ask(pod), (Answers{{"n1", missing}, {"n2", missing}, {"n3", missing}}));
  EXPECT_NE(Key(pod), optional);
  cluster_.Add<api::CsiNode>("{metadata: {name: n2}, spec: {drivers: [{name: b.csi, nodeID: x}]}}");
  EXPECT_EQ(Ask(pod), (Answers{{"n1", missing}, {"n2", "Success"}, {"n3", missing}}));
  EXPECT_EQ(Ask(Uses(MakePod("p"), "c1")), everywhere);
}

TEST_F(NodeVolumeLimitsTest, DriverOfInTreeVolumeMustBeOnNodesWithACsiNode) {
  cluster_.Add<api::CsiDriver>(
      "{metadata: {name: ebs.csi.aws.com}, spec: {preventPodSchedulingIfMissing: true}}");
  const std::string missing =
      "Unschedulable: ebs.csi.aws.com CSI driver is not installed on the node";
  const Answers expected{{"n1", missing}, {"n2", missing}, {"n3", "Success"}};
  const PodBuilder disk = WithVolume(MakePod("p"), "awsElasticBlockStore: {volumeID: vol-1}");
  EXPECT_EQ(Ask(disk), expected);
  cluster_.Add<api::StorageClass>("{metadata: {name: s}, provisioner: kubernetes.io/aws-ebs}");
  cluster_.Add<api::PersistentVolumeClaim>(
      "{metadata: {name: u1, namespace: default}, spec: {storageClassName: s}}");
  EXPECT_EQ(Ask(Uses(MakePod("p"), "u1")), expected);
  Bind("e1", "ebs.csi.aws.com");
  EXPECT_EQ(Ask(Uses(disk, "e1")).at("n3"), missing);
}

TEST_F(NodeVolumeLimitsTest, UnboundClaimCountsByProvisioner) {
  cluster_.Add<api::StorageClass>("{metadata: {name: s}, provisioner: a.csi}");
  cluster_.Add<api::StorageClass>("{metadata: {name: f}, provisioner: kubernetes.io/azure-file}");
  for (const char* name : {"u1", "u2"}) {
    cluster_.Add<api::PersistentVolumeClaim>("{metadata: {name: " + std::string(name) +
                                             ", namespace: default}, spec: {storageClassName: s}}");
  }
  cluster_.Add<api::PersistentVolumeClaim>(
      "{metadata: {name: f1, namespace: default}, spec: {storageClassName: f}}");
  SetLimit("n1", 1);
  EXPECT_EQ(Ask(Uses(MakePod("p"), "u1")).at("n1"), "Success");
  EXPECT_EQ(Ask(Uses(Uses(MakePod("p"), "u1"), "u2")).at("n1"), kFull);
  EXPECT_EQ(Ask(Uses(Uses(MakePod("p"), "u1"), "f1")).at("n1"), "Success");
}

TEST_F(NodeVolumeLimitsTest, ReportsMissingClaimOnAllNodes) {
  const std::string missing =
      "UnschedulableAndUnresolvable: looking up PVC default/gone: persistentvolumeclaim \"gone\" "
      "not found";
  const PodBuilder pod = Uses(MakePod("p"), "gone");
  EXPECT_EQ(Ask(pod), (Answers{{"n1", missing}, {"n2", missing}, {"n3", missing}}));
  EXPECT_NE(Key(pod), Key(Uses(MakePod("p"), "lost")));
}

TEST_F(NodeVolumeLimitsTest, EphemeralClaimMustBelongToPod) {
  const PodBuilder pod = WithVolume(MakePod("p"), "ephemeral: {}");
  EXPECT_EQ(Ask(pod).at("n1"),
            "UnschedulableAndUnresolvable: looking up PVC default/p-vol: persistentvolumeclaim "
            "\"p-vol\" not found");
  const auto owned_by = [&](const std::string& uid) {
    cluster_.Add<api::PersistentVolumeClaim>(
        "{metadata: {name: p-vol, namespace: default, ownerReferences: [{kind: Pod, name: p, "
        "uid: " +
        uid + ", controller: true}]}, spec: {volumeName: v-c1}}");
  };
  owned_by("another");
  EXPECT_EQ(Ask(pod).at("n3"),
            "Error: PVC default/p-vol was not created for pod default/p (pod is not owner)");
  owned_by(PodBuilder(pod).Build()->metadata.uid);
  EXPECT_EQ(Ask(pod).at("n1"), "Success");
  SetLimit("n1", 0);
  EXPECT_EQ(Ask(pod).at("n1"), kFull);
}

TEST_F(NodeVolumeLimitsTest, FailsOnExistingPodWithForeignEphemeralClaim) {
  cluster_.Add(WithVolume(MakePod("ill").OnNode("n1"), "ephemeral: {}"));
  EXPECT_EQ(Ask(Uses(MakePod("p"), "c1")).at("n1"), "Success");
  cluster_.Add<api::PersistentVolumeClaim>("{metadata: {name: ill-vol, namespace: default}}");
  EXPECT_EQ(Ask(Uses(MakePod("p"), "c1")).at("n1"),
            "Error: PVC default/ill-vol was not created for pod default/ill (pod is not owner)");
  EXPECT_EQ(Ask(Uses(MakePod("p"), "c1")).at("n2"), "Success");
}

TEST_F(NodeVolumeLimitsTest, InlineDiskCountsForMigratedDriver) {
  cluster_.Add<api::CsiNode>(
      "{metadata: {name: n1}, spec: {drivers: [{name: ebs.csi.aws.com, nodeID: x, allocatable: "
      "{count: 1}}]}}");
  cluster_.Add(
      WithVolume(MakePod("a").OnNode("n1"), "awsElasticBlockStore: {volumeID: 'aws:///vol-1'}"));
  EXPECT_EQ(Ask(WithVolume(MakePod("p"), "awsElasticBlockStore: {volumeID: vol-1}")).at("n1"),
            "Success");
  EXPECT_EQ(Ask(WithVolume(MakePod("p"), "awsElasticBlockStore: {volumeID: vol-2}")).at("n1"),
            kFull);
  const Answers broken =
      Ask(WithVolume(MakePod("p"), "awsElasticBlockStore: {volumeID: 'aws://x'}"));
  EXPECT_EQ(
      broken.at("n1"),
      "Error: converting volume(vol) from inline to csi: failed to translate Kubernetes ID to "
      "EBS Volume ID Invalid format for AWS volume (aws://x)");
  EXPECT_EQ(broken.at("n3"), "Success") << "inline volumes count only on nodes with a CSINode";
}

TEST_F(NodeVolumeLimitsTest, CountsSimulatedPods) {
  const auto a = Placed(Uses(MakePod("a").OnNode("n1"), "c1"));
  const auto b = Placed(Uses(MakePod("b").OnNode("n1"), "c2"));
  const auto c = Placed(Uses(MakePod("c").OnNode("n1"), "c2"));
  const PodBuilder pod = Uses(MakePod("p"), "c3");
  EXPECT_EQ(AskSimulated(pod, "n1", {}), kFull);
  EXPECT_EQ(AskSimulated(pod, "n1", {.added = {}, .removed = {a}}), "Success");
  EXPECT_EQ(AskSimulated(pod, "n1", {.added = {}, .removed = {b}}), kFull)
      << "another pod uses the same volume";
  EXPECT_EQ(AskSimulated(pod, "n1", {.added = {}, .removed = {b, c}}), "Success");
  const auto same = Coming(Uses(MakePod("d"), "c3"));
  EXPECT_EQ(AskSimulated(pod, "n1", {.added = same, .removed = {}}), "Success")
      << "a nominated pod already attaches the same volume";
  const auto more = Coming(Uses(Uses(MakePod("d"), "c4"), "c5"));
  EXPECT_EQ(AskSimulated(pod, "n2", {.added = more, .removed = {}}), kFull);
  Attach("t", "n1", "c1");
  EXPECT_EQ(AskSimulated(pod, "n1", {.added = {}, .removed = {a}}), kFull) << "still attached";
}

TEST_F(NodeVolumeLimitsTest, KeyCountsUnusedVolumes) {
  EXPECT_EQ(Key(Uses(MakePod("p"), "c1")), Key(Uses(MakePod("q"), "c2")));
  EXPECT_NE(Key(Uses(MakePod("p"), "c1")), Key(Uses(Uses(MakePod("p"), "c1"), "c2")));
  EXPECT_NE(Key(Uses(MakePod("p"), "c1")), Key(Uses(MakePod("p"), "b1")));
  const ResultKey unused = Key(Uses(MakePod("p"), "c1"));
  cluster_.Add(Uses(MakePod("a").OnNode("n1"), "c1"));
  EXPECT_NE(Key(Uses(MakePod("p"), "c1")), unused);
}

TEST_F(NodeVolumeLimitsTest, HintQueuesIfLimitGrows) {
  const auto pod = Uses(MakePod("p"), "c1").Info(cluster_.words());
  const auto node = [](const std::string& drivers) {
    return ObjectOf<api::CsiNode>("{metadata: {name: n1}, spec: {drivers: [" + drivers + "]}}");
  };
  const std::string two = "{name: a.csi, nodeID: x, allocatable: {count: 2}}";
  const std::string three = "{name: a.csi, nodeID: x, allocatable: {count: 3}}";
  const std::string none = "{name: a.csi, nodeID: x}";
  const auto hint = [&](std::shared_ptr<const api::CsiNode> before,
                        std::shared_ptr<const api::CsiNode> after) {
    const ActionMask change = before == nullptr ? action::kAdd : action::kUpdate;
    return plugin_->Hint(*pod, {Resource::kCsiNode, change, {}},
                         {.volumes = VolumeObjects(std::move(before), std::move(after))});
  };
  EXPECT_EQ(hint(nullptr, node("")), QueueingHint::kQueue);
  EXPECT_EQ(hint(node(two), node(three)), QueueingHint::kQueue);
  EXPECT_EQ(hint(node(three), node(two)), QueueingHint::kSkip);
  EXPECT_EQ(hint(node(two), node(two)), QueueingHint::kSkip);
  EXPECT_EQ(hint(node(none), node(two)), QueueingHint::kQueue);
  EXPECT_EQ(hint(node(""), node(two)), QueueingHint::kQueue);
  EXPECT_EQ(hint(node(two), node(none)), QueueingHint::kSkip);
}

TEST_F(NodeVolumeLimitsTest, HintQueuesIfVolumeOfDriverIsDetached) {
  const auto hint = [&](const PodBuilder& pod, const std::string& attacher) {
    const auto gone = ObjectOf<api::VolumeAttachment>(
        "{metadata: {name: t}, spec: {nodeName: n1, attacher: " + attacher + "}}");
    return plugin_->Hint(
        *pod.Info(cluster_.words()), {Resource::kVolumeAttachment, action::kDelete, {}},
        {.volumes = VolumeObjects(gone, std::shared_ptr<const api::VolumeAttachment>())});
  };
  EXPECT_EQ(hint(Uses(MakePod("p"), "c1"), "any.csi"), QueueingHint::kQueue);
  const PodBuilder disk = WithVolume(MakePod("p"), "awsElasticBlockStore: {volumeID: vol-1}");
  EXPECT_EQ(hint(disk, "ebs.csi.aws.com"), QueueingHint::kQueue);
  EXPECT_EQ(hint(disk, "any.csi"), QueueingHint::kSkip);
  EXPECT_EQ(hint(WithVolume(MakePod("p"), "ephemeral: {}"), "any.csi"), QueueingHint::kSkip);
}

TEST_F(NodeVolumeLimitsTest, HintQueuesForOwnClaimsAndPodsWithVolumes) {
  const auto pod = WithVolume(Uses(MakePod("p"), "c1"), "ephemeral: {}").Info(cluster_.words());
  const auto after_claim = [&](const std::string& name, const std::string& name_space) {
    const auto claim = ObjectOf<api::PersistentVolumeClaim>("{metadata: {name: " + name +
                                                            ", namespace: " + name_space + "}}");
    return plugin_->Hint(
        *pod, {Resource::kPersistentVolumeClaim, action::kAdd, {}},
        {.volumes = VolumeObjects(std::shared_ptr<const api::PersistentVolumeClaim>(), claim)});
  };
  EXPECT_EQ(after_claim("c1", "default"), QueueingHint::kQueue);
  EXPECT_EQ(after_claim("p-vol", "default"), QueueingHint::kQueue);
  EXPECT_EQ(after_claim("c2", "default"), QueueingHint::kSkip);
  EXPECT_EQ(after_claim("c1", "elsewhere"), QueueingHint::kSkip);
  const auto after_pod = [&](const PodBuilder& gone) {
    return plugin_->Hint(*pod, {Resource::kAssignedPod, action::kDelete, {}},
                         testing::PodChange(cluster_.words(), &gone, nullptr));
  };
  EXPECT_EQ(after_pod(Uses(MakePod("a").OnNode("n1"), "c2")), QueueingHint::kQueue);
  EXPECT_EQ(after_pod(WithVolume(MakePod("a").OnNode("n1"), "ephemeral: {}")),
            QueueingHint::kQueue);
  EXPECT_EQ(after_pod(WithVolume(MakePod("a").OnNode("n1"), "vsphereVolume: {volumePath: x}")),
            QueueingHint::kQueue);
  EXPECT_EQ(after_pod(Uses(MakePod("a"), "c2")), QueueingHint::kSkip);
  EXPECT_EQ(after_pod(MakePod("a").OnNode("n1")), QueueingHint::kSkip);
}

}  // namespace
}  // namespace berth::scheduler
