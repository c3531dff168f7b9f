// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/volumes/volume_usage.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "scheduler/cache/cache.h"
#include "tests/scheduler/testing/random.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler::testing {
namespace {

const std::vector<std::string> kDrivers = {"a.csi", "b.csi", "ebs.csi.aws.com"};

// Figures is the volume usage of a node; volumes are named by UniqueNameOf.
struct Figures {
  bool has_csi_node = false;
  bool broken = false;
  std::map<std::string, int64_t> limits;  // by driver
  std::map<std::string, int64_t> used;
  std::map<std::string, int64_t> by_pods;  // number of uses of each volume
  std::map<std::string, int64_t> by_attachments;

  bool operator==(const Figures&) const = default;
};

std::string Text(const Figures& figures) {
  std::string text = figures.has_csi_node ? "CSINode" : "no CSINode";
  if (figures.broken) text += ", broken";
  const auto add = [&text](const char* what, const std::map<std::string, int64_t>& counts) {
    text += std::string("\n  ") + what + ":";
    for (const auto& [name, count] : counts) text += " " + name + "=" + std::to_string(count);
  };
  add("limits", figures.limits);
  add("used", figures.used);
  add("by pods", figures.by_pods);
  add("by attachments", figures.by_attachments);
  return text;
}

api::PersistentVolume MakeVolume(const std::string& name, const std::string& driver) {
  api::PersistentVolume volume;
  volume.metadata.name = name;
  volume.spec.csi = api::CsiPersistentVolumeSource{driver, "handle-of-" + name};
  return volume;
}

// UsageWalk changes a small cluster at random, like an API server with late, repeated and missing
// events and with relists. It compares the usage of the nodes with a full scan over all objects and
// pods.
class UsageWalk {
 public:
  explicit UsageWalk(uint64_t seed) : random_(seed) {}

  void Run(size_t steps) {
    for (size_t step = 0; step < steps && !::testing::Test::HasFailure(); ++step) {
      SCOPED_TRACE("step " + std::to_string(step));
      const auto before = AllFigures();
      const auto epochs = Epochs();
      const bool is_object = random_.OneIn(2);
      is_object ? ChangeObject() : ChangePodOrNode();
      Compare(before, epochs, is_object);
    }
  }

 private:
  using ByNode = std::map<std::string, Figures>;

  std::string Name(const char* prefix, size_t count) {
    return prefix + std::to_string(random_.Below(count));
  }
  std::string NodeName() { return Name("n", 6); }
  // Occasionally returns the UID of another object with that name.
  std::string Uid(const std::string& name) {
    return random_.OneIn(8) ? name + "-again" : name + "-first";
  }

  // ---- Objects

  template <class T>
  void Put(T object) {
    object.metadata.uid = Uid(object.metadata.name);
    auto shared = std::make_shared<const T>(std::move(object));
    cache_.PutVolumeObject(shared);
    if (random_.OneIn(10)) cache_.PutVolumeObject(shared);
    auto& seen = std::get<std::vector<std::shared_ptr<const T>>>(seen_);
    if (seen.size() < 50) seen.push_back(shared);
    if (random_.OneIn(10)) cache_.PutVolumeObject(random_.Pick(seen));  // late
  }
  template <class T>
  void Remove(const std::string& name) {
    cache_.Remove<T>(Uid(name));
  }

  template <class T>
  void Relist(ObjectKind kind) {
    std::vector<std::shared_ptr<const T>> all;
    cache_.Volumes().All<T>().ForEach([&all](const auto& object) { all.push_back(object); });
    cache_.Clear(kind);
    for (const auto& object : all) {
      if (!random_.OneIn(5)) cache_.PutVolumeObject(object);
    }
  }

