// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/labels.h"
#include "api/meta.h"
#include "base/quantity.h"

// Storage objects, with the fields that a scheduler reads. Source: storage.k8s.io/v1.
namespace berth::api {

struct TopologySelectorLabelRequirement {
  std::string key;
  std::vector<std::string> values;

  bool operator==(const TopologySelectorLabelRequirement&) const = default;
  static const json::Type& JsonType();
};

struct TopologySelectorTerm {
  std::vector<TopologySelectorLabelRequirement> match_label_expressions;

  bool operator==(const TopologySelectorTerm&) const = default;
  static const json::Type& JsonType();
};

struct StorageClass {
  static constexpr ResourceInfo kResource{.group = "storage.k8s.io",
                                          .version = "v1",
                                          .kind = "StorageClass",
                                          .plural = "storageclasses",
                                          .namespaced = false};

  ObjectMeta metadata;
  std::string provisioner;
  std::optional<std::string> volume_binding_mode;  // Immediate, WaitForFirstConsumer
  std::vector<TopologySelectorTerm> allowed_topologies;

  bool operator==(const StorageClass&) const = default;
  static const json::Type& JsonType();
};

struct VolumeNodeResources {
  std::optional<int32_t> count;

  bool operator==(const VolumeNodeResources&) const = default;
  static const json::Type& JsonType();
};

struct CsiNodeDriver {
  std::string name;
  std::string node_id;
  std::vector<std::string> topology_keys;
  std::optional<VolumeNodeResources> allocatable;

  bool operator==(const CsiNodeDriver&) const = default;
  static const json::Type& JsonType();
};

struct CsiNodeSpec {
  std::vector<CsiNodeDriver> drivers;

  bool operator==(const CsiNodeSpec&) const = default;
  static const json::Type& JsonType();
};

// CsiNode lists the CSI drivers on the node with the same name.
struct CsiNode {
  static constexpr ResourceInfo kResource{.group = "storage.k8s.io",
                                          .version = "v1",
                                          .kind = "CSINode",
                                          .plural = "csinodes",
                                          .namespaced = false};

  ObjectMeta metadata;
  CsiNodeSpec spec;

  bool operator==(const CsiNode&) const = default;
  static const json::Type& JsonType();
};

struct CsiDriverSpec {
  std::optional<bool> storage_capacity;  // true: the driver reports CSIStorageCapacity
  // true: pods with volumes of the driver need a node with the driver
  std::optional<bool> prevent_pod_scheduling_if_missing;

  bool operator==(const CsiDriverSpec&) const = default;
  static const json::Type& JsonType();
};

struct CsiDriver {
  static constexpr ResourceInfo kResource{.group = "storage.k8s.io",
                                          .version = "v1",
                                          .kind = "CSIDriver",
                                          .plural = "csidrivers",
                                          .namespaced = false};

  ObjectMeta metadata;
  CsiDriverSpec spec;

  bool operator==(const CsiDriver&) const = default;
  static const json::Type& JsonType();
};

// CsiStorageCapacity is the remaining capacity of a driver for a storage class on some nodes.
struct CsiStorageCapacity {
  static constexpr ResourceInfo kResource{.group = "storage.k8s.io",
                                          .version = "v1",
                                          .kind = "CSIStorageCapacity",
                                          .plural = "csistoragecapacities",
                                          .namespaced = true};

  ObjectMeta metadata;
  std::optional<LabelSelector> node_topology;  // absent: no node
  std::string storage_class_name;
  std::optional<Quantity> capacity;
  std::optional<Quantity> maximum_volume_size;

  bool operator==(const CsiStorageCapacity&) const = default;
  static const json::Type& JsonType();
};

struct VolumeAttachmentSource {
  std::optional<std::string> persistent_volume_name;

  bool operator==(const VolumeAttachmentSource&) const = default;
  static const json::Type& JsonType();
};

struct VolumeAttachmentSpec {
  std::string attacher;
  std::string node_name;
  VolumeAttachmentSource source;

  bool operator==(const VolumeAttachmentSpec&) const = default;
  static const json::Type& JsonType();
};

struct VolumeAttachment {
  static constexpr ResourceInfo kResource{.group = "storage.k8s.io",
                                          .version = "v1",
                                          .kind = "VolumeAttachment",
                                          .plural = "volumeattachments",
                                          .namespaced = false};

  ObjectMeta metadata;
  VolumeAttachmentSpec spec;

  bool operator==(const VolumeAttachment&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
