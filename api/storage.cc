// SPDX-License-Identifier: Apache-2.0
#include "api/storage.h"

namespace berth::api {

const json::Type& TopologySelectorLabelRequirement::JsonType() {
  static const json::Type type = json::Describe<TopologySelectorLabelRequirement>(
      json::Object(json::Field("key", &TopologySelectorLabelRequirement::key),
                   json::Field("values", &TopologySelectorLabelRequirement::values)));
  return type;
}

const json::Type& TopologySelectorTerm::JsonType() {
  static const json::Type type = json::Describe<TopologySelectorTerm>(json::Object(
      json::Field("matchLabelExpressions", &TopologySelectorTerm::match_label_expressions)));
  return type;
}

const json::Type& StorageClass::JsonType() {
  static const json::Type type = json::Describe<StorageClass>(json::Object(
      json::Constant("apiVersion", "storage.k8s.io/v1"), json::Constant("kind", "StorageClass"),
      json::Field("metadata", &StorageClass::metadata),
      json::Field("provisioner", &StorageClass::provisioner),
      json::Field("volumeBindingMode", &StorageClass::volume_binding_mode),
      json::Field("allowedTopologies", &StorageClass::allowed_topologies)));
  return type;
}

const json::Type& VolumeNodeResources::JsonType() {
  static const json::Type type = json::Describe<VolumeNodeResources>(
      json::Object(json::Field("count", &VolumeNodeResources::count)));
  return type;
}

const json::Type& CsiNodeDriver::JsonType() {
  static const json::Type type = json::Describe<CsiNodeDriver>(json::Object(
      json::Field("name", &CsiNodeDriver::name), json::Field("nodeID", &CsiNodeDriver::node_id),
      json::Field("topologyKeys", &CsiNodeDriver::topology_keys),
      json::Field("allocatable", &CsiNodeDriver::allocatable)));
  return type;
}

const json::Type& CsiNodeSpec::JsonType() {
  static const json::Type type =
      json::Describe<CsiNodeSpec>(json::Object(json::Field("drivers", &CsiNodeSpec::drivers)));
  return type;
}

const json::Type& CsiNode::JsonType() {
  static const json::Type type = json::Describe<CsiNode>(json::Object(
      json::Constant("apiVersion", "storage.k8s.io/v1"), json::Constant("kind", "CSINode"),
      json::Field("metadata", &CsiNode::metadata), json::Field("spec", &CsiNode::spec)));
  return type;
}

const json::Type& CsiDriverSpec::JsonType() {
  static const json::Type type = json::Describe<CsiDriverSpec>(
      json::Object(json::Field("storageCapacity", &CsiDriverSpec::storage_capacity),
                   json::Field("preventPodSchedulingIfMissing",
                               &CsiDriverSpec::prevent_pod_scheduling_if_missing)));
  return type;
}

const json::Type& CsiDriver::JsonType() {
  static const json::Type type = json::Describe<CsiDriver>(json::Object(
      json::Constant("apiVersion", "storage.k8s.io/v1"), json::Constant("kind", "CSIDriver"),
      json::Field("metadata", &CsiDriver::metadata), json::Field("spec", &CsiDriver::spec)));
  return type;
}

const json::Type& CsiStorageCapacity::JsonType() {
  static const json::Type type = json::Describe<CsiStorageCapacity>(
      json::Object(json::Constant("apiVersion", "storage.k8s.io/v1"),
                   json::Constant("kind", "CSIStorageCapacity"),
                   json::Field("metadata", &CsiStorageCapacity::metadata),
                   json::Field("nodeTopology", &CsiStorageCapacity::node_topology),
                   json::Field("storageClassName", &CsiStorageCapacity::storage_class_name),
                   json::Field("capacity", &CsiStorageCapacity::capacity),
                   json::Field("maximumVolumeSize", &CsiStorageCapacity::maximum_volume_size)));
  return type;
}

const json::Type& VolumeAttachmentSource::JsonType() {
  static const json::Type type = json::Describe<VolumeAttachmentSource>(json::Object(
      json::Field("persistentVolumeName", &VolumeAttachmentSource::persistent_volume_name)));
  return type;
}

const json::Type& VolumeAttachmentSpec::JsonType() {
  static const json::Type type = json::Describe<VolumeAttachmentSpec>(
      json::Object(json::Field("attacher", &VolumeAttachmentSpec::attacher),
                   json::Field("nodeName", &VolumeAttachmentSpec::node_name),
                   json::Field("source", &VolumeAttachmentSpec::source)));
  return type;
}

const json::Type& VolumeAttachment::JsonType() {
  static const json::Type type = json::Describe<VolumeAttachment>(json::Object(
      json::Constant("apiVersion", "storage.k8s.io/v1"), json::Constant("kind", "VolumeAttachment"),
      json::Field("metadata", &VolumeAttachment::metadata),
      json::Field("spec", &VolumeAttachment::spec)));
  return type;
}

}  // namespace berth::api
