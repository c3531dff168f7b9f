// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/volume_binding.h"

#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/volume_annotations.h"
#include "scheduler/model/volumes/volume_store.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using ::testing::ElementsAre;
using testing::FilterAll;
using ::testing::IsEmpty;
using testing::MakeNode;
using testing::MakePod;
using testing::ObjectOf;
using ::testing::Pair;
using testing::PodBuilder;
using testing::ScoreAll;
using testing::TestCluster;
using testing::Text;

constexpr const char* kNotFound =
    "UnschedulableAndUnresolvable: node(s) didn't find available persistent volumes to bind";
constexpr const char* kNotReached =
    "UnschedulableAndUnresolvable: node(s) didn't match PersistentVolume's node affinity";
constexpr const char* kNoRoom =
    "UnschedulableAndUnresolvable: node(s) did not have enough free storage";
constexpr const char* kNotThere =
    "UnschedulableAndUnresolvable: node(s) unavailable due to one or more pvc(s) bound to "
    "non-existent pv(s)";
constexpr const char* kFits = "Success";

std::string ZoneIs(const std::string& zone) {
  return "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: "
         "In, values: [" +
         zone + "]}]}]}}";
}

class VolumeBindingTest : public ::testing::Test {
 protected:
  VolumeBindingTest() {
    for (const char* name : {"a", "b"}) {
      cluster_.Add(MakeNode(name).Label("zone", std::string("z") + name));
    }
    AddClass("local", "provisioner: kubernetes.io/no-provisioner");
    AddClass("made", "provisioner: disks");
    cluster_.Add<api::StorageClass>(
        "{metadata: {name: now}, provisioner: disks, volumeBindingMode: Immediate}");
  }

  void AddClass(const std::string& name, const std::string& more) {
    cluster_.Add<api::StorageClass>("{metadata: {name: " + name +
                                    "}, volumeBindingMode: WaitForFirstConsumer, " + more + "}");
  }
  void AddVolume(const std::string& name, const std::string& spec, const std::string& metadata = "",
                 const std::string& phase = "Available") {
    cluster_.Add<api::PersistentVolume>("{metadata: {name: " + name + ", " + metadata +
                                        "}, spec: {" + spec + "}, status: {phase: " + phase + "}}");
  }
  void AddClaim(const std::string& name, const std::string& spec,
                const std::string& annotations = "", const std::string& more = "") {
    cluster_.Add<api::PersistentVolumeClaim>("{metadata: {name: " + name +
                                             ", namespace: default, annotations: {" + annotations +
                                             "}}, spec: {" + spec + "}" + more + "}");
  }
  void AddUnbound(const std::string& name, const std::string& more = "",
                  const std::string& size = "2Gi", const std::string& storage_class = "local") {
    AddClaim(name, "storageClassName: " + storage_class + ", accessModes: [ReadWriteOnce], " +
                       "resources: {requests: {storage: " + size + "}}" + more);
  }
  void AddFree(const std::string& name, const std::string& size, const std::string& more = "",
               const std::string& metadata = "") {
    AddVolume(name,
              "storageClassName: local, accessModes: [ReadWriteOnce, ReadOnlyMany], capacity: "
              "{storage: " +
                  size + "}, " + more,
              metadata);
  }
  void AddBound(const std::string& name, const std::string& volume) {
    AddClaim(name, "volumeName: " + volume, "pv.kubernetes.io/bind-completed: \"yes\"");
  }
  static PodBuilder PodWith(const std::vector<std::string>& claims) {
    PodBuilder pod = MakePod("p");
    for (const std::string& claim : claims) {
      pod.raw().spec.volumes.emplace_back().persistent_volume_claim.Edit().claim_name = claim;
    }
    return pod;
  }
  std::map<std::string, std::string> Filter(const std::vector<std::string>& claims,
                                            const std::string& args = "") {
    Cycle cycle(cluster_, PodWith(claims));
    return FilterAll(*cluster_.Plugin<VolumeBinding>(args), cycle);
  }
  // Returns the decisions for a node: "claim=volume" (bind), "claim made" (provision).
  std::vector<std::string> Chosen(const std::vector<std::string>& claims,
                                  const std::string& node = "a") {
    Cycle cycle(cluster_, PodWith(claims));
    std::optional<PodVolumes> volumes;
    EXPECT_TRUE(PodVolumes::Create(cycle.context(), volumes).ok());
    NodeVolumes found;
    volumes->CheckNode(cluster_.View(node).info(), cluster_.snapshot(), found);
    std::vector<std::string> chosen;
    for (const auto& [volume, claim] : found.Decision().bindings) {
      chosen.push_back(claim->metadata.name + "=" + volume->metadata.name);
    }
    for (const auto& provision : found.Decision().provisions) {
      chosen.push_back(provision.claim->metadata.name + " made");
    }
    return chosen;
  }
  std::string Key(const std::vector<std::string>& claims) {
    Cycle cycle(cluster_, PodWith(claims));
    const auto plugin = cluster_.Plugin<VolumeBinding>();
    EXPECT_TRUE(plugin->PreFilter(cycle.context()).status.ok());
    return plugin->KeyOf(cycle.context()).text();
  }