  void ChangeObject() {
    const bool remove = random_.OneIn(3);
    switch (random_.Below(random_.OneIn(30) ? 10 : 5)) {
      case 0:
        return remove ? Remove<api::PersistentVolumeClaim>(Name("c", 6)) : Put(RandomClaim());
      case 1:
        return remove ? Remove<api::PersistentVolume>(Name("v", 6)) : Put(RandomVolume());
      case 2:
        return remove ? Remove<api::StorageClass>(Name("s", 3)) : Put(RandomClass());
      case 3:
        return remove ? Remove<api::CsiNode>(NodeName()) : Put(RandomCsiNode());
      case 4:
        return remove ? Remove<api::VolumeAttachment>(Name("t", 8)) : Put(RandomAttachment());
      case 5:
        return Relist<api::PersistentVolumeClaim>(ObjectKind::kPersistentVolumeClaim);
      case 6:
        return Relist<api::PersistentVolume>(ObjectKind::kPersistentVolume);
      case 7:
        return Relist<api::StorageClass>(ObjectKind::kStorageClass);
      case 8:
        return Relist<api::CsiNode>(ObjectKind::kCsiNode);
      default:
        return Relist<api::VolumeAttachment>(ObjectKind::kVolumeAttachment);
    }
  }

  api::PersistentVolumeClaim RandomClaim() {
    api::PersistentVolumeClaim claim;
    // Includes claims of ephemeral volumes.
    claim.metadata.name = random_.OneIn(2) ? Name("c", 6) : Name("p", 12) + "-e";
    claim.metadata.namespace_ = "default";
    if (random_.OneIn(2)) claim.spec.volume_name = Name("v", 6);
    if (!random_.OneIn(5)) claim.spec.storage_class_name = Name("s", 3);
    if (!random_.OneIn(4)) {
      api::OwnerReference& owner = claim.metadata.owner_references.emplace_back();
      const std::string& name = claim.metadata.name;
      owner.uid = random_.OneIn(5) ? "other" : "uid" + name.substr(0, name.find('-'));
      owner.controller = true;
    }
    return claim;
  }

  api::PersistentVolume RandomVolume() {
    api::PersistentVolume volume = MakeVolume(Name("v", 6), random_.Pick(kDrivers));
    if (random_.OneIn(3)) {
      volume.spec.csi.reset();
      if (random_.OneIn(3)) {
        volume.spec.azure_file.emplace();
      } else {
        volume.spec.aws_elastic_block_store.emplace().volume_id = Name("aws:///vol-", 3);
      }
    }
    return volume;
  }

  api::StorageClass RandomClass() {
    api::StorageClass made;
    made.metadata.name = Name("s", 3);
    made.provisioner =
        random_.Pick({"a.csi", "b.csi", "kubernetes.io/aws-ebs", "kubernetes.io/azure-file"});
    return made;
  }

  api::CsiNode RandomCsiNode() {
    api::CsiNode node;
    node.metadata.name = NodeName();
    for (const std::string& driver : kDrivers) {
      if (random_.OneIn(2)) continue;
      api::CsiNodeDriver& added = node.spec.drivers.emplace_back();
      added.name = driver;
      if (random_.OneIn(4)) continue;
      added.allocatable.emplace().count = static_cast<int32_t>(random_.Below(4));
    }
    return node;
  }

  api::VolumeAttachment RandomAttachment() {
    api::VolumeAttachment attachment;
    attachment.metadata.name = Name("t", 8);
    attachment.spec.attacher = random_.OneIn(9) ? "" : random_.Pick(kDrivers);
    attachment.spec.node_name = NodeName();
    if (!random_.OneIn(9)) attachment.spec.source.persistent_volume_name = Name("v", 6);
    return attachment;
  }

  // ---- Pods and nodes

  PodBuilder RandomPod(const std::string& name) {
    PodBuilder pod = MakePod(name).Uid("uid" + name);
    for (size_t i = random_.Below(4); i > 0; --i) {
      api::Volume& volume = pod.raw().spec.volumes.emplace_back();
      switch (random_.Below(5)) {
        case 0:
          volume.name = "e";
          volume.ephemeral.emplace();
          break;
        case 1:
          volume.aws_elastic_block_store.emplace().volume_id =
              random_.Pick({"aws:///vol-0", "vol-1", "aws://broken"});
          break;
        default:
          volume.persistent_volume_claim.emplace().claim_name = Name("c", 6);
      }
    }
    return pod;
  }

