// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/reuse/random_volumes.h"

#include <memory>
#include <string>
#include <utility>

#include "tests/scheduler/reuse/random_objects.h"

namespace berth::scheduler::testing {
namespace {

constexpr size_t kVolumes = 40;
constexpr size_t kClaims = 30;  // in each namespace

std::string AnyNode(Random& random, size_t nodes) {
  return "n" + std::to_string(random.Below(nodes));
}
std::string AnyZone(Random& random) { return "z" + std::to_string(random.Below(3)); }
std::string AnyVolume(Random& random) { return "v" + std::to_string(random.Below(kVolumes)); }
std::string AnyClaim(Random& random) { return "c" + std::to_string(random.Below(kClaims)); }
std::string AnyClass(Random& random) {
  return random.Pick({"", "now", "wait", "local", "migrated", "measured", "unknown"});
}
std::string AnyDriver(Random& random) { return random.Pick({"a.csi", "b.csi", "ebs.csi.aws.com"}); }
Quantity AnySize(Random& random) {
  return *Quantity::Parse(random.Pick({"1Gi", "2Gi", "5Gi", "10Gi"}));
}
std::vector<std::string> AnyModes(Random& random) {
  return {random.Pick({"ReadWriteOnce", "ReadWriteOnce", "ReadWriteMany", "ReadWriteOncePod"})};
}
std::optional<std::string> AnyVolumeMode(Random& random) {
  if (random.Percent(80)) return std::nullopt;
  return random.Pick({"Filesystem", "Block"});
}

std::optional<api::VolumeNodeAffinity> AnyAffinity(Random& random, size_t nodes) {
  if (random.Percent(40)) return std::nullopt;
  api::NodeSelector selector;
  selector.node_selector_terms.push_back(
      random.OneIn(2) ? NodeNames({Where("metadata.name", "In", {AnyNode(random, nodes)})})
                      : Labels({Where(kZoneLabel, "In", {AnyZone(random), AnyZone(random)})}));
  return api::VolumeNodeAffinity{std::move(selector)};
}

}  // namespace

template <class T>
void RandomVolumes::Keep(Random& random, T object) {
  object.metadata.uid = "uid-" + api::KeyOf(object.metadata);
  if (random.OneIn(8)) {
    cache_.Remove<T>(object.metadata.uid);
    return;
  }
  object.metadata.resource_version = std::to_string(++versions_);
  cache_.PutVolumeObject(std::make_shared<const T>(std::move(object)));
}

void RandomVolumes::ChangeVolume(Random& random, size_t nodes) {
  api::PersistentVolume volume;
  volume.metadata.name = AnyVolume(random);
  if (random.OneIn(3)) {
    volume.metadata.labels[random.Pick({kZoneLabel, "failure-domain.beta.kubernetes.io/zone"})] =
        random.OneIn(3) ? AnyZone(random) + "__" + AnyZone(random) : AnyZone(random);
  }
  if (random.OneIn(10)) {
    volume.metadata.deletion_timestamp = *Time::Parse("2026-01-01T00:00:00Z");
  }
  api::PersistentVolumeSpec& spec = volume.spec;
  spec.capacity["storage"] = AnySize(random);
  spec.access_modes = AnyModes(random);
  spec.storage_class_name = AnyClass(random);
  spec.volume_mode = AnyVolumeMode(random);
  spec.node_affinity = AnyAffinity(random, nodes);
  if (random.OneIn(3)) {
    spec.aws_elastic_block_store.Edit().volume_id = "vol-" + volume.metadata.name;
  } else if (random.OneIn(4)) {
    spec.local.Edit().path = "/data";
  } else {
    spec.csi.Edit() = {AnyDriver(random), "handle-" + std::to_string(random.Below(kVolumes))};
  }
  volume.status.phase = random.Pick({"Available", "Available", "Bound", "Released"});
  if (volume.status.phase == "Bound" || random.OneIn(8)) {
    api::ObjectReference claim;
    claim.namespace_ = AnyNamespace(random);
    claim.name = AnyClaim(random);
    if (random.OneIn(2)) claim.uid = "uid-" + claim.namespace_ + "/" + claim.name;
    spec.claim_ref = std::move(claim);
  }
  Keep(random, std::move(volume));
}

void RandomVolumes::ChangeClaim(Random& random, size_t nodes) {
  api::PersistentVolumeClaim claim;
  claim.metadata.namespace_ = AnyNamespace(random);
  claim.metadata.name = AnyClaim(random);
  if (random.OneIn(12)) {
    claim.metadata.deletion_timestamp = *Time::Parse("2026-01-01T00:00:00Z");
  }
  claim.spec.access_modes = AnyModes(random);
  claim.spec.resources.requests["storage"] = AnySize(random);
  claim.spec.storage_class_name = AnyClass(random);
  claim.spec.volume_mode = AnyVolumeMode(random);
  claim.status.phase = "Pending";
  if (random.OneIn(2)) {
    claim.spec.volume_name = AnyVolume(random);
    claim.status.phase = random.OneIn(10) ? "Lost" : "Bound";
    if (!random.OneIn(5)) {
      claim.metadata.annotations["pv.kubernetes.io/bind-completed"] = "yes";
    }
  } else if (random.OneIn(6)) {
    claim.metadata.annotations["volume.kubernetes.io/selected-node"] = AnyNode(random, nodes);
  }
  Keep(random, std::move(claim));
}

void RandomVolumes::ChangeClass(Random& random) {
  api::StorageClass made;
  made.metadata.name = random.Pick({"now", "wait", "local", "migrated", "measured"});
  const std::string& name = made.metadata.name;
  made.volume_binding_mode = name == "now" ? "Immediate" : "WaitForFirstConsumer";
  made.provisioner = name == "local"      ? "kubernetes.io/no-provisioner"
                     : name == "migrated" ? "kubernetes.io/aws-ebs"
                     : name == "measured" ? "b.csi"
                                          : "a.csi";
  if (random.OneIn(4)) {
    made.allowed_topologies.push_back({{{kZoneLabel, {AnyZone(random), AnyZone(random)}}}});
  }
  Keep(random, std::move(made));
}

void RandomVolumes::ChangeCsiNode(Random& random, size_t nodes) {
  api::CsiNode node;
  node.metadata.name = AnyNode(random, nodes);
  if (random.OneIn(2)) {
    node.metadata.annotations["storage.alpha.kubernetes.io/migrated-plugins"] =
        "kubernetes.io/aws-ebs";
  }
  for (const char* driver : {"a.csi", "b.csi", "ebs.csi.aws.com"}) {
    if (random.OneIn(3)) continue;
    api::CsiNodeDriver& added = node.spec.drivers.emplace_back();
    added.name = driver;
    if (!random.OneIn(4)) {
      added.allocatable = api::VolumeNodeResources{static_cast<int32_t>(random.Below(4))};
    }
  }
  Keep(random, std::move(node));
}

void RandomVolumes::ChangeDriver(Random& random) {
  api::CsiDriver driver;
  driver.metadata.name = random.Pick({"a.csi", "b.csi", "ebs.csi.aws.com"});
  driver.spec.storage_capacity = random.OneIn(2);
  driver.spec.prevent_pod_scheduling_if_missing = random.OneIn(3);
  Keep(random, std::move(driver));
}

void RandomVolumes::ChangeCapacity(Random& random) {
  api::CsiStorageCapacity capacity;
  capacity.metadata.namespace_ = "default";
  capacity.metadata.name = "s" + std::to_string(random.Below(6));
  capacity.storage_class_name = random.Pick({"wait", "measured"});
  if (!random.OneIn(6)) {
    capacity.node_topology.emplace().match_labels[kZoneLabel] = AnyZone(random);
  }
  if (!random.OneIn(6)) capacity.capacity = AnySize(random);
  if (random.OneIn(3)) capacity.maximum_volume_size = AnySize(random);
  Keep(random, std::move(capacity));
}

void RandomVolumes::ChangeAttachment(Random& random, size_t nodes) {
  api::VolumeAttachment attachment;
  attachment.metadata.name = "at" + std::to_string(random.Below(60));
  attachment.spec.attacher = AnyDriver(random);
  attachment.spec.node_name = AnyNode(random, nodes);
  if (!random.OneIn(6)) attachment.spec.source.persistent_volume_name = AnyVolume(random);
  Keep(random, std::move(attachment));
}

void RandomVolumes::Change(Random& random, size_t nodes) {
  switch (random.Below(10)) {
    case 0:
    case 1:
    case 2:
      return ChangeVolume(random, nodes);
    case 3:
    case 4:
    case 5:
      return ChangeClaim(random, nodes);
    case 6:
      return ChangeClass(random);
    case 7:
      return ChangeCsiNode(random, nodes);
    case 8:
      return ChangeAttachment(random, nodes);
    default:
      return random.OneIn(3) ? ChangeDriver(random) : ChangeCapacity(random);
  }
}

void RandomVolumes::AddTo(Random& random, PodBuilder& pod) {
  if (!random.Percent(20)) return;
  api::Pod& made = pod.raw();
  for (size_t i = 1 + random.Below(2); i > 0; --i) {
    api::Volume& volume = made.spec.volumes.emplace_back();
    volume.name = "data-" + std::to_string(i);
    switch (random.Below(8)) {
      case 0:
        volume.aws_elastic_block_store.Edit().volume_id = "vol-" + AnyVolume(random);
        break;
      case 1:
        volume.gce_persistent_disk.Edit() = {.pd_name = "disk-" + std::to_string(random.Below(3)),
                                             .read_only = random.OneIn(2)};
        break;
      case 2:
        volume.ephemeral.emplace();
        break;
      default:
        volume.persistent_volume_claim.Edit().claim_name = AnyClaim(random);
    }
  }
}

}  // namespace berth::scheduler::testing