  TestCluster cluster_;
};

TEST_F(VolumeBindingTest, SkipsPodsWithoutClaims) {
  EXPECT_THAT(Filter({}), ElementsAre(Pair("", "Skip")));
}

TEST_F(VolumeBindingTest, RejectsUnusableClaims) {
  AddClaim("lost", "volumeName: v", "", ", status: {phase: Lost}");
  cluster_.Add<api::PersistentVolumeClaim>(
      "{metadata: {name: going, namespace: default, deletionTimestamp: \"2026-01-01T00:00:00Z\"}}");
  AddClaim("immediate", "storageClassName: now");
  AddClaim("classless", "accessModes: [ReadWriteOnce]");
  AddClaim("promised", "storageClassName: local, volumeName: v");
  cluster_.Add<api::StorageClass>("{metadata: {name: modeless}, provisioner: disks}");
  AddClaim("undecided", "storageClassName: modeless");
  const std::map<std::string, std::string> answers = {
      {"missing", "UnschedulableAndUnresolvable: persistentvolumeclaim \"missing\" not found"},
      {"lost",
       "UnschedulableAndUnresolvable: persistentvolumeclaim \"lost\" bound to non-existent "
       "persistentvolume \"v\""},
      {"going", "UnschedulableAndUnresolvable: persistentvolumeclaim \"going\" is being deleted"},
      {"immediate",
       "UnschedulableAndUnresolvable: pod has unbound immediate PersistentVolumeClaims"},
      {"classless",
       "UnschedulableAndUnresolvable: pod has unbound immediate PersistentVolumeClaims"},
      {"promised",
       "UnschedulableAndUnresolvable: pod has unbound immediate PersistentVolumeClaims"},
      {"undecided", "Error: VolumeBindingMode not set for StorageClass \"modeless\""},
  };
  for (const auto& [claim, answer] : answers) {
    EXPECT_THAT(Filter({claim}), ElementsAre(Pair("", answer))) << claim;
  }
}

TEST_F(VolumeBindingTest, EphemeralClaimMustBelongToPod) {
  const auto filter = [this] {
    PodBuilder pod = MakePod("p");
    api::Volume& volume = pod.raw().spec.volumes.emplace_back();
    volume.name = "scratch";
    volume.ephemeral.emplace();
    Cycle cycle(cluster_, pod);
    return FilterAll(*cluster_.Plugin<VolumeBinding>(), cycle);
  };
  EXPECT_THAT(filter(), ElementsAre(Pair("",
                                         "UnschedulableAndUnresolvable: waiting for ephemeral "
                                         "volume controller to create the persistentvolumeclaim "
                                         "\"p-scratch\"")));
  AddUnbound("p-scratch", "", "1Gi", "made");
  EXPECT_THAT(filter(), ElementsAre(Pair("",
                                         "UnschedulableAndUnresolvable: PVC default/p-scratch was "
                                         "not created for pod default/p (pod is not owner)")));
  cluster_.Add<api::PersistentVolumeClaim>(
      "{metadata: {name: p-scratch, namespace: default, ownerReferences: [{apiVersion: v1, kind: "
      "Pod, name: p, uid: uid-p, controller: true}]}, spec: {storageClassName: made}}");
  EXPECT_THAT(filter(), ElementsAre(Pair("a", kFits), Pair("b", kFits)));
}