  // Mostly sends regular events: updates of known pods, on their node.
  void PutPod(const std::string& name) {
    const auto known = cache_.FindPod("uid" + name);
    const std::string node =
        known == nullptr || random_.OneIn(200) ? NodeName() : known->node_name();
    pods_[name] = RandomPod(name).OnNode(node).Build();
    const bool is_new = known == nullptr || cache_.IsAssumed("uid" + name);
    is_new == random_.OneIn(200) ? cache_.UpdatePod(*pods_[name]) : cache_.AddPod(*pods_[name]);
  }

  void ChangePodOrNode() {
    const std::string name = Name("p", 12);
    switch (random_.Below(9)) {
      case 0:
      case 1:
      case 2:
        return PutPod(name);
      case 3:
      case 4:
        if (pods_.erase(name) > 0 || random_.OneIn(200)) cache_.RemovePod("uid" + name);
        return;
      case 5: {
        if (pods_.contains(name)) return;
        auto pod = RandomPod(name).Build();
        const std::string node = NodeName();
        ASSERT_TRUE(cache_.Assume(PendingPod::Create(pod, words_)->AssumedOn(words_.Intern(node))));
        if (random_.OneIn(3)) return static_cast<void>(cache_.Forget("uid" + name));
        auto bound = std::make_shared<api::Pod>(*pod);
        bound->spec.node_name = node;
        pods_[name] = bound;
        if (random_.OneIn(2)) cache_.AddPod(*bound);
        return;
      }
      case 6:
        if (const std::string node = NodeName(); cache_.Find(node) != kNoSlot) {
          cache_.RemoveNode(node);
        }
        return;
      default:
        return cache_.AddNode(MakeNode(NodeName()).Build());
    }
  }

  // ---- Full scan

  template <class T>
  std::shared_ptr<const T> Find(const std::string& name) const {
    return cache_.Volumes().All<T>().Find(name);
  }

  static std::string Unique(const std::string& driver, const std::string& handle) {
    return driver + "\n" + handle;
  }

  // Returns "" for a claim that does not count.
  std::string UniqueNameOfClaim(const std::string& key) const {
    const auto claim = Find<api::PersistentVolumeClaim>(key);
    if (claim == nullptr) return "";
    if (const auto volume = Find<api::PersistentVolume>(claim->spec.volume_name)) {
      const auto& spec = volume->spec;
      if (spec.csi) return Unique(spec.csi->driver, spec.csi->volume_handle);
      if (!spec.aws_elastic_block_store) return "";
      return Unique("ebs.csi.aws.com",
                    spec.aws_elastic_block_store->volume_id.substr(7));  // aws:///
    }
    const auto found = Find<api::StorageClass>(claim->spec.storage_class_name.value_or(""));
    if (found == nullptr || found->provisioner == "kubernetes.io/azure-file") return "";
    const bool is_ebs = found->provisioner == "kubernetes.io/aws-ebs";
    return Unique(is_ebs ? "ebs.csi.aws.com" : found->provisioner, "\n" + key);
  }

  void AddPodTo(const api::Pod& pod, Figures& figures) const {
    for (const api::Volume& volume : pod.spec.volumes) {
      if (volume.aws_elastic_block_store) {
        const std::string& id = volume.aws_elastic_block_store->volume_id;
        if (id == "aws://broken") {
          figures.broken = true;
        } else {
          ++figures.by_pods[Unique("ebs.csi.aws.com", id == "vol-1" ? id : "vol-0")];
        }
        continue;
      }
      const std::string name = volume.ephemeral ? pod.metadata.name + "-" + volume.name
                                                : volume.persistent_volume_claim->claim_name;
      const std::string key = "default/" + name;
      const auto claim = Find<api::PersistentVolumeClaim>(key);
      if (volume.ephemeral && claim != nullptr) {
        const auto* owner = api::ControllerOf(claim->metadata);
        figures.broken |= owner == nullptr || owner->uid != pod.metadata.uid;
      }
      if (const std::string unique = UniqueNameOfClaim(key); !unique.empty()) {
        ++figures.by_pods[unique];
      }
    }
  }

