// SPDX-License-Identifier: Apache-2.0
#include "api/persistent_volume.h"

namespace berth::api {
namespace {

// Returns the class in the legacy annotation, or the field.
const std::string& ClassIn(const ObjectMeta& metadata, const std::string& field) {
  const auto old = metadata.annotations.find("volume.beta.kubernetes.io/storage-class");
  return old != metadata.annotations.end() ? old->second : field;
}

}  // namespace

const json::Type& CsiPersistentVolumeSource::JsonType() {
  static const json::Type type = json::Describe<CsiPersistentVolumeSource>(
      json::Object(json::Field("driver", &CsiPersistentVolumeSource::driver),
                   json::Field("volumeHandle", &CsiPersistentVolumeSource::volume_handle)));
  return type;
}

const json::Type& LocalVolumeSource::JsonType() {
  static const json::Type type = json::Describe<LocalVolumeSource>(
      json::Object(json::Field("path", &LocalVolumeSource::path)));
  return type;
}

const json::Type& VolumeNodeAffinity::JsonType() {
  static const json::Type type = json::Describe<VolumeNodeAffinity>(
      json::Object(json::Field("required", &VolumeNodeAffinity::required)));
  return type;
}

const json::Type& PersistentVolumeSpec::JsonType() {
  static const json::Type type = json::Describe<PersistentVolumeSpec>(json::Object(
      json::Field("capacity", &PersistentVolumeSpec::capacity),
      json::Field("accessModes", &PersistentVolumeSpec::access_modes),
      json::Field("claimRef", &PersistentVolumeSpec::claim_ref),
      json::Field("storageClassName", &PersistentVolumeSpec::storage_class_name),
      json::Field("volumeMode", &PersistentVolumeSpec::volume_mode),
      json::Field("volumeAttributesClassName", &PersistentVolumeSpec::volume_attributes_class_name),
      json::Field("nodeAffinity", &PersistentVolumeSpec::node_affinity),
      json::Field("csi", &PersistentVolumeSpec::csi),
      json::Field("local", &PersistentVolumeSpec::local),
      json::Field("gcePersistentDisk", &PersistentVolumeSpec::gce_persistent_disk),
      json::Field("awsElasticBlockStore", &PersistentVolumeSpec::aws_elastic_block_store),
      json::Field("azureDisk", &PersistentVolumeSpec::azure_disk),
      json::Field("azureFile", &PersistentVolumeSpec::azure_file),
      json::Field("cinder", &PersistentVolumeSpec::cinder),
      json::Field("vsphereVolume", &PersistentVolumeSpec::vsphere_volume),
      json::Field("portworxVolume", &PersistentVolumeSpec::portworx_volume)));
  return type;
}

const json::Type& PersistentVolumeStatus::JsonType() {
  static const json::Type type = json::Describe<PersistentVolumeStatus>(
      json::Object(json::Field("phase", &PersistentVolumeStatus::phase)));
  return type;
}

const json::Type& PersistentVolume::JsonType() {
  static const json::Type type = json::Describe<PersistentVolume>(
      json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "PersistentVolume"),
                   json::Field("metadata", &PersistentVolume::metadata),
                   json::Field("spec", &PersistentVolume::spec),
                   json::Field("status", &PersistentVolume::status)));
  return type;
}

const json::Type& VolumeResourceRequirements::JsonType() {
  static const json::Type type = json::Describe<VolumeResourceRequirements>(
      json::Object(json::Field("requests", &VolumeResourceRequirements::requests)));
  return type;
}

const json::Type& PersistentVolumeClaimSpec::JsonType() {
  static const json::Type type = json::Describe<PersistentVolumeClaimSpec>(
      json::Object(json::Field("accessModes", &PersistentVolumeClaimSpec::access_modes),
                   json::Field("selector", &PersistentVolumeClaimSpec::selector),
                   json::Field("resources", &PersistentVolumeClaimSpec::resources),
                   json::Field("volumeName", &PersistentVolumeClaimSpec::volume_name),
                   json::Field("storageClassName", &PersistentVolumeClaimSpec::storage_class_name),
                   json::Field("volumeMode", &PersistentVolumeClaimSpec::volume_mode),
                   json::Field("volumeAttributesClassName",
                               &PersistentVolumeClaimSpec::volume_attributes_class_name)));
  return type;
}

const json::Type& PersistentVolumeClaimStatus::JsonType() {
  static const json::Type type = json::Describe<PersistentVolumeClaimStatus>(
      json::Object(json::Field("phase", &PersistentVolumeClaimStatus::phase)));
  return type;
}

const json::Type& PersistentVolumeClaim::JsonType() {
  static const json::Type type = json::Describe<PersistentVolumeClaim>(json::Object(
      json::Constant("apiVersion", "v1"), json::Constant("kind", "PersistentVolumeClaim"),
      json::Field("metadata", &PersistentVolumeClaim::metadata),
      json::Field("spec", &PersistentVolumeClaim::spec),
      json::Field("status", &PersistentVolumeClaim::status)));
  return type;
}

std::string StorageClassOf(const PersistentVolume& volume) {
  return ClassIn(volume.metadata, volume.spec.storage_class_name);
}

std::string StorageClassOf(const PersistentVolumeClaim& claim) {
  return ClassIn(claim.metadata, claim.spec.storage_class_name.value_or(""));
}

}  // namespace berth::api