TEST_F(VolumeBindingTest, FiltersByBoundVolumes) {
  AddVolume("v", ZoneIs("za"));
  AddVolume("anywhere", "");
  AddBound("zonal", "v");
  AddBound("open", "anywhere");
  AddBound("lost", "gone");
  EXPECT_THAT(Filter({"zonal"}), ElementsAre(Pair("a", kFits), Pair("b", kNotReached)));
  EXPECT_THAT(Filter({"open"}), ElementsAre(Pair("a", kFits), Pair("b", kFits)));
  EXPECT_THAT(Filter({"lost"}), ElementsAre(Pair("a", kNotThere), Pair("b", kNotThere)));
  // The first failed bound claim ends the check of bound claims.
  EXPECT_THAT(Filter({"zonal", "lost"}), ElementsAre(Pair("a", kNotThere), Pair("b", kNotReached)));
}

TEST_F(VolumeBindingTest, UsesTranslatedTopologyOnMigratedNodes) {
  cluster_.Add(MakeNode("c").Label("topology.ebs.csi.aws.com/zone", "z"));
  cluster_.Add(MakeNode("d").Label("topology.kubernetes.io/zone", "z"));
  AddVolume("v",
            "awsElasticBlockStore: {volumeID: vol-1}, nodeAffinity: {required: "
            "{nodeSelectorTerms: [{matchExpressions: [{key: topology.kubernetes.io/zone, "
            "operator: In, values: [z]}]}]}}");
  AddBound("claim", "v");
  const auto fits = [this](const std::string& node) { return Filter({"claim"}).at(node) == kFits; };
  EXPECT_FALSE(fits("c"));
  EXPECT_TRUE(fits("d"));
  for (const char* node : {"c", "d"}) {
    cluster_.Add<api::CsiNode>(std::string("{metadata: {name: ") + node +
                               ", annotations: {storage.alpha.kubernetes.io/migrated-plugins: "
                               "\"kubernetes.io/aws-ebs\"}}}");
  }
  EXPECT_TRUE(fits("c"));
  EXPECT_FALSE(fits("d"));
}

TEST_F(VolumeBindingTest, BindsSmallestMatchingVolume) {
  AddFree("large", "9Gi");
  AddFree("right", "3Gi", ZoneIs("za"));
  AddFree("small", "1Gi");
  AddFree("raw", "2Gi", "volumeMode: Block");
  AddFree("attributed", "2Gi", "volumeAttributesClassName: gold");
  AddFree("going", "2Gi", "", "deletionTimestamp: \"2026-01-01T00:00:00Z\"");
  AddFree("taken", "2Gi", "claimRef: {namespace: default, name: other}");
  AddVolume("classless", "capacity: {storage: 2Gi}, accessModes: [ReadWriteOnce]");
  AddVolume("read-only",
            "storageClassName: local, accessModes: [ReadOnlyMany], capacity: {storage: 2Gi}");
  AddVolume("pending",
            "storageClassName: local, accessModes: [ReadWriteOnce], capacity: {storage: 2Gi}", "",
            "Pending");
  AddUnbound("claim");
  EXPECT_THAT(Chosen({"claim"}, "a"), ElementsAre("claim=right"));
  EXPECT_THAT(Chosen({"claim"}, "b"), ElementsAre("claim=large"));
  AddUnbound("huge", "", "20Gi");
  EXPECT_THAT(Filter({"huge"}), ElementsAre(Pair("a", kNotFound), Pair("b", kNotFound)));
}

TEST_F(VolumeBindingTest, LargeSetsYieldTheSameVolume) {
  for (int i = 0; i < 40; ++i) {
    AddFree("v" + std::to_string(i), std::to_string(40 - i) + "Gi", i % 2 == 0 ? ZoneIs("za") : "",
            i % 3 == 0 ? "labels: {third: \"yes\"}" : "");
  }
  AddUnbound("claim", ", selector: {matchLabels: {third: \"yes\"}}", "7Gi");
  // v33 has 7Gi and is reachable from every node; v30 is the next with the label, in zone za.
  EXPECT_THAT(Chosen({"claim"}, "a"), ElementsAre("claim=v33"));
  AddUnbound("other", ", selector: {matchLabels: {third: \"yes\"}}", "8Gi");
  EXPECT_THAT(Chosen({"other"}, "a"), ElementsAre("other=v30"));
  EXPECT_THAT(Chosen({"other"}, "b"), ElementsAre("other=v27"));
}

TEST_F(VolumeBindingTest, AssignsDistinctVolumes) {
  AddFree("v1", "2Gi");
  AddFree("v2", "5Gi");
  AddUnbound("large", "", "2Gi");
  AddUnbound("small", "", "1Gi");
  EXPECT_THAT(Chosen({"large", "small"}), ElementsAre("small=v1", "large=v2"));
  AddUnbound("third");
  EXPECT_EQ(Filter({"large", "small", "third"}).at("a"), kNotFound);
  // A claim that two volumes of the pod use counts once.
  EXPECT_THAT(Chosen({"large", "large"}), ElementsAre("large=v1"));
}

