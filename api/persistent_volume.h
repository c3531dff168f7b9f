// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/affinity.h"
#include "api/container.h"
#include "api/labels.h"
#include "api/meta.h"
#include "api/volume_disks.h"
#include "base/rare.h"

// PersistentVolumes and PersistentVolumeClaims, with the fields that a scheduler needs to place a
// pod near its volumes, and those that Berth's own pods use. Source: core/v1 PersistentVolume and
// PersistentVolumeClaim.
namespace berth::api {

struct CsiPersistentVolumeSource {
  std::string driver;
  std::string volume_handle;

  bool operator==(const CsiPersistentVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct LocalVolumeSource {
  std::string path;

  bool operator==(const LocalVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct VolumeNodeAffinity {
  std::optional<NodeSelector> required;

  bool operator==(const VolumeNodeAffinity&) const = default;
  static const json::Type& JsonType();
};

struct PersistentVolumeSpec {
  ResourceList capacity;
  std::vector<std::string> access_modes;
  std::optional<ObjectReference> claim_ref;
  std::string storage_class_name;
  std::optional<std::string> volume_mode;  // absent means "Filesystem"
  std::optional<std::string> volume_attributes_class_name;
  std::optional<VolumeNodeAffinity> node_affinity;

  // One of these, or a source that no plugin reads.
  Rare<CsiPersistentVolumeSource> csi;
  Rare<LocalVolumeSource> local;
  Rare<GcePersistentDiskVolumeSource> gce_persistent_disk;
  Rare<AwsElasticBlockStoreVolumeSource> aws_elastic_block_store;
  Rare<AzureDiskVolumeSource> azure_disk;
  Rare<AzureFileVolumeSource> azure_file;
  Rare<CinderVolumeSource> cinder;
  Rare<VsphereVolumeSource> vsphere_volume;
  Rare<PortworxVolumeSource> portworx_volume;

  bool operator==(const PersistentVolumeSpec&) const = default;
  static const json::Type& JsonType();
};

struct PersistentVolumeStatus {
  std::string phase;  // Pending, Available, Bound, Released, Failed

  bool operator==(const PersistentVolumeStatus&) const = default;
  static const json::Type& JsonType();
};

struct PersistentVolume {
  static constexpr ResourceInfo kResource{.group = "",
                                          .version = "v1",
                                          .kind = "PersistentVolume",
                                          .plural = "persistentvolumes",
                                          .namespaced = false};

  ObjectMeta metadata;
  PersistentVolumeSpec spec;
  PersistentVolumeStatus status;

  bool operator==(const PersistentVolume&) const = default;
  static const json::Type& JsonType();
};

struct VolumeResourceRequirements {
  ResourceList requests;

  bool operator==(const VolumeResourceRequirements&) const = default;
  static const json::Type& JsonType();
};

struct PersistentVolumeClaimSpec {
  std::vector<std::string> access_modes;
  std::optional<LabelSelector> selector;
  VolumeResourceRequirements resources;
  std::string volume_name;
  std::optional<std::string> storage_class_name;
  std::optional<std::string> volume_mode;  // absent means "Filesystem"
  std::optional<std::string> volume_attributes_class_name;

  bool operator==(const PersistentVolumeClaimSpec&) const = default;
  static const json::Type& JsonType();
};

struct PersistentVolumeClaimStatus {
  std::string phase;  // Pending, Bound, Lost

  bool operator==(const PersistentVolumeClaimStatus&) const = default;
  static const json::Type& JsonType();
};

struct PersistentVolumeClaim {
  static constexpr ResourceInfo kResource{.group = "",
                                          .version = "v1",
                                          .kind = "PersistentVolumeClaim",
                                          .plural = "persistentvolumeclaims",
                                          .namespaced = true};

  ObjectMeta metadata;
  PersistentVolumeClaimSpec spec;
  PersistentVolumeClaimStatus status;

  bool operator==(const PersistentVolumeClaim&) const = default;
  static const json::Type& JsonType();
};

// Returns the storage class: the legacy annotation if set, else the field; "" if neither is set.
std::string StorageClassOf(const PersistentVolume& volume);
std::string StorageClassOf(const PersistentVolumeClaim& claim);

}  // namespace berth::api