  Figures Walk(const std::string& node) const {
    Figures figures;
    if (const auto csi_node = Find<api::CsiNode>(node)) {
      figures.has_csi_node = true;
      for (const auto& driver : csi_node->spec.drivers) {
        if (driver.allocatable) figures.limits[driver.name] = *driver.allocatable->count;
      }
    }
    for (const auto& [name, pod] : pods_) {
      if (pod->spec.node_name == node) AddPodTo(*pod, figures);
    }
    cache_.Volumes().All<api::VolumeAttachment>().ForEach([&](const auto& attachment) {
      const auto& spec = attachment->spec;
      if (spec.node_name != node || spec.attacher.empty()) return;
      if (attachment != Find<api::VolumeAttachment>(attachment->metadata.name)) return;
      const auto volume =
          Find<api::PersistentVolume>(spec.source.persistent_volume_name.value_or(""));
      if (volume == nullptr || !volume->spec.csi) return;
      ++figures.by_attachments[Unique(spec.attacher, volume->spec.csi->volume_handle)];
    });
    std::set<std::string> attached;
    for (const auto& [unique, uses] : figures.by_pods) attached.insert(unique);
    for (const auto& [unique, uses] : figures.by_attachments) attached.insert(unique);
    for (const std::string& unique : attached) ++figures.used[unique.substr(0, unique.find('\n'))];
    return figures;
  }

  ByNode AllFigures() const {
    ByNode figures;
    for (size_t i = 0; i < 6; ++i) {
      const std::string name = "n" + std::to_string(i);
      if (cache_.Find(name) != kNoSlot) figures[name] = Walk(name);
    }
    return figures;
  }

  Figures Known(const std::string& node, const Figures& expected) const {
    const VolumeUsage& usage = cache_.Volumes().Usage();
    const AttachedVolumes& attached = usage.Attached();
    const Slot slot = cache_.Find(node);
    Figures known{.has_csi_node = attached.HasNode(slot), .broken = usage.HasBroken(slot)};
    for (const std::string& name : kDrivers) {
      const auto* driver = attached.FindDriver(name);
      if (driver == nullptr) continue;
      if (driver->limit(slot) != AttachedVolumes::kNoLimit)
        known.limits[name] = driver->limit(slot);
      if (driver->used(slot) > 0) known.used[name] = driver->used(slot);
    }
    const auto add = [&](AttachedBy by, const auto& names, auto& out) {
      for (const auto& [unique, uses] : names) {
        const size_t end = unique.find('\n');
        const auto* volume = attached.Find({unique.substr(0, end), unique.substr(end + 1)});
        out[unique] = volume == nullptr ? 0 : volume->Uses(slot, by);
      }
    };
    add(AttachedBy::kPod, expected.by_pods, known.by_pods);
    add(AttachedBy::kAttachment, expected.by_attachments, known.by_attachments);
    EXPECT_EQ(attached.HasLimits(slot), !known.limits.empty());
    return known;
  }

  std::map<std::string, uint64_t> Epochs() const {
    std::map<std::string, uint64_t> epochs;
    for (size_t i = 0; i < 6; ++i) {
      const std::string name = "n" + std::to_string(i);
      const Slot slot = cache_.Find(name);
      if (slot == kNoSlot) continue;
      epochs[name] = cache_.changes().Of(slot, Epoch::kNodeVolumes);
    }
    return epochs;
  }