TEST_F(VolumeBindingTest, PrefersVolumeWithClaimRef) {
  AddFree("small", "2Gi");
  AddFree("promised", "9Gi", "claimRef: {namespace: default, name: claim}, " + ZoneIs("za"));
  AddUnbound("claim");
  EXPECT_THAT(Chosen({"claim"}, "a"), ElementsAre("claim=promised"));
  EXPECT_EQ(Filter({"claim"}).at("b"), kNotFound);
  // A claimRef with another UID does not count.
  AddFree("promised", "9Gi", "claimRef: {namespace: default, name: claim, uid: former}");
  EXPECT_THAT(Chosen({"claim"}, "b"), ElementsAre("claim=small"));
}

TEST_F(VolumeBindingTest, ProvisionsInAllowedTopologies) {
  AddClass("zonal",
           "provisioner: disks, allowedTopologies: [{matchLabelExpressions: [{key: zone, values: "
           "[za, zc]}]}]");
  AddClass("nowhere", "provisioner: disks, allowedTopologies: [{}]");
  AddUnbound("free", "", "2Gi", "made");
  AddUnbound("zonal", "", "2Gi", "zonal");
  AddUnbound("nowhere", "", "2Gi", "nowhere");
  EXPECT_THAT(Filter({"free"}), ElementsAre(Pair("a", kFits), Pair("b", kFits)));
  EXPECT_THAT(Chosen({"free"}), ElementsAre("free made"));
  EXPECT_THAT(Filter({"zonal"}), ElementsAre(Pair("a", kFits), Pair("b", kNotFound)));
  EXPECT_THAT(Filter({"nowhere"}), ElementsAre(Pair("a", kNotFound), Pair("b", kNotFound)));
}

TEST_F(VolumeBindingTest, SelectedNodeIsFixed) {
  AddClaim("claim", "storageClassName: made", "volume.kubernetes.io/selected-node: b");
  EXPECT_THAT(Filter({"claim"}), ElementsAre(Pair("a", kNotFound), Pair("b", kFits)));
  EXPECT_THAT(Chosen({"claim"}, "b"), ElementsAre("claim made"));
}

TEST_F(VolumeBindingTest, ChecksCapacityIfDriverPublishesIt) {
  AddUnbound("claim", "", "2Gi", "made");
  cluster_.Add<api::CsiDriver>("{metadata: {name: disks}, spec: {storageCapacity: true}}");
  EXPECT_THAT(Filter({"claim"}), ElementsAre(Pair("a", kNoRoom), Pair("b", kNoRoom)));
  const auto put = [this](const std::string& zone, const std::string& room) {
    cluster_.Add<api::CsiStorageCapacity>(
        "{metadata: {name: room, namespace: default}, "
        "storageClassName: made, nodeTopology: {matchLabels: "
        "{zone: " +
        zone + "}}, " + room + "}");
  };
  put("za", "capacity: 1Gi");
  EXPECT_EQ(Filter({"claim"}).at("a"), kNoRoom);
  put("za", "capacity: 2Gi");
  EXPECT_THAT(Filter({"claim"}), ElementsAre(Pair("a", kFits), Pair("b", kNoRoom)));
  put("zb", "capacity: 9Gi, maximumVolumeSize: 1Gi");
  EXPECT_THAT(Filter({"claim"}), ElementsAre(Pair("a", kNoRoom), Pair("b", kNoRoom)));
  // Without a storage request the capacity is not checked.
  AddClaim("modest", "storageClassName: made");
  EXPECT_THAT(Filter({"modest"}), ElementsAre(Pair("a", kFits), Pair("b", kFits)));
}

TEST_F(VolumeBindingTest, ReportsReasonsOfBoundAndUnboundClaims) {
  AddVolume("v", ZoneIs("za"));
  AddBound("zonal", "v");
  AddUnbound("unbound");
  EXPECT_EQ(
      Filter({"zonal", "unbound"}).at("b"),
      std::string(kNotReached) + ", node(s) didn't find available persistent volumes to bind");
}

TEST_F(VolumeBindingTest, FailsOnInvalidSelector) {
  AddUnbound("claim", ", selector: {matchExpressions: [{key: a, operator: Like}]}");
  EXPECT_THAT(Filter({"claim"}).at("a"),
              ::testing::StartsWith(
                  "Error: error creating internal label selector for claim: default/claim: "));
}

