// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/volume_zone.h"

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
using ZoneAnswers = std::map<std::string, std::string>;

constexpr const char* kZoneKey = "topology.kubernetes.io/zone";
constexpr const char* kRegionKey = "topology.kubernetes.io/region";
constexpr const char* kOldZone = "failure-domain.beta.kubernetes.io/zone";
constexpr const char* kOldRegion = "failure-domain.beta.kubernetes.io/region";
constexpr const char* kWrongZone =
    "UnschedulableAndUnresolvable: node(s) had no available volume zone";

PodBuilder WithZonedClaims(const std::vector<std::string>& claims, const std::string& name = "p") {
  PodBuilder pod = MakePod(name);
  for (const std::string& claim : claims) {
    pod.raw().spec.volumes.emplace_back().persistent_volume_claim.Edit().claim_name = claim;
  }
  return pod;
}

std::string ZonedVolume(const std::string& name, const std::string& labels) {
  return "metadata: {name: " + name + ", labels: {" + labels + "}}";
}

std::string ZonedClaim(const std::string& name, const std::string& spec) {
  return "metadata: {name: " + name + ", namespace: default}\nspec: {" + spec + "}";
}

std::string ZoneLabel(const std::string& key, const std::string& value) {
  return key + ": " + value;
}

class VolumeZoneTest : public ::testing::Test {
 protected:
  // Adds a volume with these labels, and a claim of the same name that is bound to it.
  void Bind(const std::string& name, const std::string& labels) {
    cluster_.Add<api::PersistentVolume>(ZonedVolume(name, labels))
        .Add<api::PersistentVolumeClaim>(ZonedClaim(name, "volumeName: " + name));
  }
  ZoneAnswers Ask(const PodBuilder& pod) {
    Cycle cycle(cluster_, pod);
    return FilterAll(*plugin_, cycle);
  }
  std::string KeyOf(const PodBuilder& pod) {
    Cycle cycle(cluster_, pod);
    plugin_->PreFilter(cycle.context());
    return plugin_->KeyOf(cycle.context()).text();
  }

  TestCluster cluster_;
  std::unique_ptr<VolumeZone> plugin_ = cluster_.Plugin<VolumeZone>();
};

TEST_F(VolumeZoneTest, SkipsPodWithoutZonedVolumes) {
  cluster_.Add(MakeNode("n").Label(kZoneKey, "a"));
  cluster_.Add<api::StorageClass>("metadata: {name: wait}\nvolumeBindingMode: WaitForFirstConsumer")
      .Add<api::PersistentVolumeClaim>(ZonedClaim("waits", "storageClassName: wait"));
  Bind("anywhere", "");
  Bind("odd", ZoneLabel(kZoneKey, "a__"));
  PodBuilder ephemeral = MakePod("ephemeral");
  ephemeral.raw().spec.volumes.emplace_back().ephemeral.Edit();
  for (const PodBuilder& pod : {MakePod("none"), ephemeral, WithZonedClaims({"waits"}),
                                WithZonedClaims({"anywhere"}), WithZonedClaims({"odd"})}) {
    EXPECT_EQ(Ask(pod), (ZoneAnswers{{"", "Skip"}}));
    Cycle cycle(cluster_, pod);
    EXPECT_EQ(Text(plugin_->Filter(cycle.context(), cluster_.View("n"))), "Success");
  }
}

