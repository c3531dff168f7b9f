// SPDX-License-Identifier: Apache-2.0
#include "api/volume.h"

namespace berth::api {

const json::Type& PersistentVolumeClaimVolumeSource::JsonType() {
  static const json::Type type = json::Describe<PersistentVolumeClaimVolumeSource>(
      json::Object(json::Field("claimName", &PersistentVolumeClaimVolumeSource::claim_name),
                   json::Field("readOnly", &PersistentVolumeClaimVolumeSource::read_only)));
  return type;
}

const json::Type& EphemeralVolumeSource::JsonType() {
  static const json::Type type = json::Describe<EphemeralVolumeSource>(json::Object(
      json::Field("volumeClaimTemplate", &EphemeralVolumeSource::volume_claim_template)));
  return type;
}

const json::Type& CsiVolumeSource::JsonType() {
  static const json::Type type = json::Describe<CsiVolumeSource>(
      json::Object(json::Field("driver", &CsiVolumeSource::driver),
                   json::Field("readOnly", &CsiVolumeSource::read_only),
                   json::Field("fsType", &CsiVolumeSource::fs_type),
                   json::Field("volumeAttributes", &CsiVolumeSource::volume_attributes)));
  return type;
}

const json::Type& ImageVolumeSource::JsonType() {
  static const json::Type type = json::Describe<ImageVolumeSource>(
      json::Object(json::Field("reference", &ImageVolumeSource::reference),
                   json::Field("pullPolicy", &ImageVolumeSource::pull_policy)));
  return type;
}

const json::Type& KeyToPath::JsonType() {
  static const json::Type type = json::Describe<KeyToPath>(
      json::Object(json::Field("key", &KeyToPath::key), json::Field("path", &KeyToPath::path),
                   json::Field("mode", &KeyToPath::mode)));
  return type;
}

const json::Type& ConfigMapVolumeSource::JsonType() {
  static const json::Type type = json::Describe<ConfigMapVolumeSource>(
      json::Object(json::Field("name", &ConfigMapVolumeSource::name),
                   json::Field("items", &ConfigMapVolumeSource::items),
                   json::Field("defaultMode", &ConfigMapVolumeSource::default_mode),
                   json::Field("optional", &ConfigMapVolumeSource::optional)));
  return type;
}

const json::Type& SecretVolumeSource::JsonType() {
  static const json::Type type = json::Describe<SecretVolumeSource>(
      json::Object(json::Field("secretName", &SecretVolumeSource::secret_name),
                   json::Field("items", &SecretVolumeSource::items),
                   json::Field("defaultMode", &SecretVolumeSource::default_mode),
                   json::Field("optional", &SecretVolumeSource::optional)));
  return type;
}

const json::Type& EmptyDirVolumeSource::JsonType() {
  static const json::Type type = json::Describe<EmptyDirVolumeSource>(
      json::Object(json::Field("medium", &EmptyDirVolumeSource::medium),
                   json::Field("sizeLimit", &EmptyDirVolumeSource::size_limit)));
  return type;
}

const json::Type& HostPathVolumeSource::JsonType() {
  static const json::Type type = json::Describe<HostPathVolumeSource>(
      json::Object(json::Field("path", &HostPathVolumeSource::path),
                   json::Field("type", &HostPathVolumeSource::type)));
  return type;
}

const json::Type& ObjectFieldSelector::JsonType() {
  static const json::Type type = json::Describe<ObjectFieldSelector>(json::Object(
      json::Field("apiVersion", &ObjectFieldSelector::api_version)
          .Doc("Version of the pod in which fieldPath is written; default: v1."),
      json::Field("fieldPath", &ObjectFieldSelector::field_path)
          .Doc("Path of the field, such as spec.nodeName or metadata.labels['app'].")));
  return type;
}

const json::Type& ResourceFieldSelector::JsonType() {
  static const json::Type type = json::Describe<ResourceFieldSelector>(
      json::Object(json::Field("containerName", &ResourceFieldSelector::container_name)
                       .Doc("Name of the container; default: this one."),
                   json::Field("resource", &ResourceFieldSelector::resource)
                       .Doc("Request or limit, such as limits.cpu."),
                   json::Field("divisor", &ResourceFieldSelector::divisor)
                       .Doc("Unit of the value, such as 1Mi; default: 1.")));
  return type;
}

const json::Type& DownwardApiVolumeFile::JsonType() {
  static const json::Type type = json::Describe<DownwardApiVolumeFile>(
      json::Object(json::Field("path", &DownwardApiVolumeFile::path),
                   json::Field("fieldRef", &DownwardApiVolumeFile::field_ref),
                   json::Field("resourceFieldRef", &DownwardApiVolumeFile::resource_field_ref),
                   json::Field("mode", &DownwardApiVolumeFile::mode)));
  return type;
}

const json::Type& DownwardApiVolumeSource::JsonType() {
  static const json::Type type = json::Describe<DownwardApiVolumeSource>(
      json::Object(json::Field("items", &DownwardApiVolumeSource::items),
                   json::Field("defaultMode", &DownwardApiVolumeSource::default_mode)));
  return type;
}

const json::Type& ServiceAccountTokenProjection::JsonType() {
  static const json::Type type = json::Describe<ServiceAccountTokenProjection>(json::Object(
      json::Field("audience", &ServiceAccountTokenProjection::audience),
      json::Field("expirationSeconds", &ServiceAccountTokenProjection::expiration_seconds),
      json::Field("path", &ServiceAccountTokenProjection::path)));
  return type;
}

const json::Type& ConfigMapProjection::JsonType() {
  static const json::Type type = json::Describe<ConfigMapProjection>(
      json::Object(json::Field("name", &ConfigMapProjection::name),
                   json::Field("items", &ConfigMapProjection::items),
                   json::Field("optional", &ConfigMapProjection::optional)));
  return type;
}

const json::Type& DownwardApiProjection::JsonType() {
  static const json::Type type = json::Describe<DownwardApiProjection>(
      json::Object(json::Field("items", &DownwardApiProjection::items)));
  return type;
}

const json::Type& VolumeProjection::JsonType() {
  static const json::Type type = json::Describe<VolumeProjection>(
      json::Object(json::Field("serviceAccountToken", &VolumeProjection::service_account_token),
                   json::Field("configMap", &VolumeProjection::config_map),
                   json::Field("secret", &VolumeProjection::secret),
                   json::Field("downwardAPI", &VolumeProjection::downward_api)));
  return type;
}

const json::Type& ProjectedVolumeSource::JsonType() {
  static const json::Type type = json::Describe<ProjectedVolumeSource>(
      json::Object(json::Field("sources", &ProjectedVolumeSource::sources),
                   json::Field("defaultMode", &ProjectedVolumeSource::default_mode)));
  return type;
}

const json::Type& Volume::JsonType() {
  static const json::Type type = json::Describe<Volume>(json::Object(
      json::Field("name", &Volume::name),
      json::Field("persistentVolumeClaim", &Volume::persistent_volume_claim),
      json::Field("ephemeral", &Volume::ephemeral), json::Field("csi", &Volume::csi),
      json::Field("gcePersistentDisk", &Volume::gce_persistent_disk),
      json::Field("awsElasticBlockStore", &Volume::aws_elastic_block_store),
      json::Field("rbd", &Volume::rbd), json::Field("iscsi", &Volume::iscsi),
      json::Field("azureDisk", &Volume::azure_disk), json::Field("azureFile", &Volume::azure_file),
      json::Field("cinder", &Volume::cinder), json::Field("vsphereVolume", &Volume::vsphere_volume),
      json::Field("portworxVolume", &Volume::portworx_volume), json::Field("image", &Volume::image),
      json::Field("projected", &Volume::projected), json::Field("configMap", &Volume::config_map),
      json::Field("secret", &Volume::secret), json::Field("emptyDir", &Volume::empty_dir),
      json::Field("hostPath", &Volume::host_path), json::Field("nfs", &Volume::nfs),
      json::Field("downwardAPI", &Volume::downward_api)));
  return type;
}

}  // namespace berth::api