  void Compare(const ByNode& before, const std::map<std::string, uint64_t>& epochs_before,
               bool is_object) {
    const auto epochs = Epochs();
    for (const auto& [node, expected] : AllFigures()) {
      const Figures known = Known(node, expected);
      EXPECT_EQ(known, expected) << node << " has " << Text(known) << "\ninstead of "
                                 << Text(expected);
      const auto then = before.find(node);
      if (!is_object || then == before.end() || then->second == expected) continue;
      EXPECT_GT(epochs.at(node), epochs_before.at(node)) << node;
    }
    for (size_t i = 0; i < 6; ++i) {
      const std::string name = "c" + std::to_string(i);
      std::map<std::string, uint32_t> expected, known;
      for (const auto& [pod_name, pod] : pods_) {
        for (const api::Volume& volume : pod->spec.volumes) {
          if (!volume.persistent_volume_claim) continue;
          if (volume.persistent_volume_claim->claim_name != name) continue;
          ++expected[pod->spec.node_name];
        }
      }
      for (const auto& [slot, uses] : cache_.Volumes().Usage().UsersOf("default/" + name)) {
        known[cache_.At(slot).name.text()] = uses;
      }
      EXPECT_EQ(known, expected) << name;
    }
  }

  Random random_;
  Vocabulary words_;
  Cache cache_{words_};
  std::map<std::string, std::shared_ptr<const api::Pod>> pods_;  // by name
  std::tuple<std::vector<std::shared_ptr<const api::PersistentVolumeClaim>>,
             std::vector<std::shared_ptr<const api::PersistentVolume>>,
             std::vector<std::shared_ptr<const api::StorageClass>>,
             std::vector<std::shared_ptr<const api::CsiNode>>,
             std::vector<std::shared_ptr<const api::VolumeAttachment>>>
      seen_;
};

TEST(VolumeUsage, EqualsAFullScanOverAllObjects) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    UsageWalk(seed).Run(10'000);
    if (HasFailure()) return;
  }
}

class VolumeUsageOfTwoNodes : public ::testing::Test {
 protected:
  VolumeUsageOfTwoNodes() {
    cluster_.Add(MakeNode("n1")).Add(MakeNode("n2"));
    PodBuilder pod = MakePod("p");
    pod.raw().spec.volumes.emplace_back().persistent_volume_claim.emplace().claim_name = "claim";
    cluster_.Add(pod.OnNode("n1"));
    cluster_.Add<api::PersistentVolumeClaim>(
        "{metadata: {name: claim, namespace: default}, spec: {volumeName: v}}");
  }

  uint64_t EpochOf(const std::string& node) {
    return cluster_.cache().changes().Of(cluster_.SlotOf(node), Epoch::kNodeVolumes);
  }

  TestCluster cluster_;
};

TEST_F(VolumeUsageOfTwoNodes, VolumeChangeTouchesOnlyTheNodesThatUseIt) {
  const uint64_t n1 = EpochOf("n1"), n2 = EpochOf("n2");
  cluster_.Add<api::PersistentVolume>(
      "{metadata: {name: v}, spec: {csi: {driver: a.csi, volumeHandle: h}}}");
  EXPECT_GT(EpochOf("n1"), n1);
  EXPECT_EQ(EpochOf("n2"), n2);
  cluster_.Add<api::PersistentVolume>(
      "{metadata: {name: other}, spec: {csi: {driver: a.csi, volumeHandle: o}}}");
  cluster_.Add<api::VolumeAttachment>(
      "{metadata: {name: t}, spec: {attacher: a.csi, nodeName: n2, source: "
      "{persistentVolumeName: other}}}");
  EXPECT_GT(EpochOf("n2"), n2);
}

TEST_F(VolumeUsageOfTwoNodes, UpdateWithoutEffectTouchesNoNode) {
  const uint64_t n1 = EpochOf("n1");
  cluster_.Add<api::PersistentVolumeClaim>(
      "{metadata: {name: claim, namespace: default, labels: {a: b}}, spec: {volumeName: v}}");
  EXPECT_EQ(EpochOf("n1"), n1);
}

}  // namespace
}  // namespace berth::scheduler::testing