TEST_F(VolumeZoneTest, ReportsMissingObjects) {
  cluster_.Add(MakeNode("n").Label(kZoneKey, "a"));
  cluster_.Add<api::StorageClass>("metadata: {name: now}\nvolumeBindingMode: Immediate")
      .Add<api::StorageClass>("metadata: {name: old}");
  cluster_.Add<api::PersistentVolumeClaim>(ZonedClaim("no-class", ""))
      .Add<api::PersistentVolumeClaim>(ZonedClaim("gone-class", "storageClassName: gone"))
      .Add<api::PersistentVolumeClaim>(ZonedClaim("old-class", "storageClassName: old"))
      .Add<api::PersistentVolumeClaim>(ZonedClaim("unbound", "storageClassName: now"))
      .Add<api::PersistentVolumeClaim>(ZonedClaim("lost", "volumeName: gone-volume"))
      .Add<api::PersistentVolumeClaim>(
          "metadata: {name: beta, namespace: default, annotations: "
          "{volume.beta.kubernetes.io/storage-class: beta-class}}\nspec: {storageClassName: now}")
      .Add<api::PersistentVolumeClaim>("metadata: {name: elsewhere, namespace: other}");
  Bind("bound", ZoneLabel(kZoneKey, "a"));
  const struct {
    const char *claim, *why;
  } cases[] = {
      {"", "PersistentVolumeClaim had no name"},
      {"none", "persistentvolumeclaim \"none\" not found"},
      {"elsewhere", "persistentvolumeclaim \"elsewhere\" not found"},
      {"no-class", "PersistentVolumeClaim had no pv name and storageClass name"},
      {"gone-class", "storageclass.storage.k8s.io \"gone\" not found"},
      {"beta", "storageclass.storage.k8s.io \"beta-class\" not found"},
      {"old-class", "VolumeBindingMode not set for StorageClass \"old\""},
      {"unbound", "PersistentVolume had no name"},
      {"lost", "persistentvolume \"gone-volume\" not found"},
  };
  for (const auto& test : cases) {
    const std::string rejection = std::string("UnschedulableAndUnresolvable: ") + test.why;
    EXPECT_EQ(Ask(WithZonedClaims({"bound", test.claim})), (ZoneAnswers{{"", rejection}}));
    // A profile may enable Filter without PreFilter.
    Cycle cycle(cluster_, WithZonedClaims({test.claim}));
    EXPECT_EQ(Text(plugin_->Filter(cycle.context(), cluster_.View("n"))), rejection);
  }
}

TEST_F(VolumeZoneTest, NodeMustBeInAZoneOfEveryVolume) {
  cluster_.Add(MakeNode("bare"))
      .Add(MakeNode("a").Label(kZoneKey, "a").Label(kRegionKey, "r"))
      .Add(MakeNode("b").Label(kZoneKey, "b").Label(kRegionKey, "s"))
      .Add(MakeNode("old-a").Label(kOldZone, "a").Label(kOldRegion, "r"))
      .Add(MakeNode("region").Label(kRegionKey, "r"))
      .Add(MakeNode("empty").Label(kZoneKey, ""));
  Bind("zone-a", ZoneLabel(kZoneKey, "a"));
  Bind("zone-ab", ZoneLabel(kZoneKey, "a__b"));
  Bind("zone-x", ZoneLabel(kZoneKey, "x"));
  Bind("old-zone-a", ZoneLabel(kOldZone, "a"));
  Bind("region-r", ZoneLabel(kRegionKey, "r"));
  Bind("old-region-r", ZoneLabel(kOldRegion, "r"));
  const struct {
    std::vector<std::string> claims;
    std::set<std::string> fitting;  // in addition to "bare"
  } cases[] = {
      {{"zone-a"}, {"a"}},
      {{"zone-ab"}, {"a", "b"}},
      {{"zone-x"}, {}},
      // For an older label of the volume the node's newer label counts, but not the other way
      // round.
      {{"old-zone-a"}, {"a", "old-a"}},
      {{"region-r"}, {"a", "region"}},
      {{"old-region-r"}, {"a", "old-a", "region"}},
      {{"zone-ab", "region-r"}, {"a"}},
      {{"zone-ab", "zone-a"}, {"a"}},
      {{"zone-a", "zone-x"}, {}},
  };
  for (const auto& test : cases) {
    for (const auto& [node, answer] : Ask(WithZonedClaims(test.claims))) {
      const bool fits = node == "bare" || test.fitting.contains(node);
      EXPECT_EQ(answer, fits ? "Success" : kWrongZone) << &test - cases << " " << node;
    }
  }
}