TEST_F(VolumeBindingTest, KeyDoesNotDependOnClaimNames) {
  AddVolume("v1", ZoneIs("za"));
  AddVolume("v2", ZoneIs("za"));
  AddVolume("v3", ZoneIs("zb"));
  for (const char* number : {"1", "2", "3"}) {
    AddBound(std::string("bound") + number, std::string("v") + number);
  }
  EXPECT_EQ(Key({"bound1"}), Key({"bound2"}));
  EXPECT_NE(Key({"bound1"}), Key({"bound3"}));
  AddUnbound("one");
  AddUnbound("two");
  AddUnbound("three", "", "3Gi");
  EXPECT_EQ(Key({"one"}), Key({"two"}));
  EXPECT_NE(Key({"one"}), Key({"three"}));
  AddFree("promised", "9Gi", "claimRef: {namespace: default, name: one}, " + ZoneIs("za"));
  EXPECT_NE(Key({"one"}), Key({"two"}));
}

TEST_F(VolumeBindingTest, LocalVolumeChangesOnlyItsNode) {
  AddUnbound("claim");
  const auto versions = [this] {
    Cycle cycle(cluster_, PodWith({"claim"}));
    const auto plugin = cluster_.Plugin<VolumeBinding>();
    plugin->PreFilter(cycle.context());
    return plugin->VersionsOf(cycle.context());
  };
  const Versions before = versions();
  const uint64_t generation = cluster_.cache().Generation();
  AddFree("local", "2Gi", ZoneIs("za"));
  EXPECT_EQ(versions(), before);
  std::vector<Slot> changed;
  cluster_.cache().ChangedSince({Epoch::kNodeVolumes}, generation, changed);
  EXPECT_THAT(changed, ElementsAre(cluster_.SlotOf("a")));
  AddFree("anywhere", "2Gi");
  EXPECT_NE(versions(), before);
}

TEST_F(VolumeBindingTest, ScoresByStorageUtilization) {
  AddFree("v", "8Gi", ZoneIs("za"));
  AddUnbound("claim", "", "2Gi");
  Cycle off(cluster_, PodWith({"claim"}));
  EXPECT_THAT(ScoreAll(*cluster_.Plugin<VolumeBinding>(R"({"storageCapacityScoring":false})"), off),
              IsEmpty());
  // A quarter is used: the score falls from 10 to 0, times 10. Node b has no volume.
  for (const char* args : {"", R"({"shape":[]})"}) {
    Cycle on(cluster_, PodWith({"claim"}));
    EXPECT_THAT(ScoreAll(*cluster_.Plugin<VolumeBinding>(args), on),
                ElementsAre(Pair("a", 75), Pair("b", 0)));
  }

  cluster_.Add<api::CsiDriver>("{metadata: {name: disks}, spec: {storageCapacity: true}}");
  cluster_.Add<api::CsiStorageCapacity>(
      "{metadata: {name: room, namespace: default}, storageClassName: made, nodeTopology: "
      "{matchLabels: {zone: zb}}, capacity: 4Gi}");
  AddUnbound("made", "", "2Gi", "made");
  AddUnbound("made2", "", "1Gi", "made");
  Cycle dynamic(cluster_, PodWith({"made", "made2"}));
  // The free capacity counts once: 3 of 4.
  EXPECT_THAT(ScoreAll(*cluster_.Plugin<VolumeBinding>(
                           R"({"shape":[{"utilization":0,"score":0},
                                        {"utilization":100,"score":10}]})"),
                       dynamic),
              ElementsAre(Pair("a", 0), Pair("b", 75)));
}

TEST_F(VolumeBindingTest, ScoresZeroWithoutUnboundClaims) {
  Cycle none(cluster_, MakePod("p"));
  EXPECT_THAT(ScoreAll(*cluster_.Plugin<VolumeBinding>(), none),
              ElementsAre(Pair("a", 0), Pair("b", 0)));
}