TEST_F(VolumeZoneTest, PodsWithVolumesInSameZonesShareAKey) {
  Bind("one", ZoneLabel(kZoneKey, "a__b"));
  Bind("two", ZoneLabel(kZoneKey, "b__a"));
  Bind("three", ZoneLabel(kZoneKey, "a"));
  Bind("four", ZoneLabel(kRegionKey, "a"));
  Bind("anywhere", "");
  const std::string key = KeyOf(WithZonedClaims({"one"}));
  EXPECT_EQ(KeyOf(WithZonedClaims({"two"})), key);
  EXPECT_EQ(KeyOf(WithZonedClaims({"one", "two", "anywhere"}, "other")), key);
  EXPECT_NE(KeyOf(WithZonedClaims({"three"})), key);
  EXPECT_NE(KeyOf(WithZonedClaims({"one", "three"})), key);
  EXPECT_NE(KeyOf(WithZonedClaims({"four"})), KeyOf(WithZonedClaims({"three"})));
  EXPECT_EQ(KeyOf(WithZonedClaims({"anywhere"})), KeyOf(MakePod("none")));
}

class VolumeZoneHint : public VolumeZoneTest {
 protected:
  QueueingHint Hint(Resource resource, ActionMask action, VolumeObjects objects) {
    const auto pod = WithZonedClaims({"mine"}).Info(cluster_.words());
    return plugin_->Hint(*pod, {resource, action, {}}, {.volumes = std::move(objects)});
  }
  template <class T>
  static std::shared_ptr<const T> None() {
    return nullptr;
  }
};

TEST_F(VolumeZoneHint, QueuesForWaitForFirstConsumerClass) {
  const auto add = [&](const std::string& mode) {
    return Hint(
        Resource::kStorageClass, action::kAdd,
        {None<api::StorageClass>(), ObjectOf<api::StorageClass>("metadata: {name: c}" + mode)});
  };
  EXPECT_EQ(add("\nvolumeBindingMode: WaitForFirstConsumer"), QueueingHint::kQueue);
  EXPECT_EQ(add("\nvolumeBindingMode: Immediate"), QueueingHint::kSkip);
  EXPECT_EQ(add(""), QueueingHint::kSkip);
}

TEST_F(VolumeZoneHint, QueuesForClaimOfThePod) {
  const auto change = [&](const std::string& ns, const std::string& name) {
    const auto claim = ObjectOf<api::PersistentVolumeClaim>("metadata: {name: " + name +
                                                            ", namespace: " + ns + "}");
    const QueueingHint added = Hint(Resource::kPersistentVolumeClaim, action::kAdd,
                                    {None<api::PersistentVolumeClaim>(), claim});
    EXPECT_EQ(Hint(Resource::kPersistentVolumeClaim, action::kUpdate, {claim, claim}), added);
    return added;
  };
  EXPECT_EQ(change("default", "mine"), QueueingHint::kQueue);
  EXPECT_EQ(change("default", "other"), QueueingHint::kSkip);
  EXPECT_EQ(change("other", "mine"), QueueingHint::kSkip);
}

TEST_F(VolumeZoneHint, QueuesForNewVolumeOrChangedZone) {
  const auto volume = [](const std::string& labels) {
    return ObjectOf<api::PersistentVolume>(ZonedVolume("v", labels));
  };
  const auto update = [&](const std::string& before, const std::string& after) {
    return Hint(Resource::kPersistentVolume, action::kUpdate, {volume(before), volume(after)});
  };
  EXPECT_EQ(
      Hint(Resource::kPersistentVolume, action::kAdd, {None<api::PersistentVolume>(), volume("")}),
      QueueingHint::kQueue);
  EXPECT_EQ(update("", ZoneLabel(kZoneKey, "a")), QueueingHint::kQueue);
  EXPECT_EQ(update(ZoneLabel(kZoneKey, "a"), ZoneLabel(kZoneKey, "b")), QueueingHint::kQueue);
  EXPECT_EQ(update(ZoneLabel(kZoneKey, "a__b"), ZoneLabel(kZoneKey, "b__a")), QueueingHint::kSkip);
  EXPECT_EQ(update(ZoneLabel(kZoneKey, "a"), ZoneLabel(kZoneKey, "a") + ", app: x"),
            QueueingHint::kSkip);
}

TEST_F(VolumeZoneHint, QueuesForNode) {
  const auto node = MakeNode("n");
  const auto pod = WithZonedClaims({"mine"}).Info(cluster_.words());
  EXPECT_EQ(
      plugin_->Hint(*pod, {Resource::kNode, action::kAdd, {}}, testing::NodeChange(nullptr, &node)),
      QueueingHint::kQueue);
}

}  // namespace
}  // namespace berth::scheduler