TEST(VolumeBindingArgsTest, ValidatesLikeUpstream) {
  const auto errors = [](const std::string& args) {
    std::vector<std::string> texts;
    for (const api::FieldError& error : VolumeBinding::Descriptor().check({args})) {
      texts.push_back(error.ToString());
    }
    return texts;
  };
  EXPECT_THAT(errors(""), IsEmpty());
  EXPECT_THAT(errors(R"({"bindTimeoutSeconds":0})"), IsEmpty());
  EXPECT_THAT(errors(R"({"bindTimeoutSeconds":-1})"),
              ElementsAre("bindTimeoutSeconds: Invalid value: -1: invalid BindTimeoutSeconds, "
                          "should not be a negative value"));
  EXPECT_THAT(errors(R"({"storageCapacityScoring":false,"shape":[{"utilization":0,"score":1}]})"),
              ElementsAre(::testing::HasSubstr("unexpected field `shape`, remove it or turn on the "
                                               "feature gate StorageCapacityScoring")));
  EXPECT_THAT(errors(R"({"shape":[{"utilization":0,"score":1}]})"), IsEmpty());
  EXPECT_THAT(errors(R"({"shape":[]})"), IsEmpty());
}

class VolumeBindingHintTest : public VolumeBindingTest {
 protected:
  template <VolumeObject T>
  QueueingHint After(const std::string& before, const std::string& after) {
    PodBuilder pod = PodWith({"claim"});
    pod.raw().spec.volumes.emplace_back().csi.Edit().driver = "disks";
    EventObjects objects;
    objects.volumes =
        VolumeObjects(before.empty() ? nullptr : ObjectOf<T>(before), ObjectOf<T>(after));
    const ActionMask action = before.empty() ? action::kAdd : action::kUpdate;
    return cluster_.Plugin<VolumeBinding>()->Hint(*pod.Info(cluster_.words()),
                                                  {kResourceOfType<T>, action, {}}, objects);
  }
};

TEST_F(VolumeBindingHintTest, QueuesByChangedObject) {
  using enum QueueingHint;
  const std::string zone =
      "allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a]}]}]";
  EXPECT_EQ(After<api::StorageClass>("", "metadata: {name: x}"), kQueue);
  EXPECT_EQ(After<api::StorageClass>("metadata: {name: x}", "{metadata: {name: x}, " + zone + "}"),
            kQueue);
  EXPECT_EQ(After<api::StorageClass>("metadata: {name: x}", "metadata: {name: x, labels: {a: b}}"),
            kSkip);
  EXPECT_EQ(After<api::PersistentVolumeClaim>("", "metadata: {name: claim, namespace: default}"),
            kQueue);
  EXPECT_EQ(After<api::PersistentVolumeClaim>("", "metadata: {name: claim, namespace: other}"),
            kSkip);
  EXPECT_EQ(After<api::PersistentVolumeClaim>("", "metadata: {name: other, namespace: default}"),
            kSkip);
  EXPECT_EQ(After<api::PersistentVolume>("", "metadata: {name: v}"), kQueue);
  const std::string migrated =
      "metadata: {name: node, annotations: {storage.alpha.kubernetes.io/migrated-plugins: a}}";
  EXPECT_EQ(After<api::CsiNode>("", "metadata: {name: node}"), kQueue);
  EXPECT_EQ(After<api::CsiNode>("metadata: {name: node}", migrated), kQueue);
  EXPECT_EQ(After<api::CsiNode>(migrated, migrated), kSkip);
  const auto driver = [](const std::string& name, const std::string& tells) {
    return "{metadata: {name: " + name + "}, spec: {storageCapacity: " + tells + "}}";
  };
  EXPECT_EQ(After<api::CsiDriver>(driver("disks", "true"), driver("disks", "false")), kQueue);
  EXPECT_EQ(After<api::CsiDriver>(driver("disks", "false"), driver("disks", "true")), kSkip);
  EXPECT_EQ(After<api::CsiDriver>(driver("other", "true"), driver("other", "false")), kSkip);
  const auto room = [](const std::string& bytes) {
    return "{metadata: {name: r, namespace: d}, " + bytes + "}";
  };
  using Capacity = api::CsiStorageCapacity;
  EXPECT_EQ(After<Capacity>("", room("capacity: 1Gi")), kQueue);
  EXPECT_EQ(After<Capacity>(room("storageClassName: x"), room("capacity: 0")), kQueue);
  EXPECT_EQ(After<Capacity>(room("capacity: 1Gi"), room("capacity: 2Gi")), kQueue);
  EXPECT_EQ(After<Capacity>(room("capacity: 2Gi"), room("capacity: 1Gi")), kSkip);
  EXPECT_EQ(After<Capacity>(room("capacity: 2Gi"), room("storageClassName: x")), kSkip);
}

}  // namespace
}  // namespace berth::scheduler
