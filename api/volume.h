// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"
#include "api/volume_disks.h"
#include "base/quantity.h"

// The volumes of a pod: the sources the scheduler looks at with all that its plugins compare, the
// others with what pods of ours use. Source: core/v1 Volume; kube-scheduler-plugins section 5.
namespace berth::api {

struct PersistentVolumeClaimVolumeSource {
  std::string claim_name;
  bool read_only = false;

  bool operator==(const PersistentVolumeClaimVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("claimName", &PersistentVolumeClaimVolumeSource::claim_name),
                        json::Field("readOnly", &PersistentVolumeClaimVolumeSource::read_only));
  }
};

// EphemeralVolumeSource stands for a claim named <pod>-<volume>, which a controller makes from the
// template.
struct EphemeralVolumeSource {
  json::Raw volume_claim_template;

  bool operator==(const EphemeralVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("volumeClaimTemplate", &EphemeralVolumeSource::volume_claim_template));
  }
};

// CsiVolumeSource is an inline volume, which lives as long as its pod.
struct CsiVolumeSource {
  std::string driver;
  std::optional<bool> read_only;
  std::optional<std::string> fs_type;
  StringMap volume_attributes;

  bool operator==(const CsiVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("driver", &CsiVolumeSource::driver),
                        json::Field("readOnly", &CsiVolumeSource::read_only),
                        json::Field("fsType", &CsiVolumeSource::fs_type),
                        json::Field("volumeAttributes", &CsiVolumeSource::volume_attributes));
  }
};

struct ImageVolumeSource {
  std::string reference;
  std::string pull_policy;

  bool operator==(const ImageVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("reference", &ImageVolumeSource::reference),
                        json::Field("pullPolicy", &ImageVolumeSource::pull_policy));
  }
};

struct KeyToPath {
  std::string key;
  std::string path;
  std::optional<int32_t> mode;

  bool operator==(const KeyToPath&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("key", &KeyToPath::key), json::Field("path", &KeyToPath::path),
                        json::Field("mode", &KeyToPath::mode));
  }
};

struct ConfigMapVolumeSource {
  std::string name;
  std::vector<KeyToPath> items;
  std::optional<int32_t> default_mode;
  std::optional<bool> optional;

  bool operator==(const ConfigMapVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("name", &ConfigMapVolumeSource::name),
                        json::Field("items", &ConfigMapVolumeSource::items),
                        json::Field("defaultMode", &ConfigMapVolumeSource::default_mode),
                        json::Field("optional", &ConfigMapVolumeSource::optional));
  }
};

struct SecretVolumeSource {
  std::string secret_name;
  std::vector<KeyToPath> items;
  std::optional<int32_t> default_mode;
  std::optional<bool> optional;

  bool operator==(const SecretVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("secretName", &SecretVolumeSource::secret_name),
                        json::Field("items", &SecretVolumeSource::items),
                        json::Field("defaultMode", &SecretVolumeSource::default_mode),
                        json::Field("optional", &SecretVolumeSource::optional));
  }
};

struct EmptyDirVolumeSource {
  std::string medium;
  std::optional<Quantity> size_limit;

  bool operator==(const EmptyDirVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("medium", &EmptyDirVolumeSource::medium),
                        json::Field("sizeLimit", &EmptyDirVolumeSource::size_limit));
  }
};

struct HostPathVolumeSource {
  std::string path;
  std::optional<std::string> type;

  bool operator==(const HostPathVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("path", &HostPathVolumeSource::path),
                        json::Field("type", &HostPathVolumeSource::type));
  }
};

struct ObjectFieldSelector {
  std::string api_version;
  std::string field_path;

  bool operator==(const ObjectFieldSelector&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("apiVersion", &ObjectFieldSelector::api_version),
                        json::Field("fieldPath", &ObjectFieldSelector::field_path));
  }
};

struct ResourceFieldSelector {
  std::string container_name;
  std::string resource;
  std::optional<Quantity> divisor;

  bool operator==(const ResourceFieldSelector&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("containerName", &ResourceFieldSelector::container_name),
                        json::Field("resource", &ResourceFieldSelector::resource),
                        json::Field("divisor", &ResourceFieldSelector::divisor));
  }
};

struct DownwardApiVolumeFile {
  std::string path;
  std::optional<ObjectFieldSelector> field_ref;
  Rare<ResourceFieldSelector> resource_field_ref;
  std::optional<int32_t> mode;

  bool operator==(const DownwardApiVolumeFile&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("path", &DownwardApiVolumeFile::path),
                        json::Field("fieldRef", &DownwardApiVolumeFile::field_ref),
                        json::Field("resourceFieldRef", &DownwardApiVolumeFile::resource_field_ref),
                        json::Field("mode", &DownwardApiVolumeFile::mode));
  }
};

struct DownwardApiVolumeSource {
  std::vector<DownwardApiVolumeFile> items;
  std::optional<int32_t> default_mode;

  bool operator==(const DownwardApiVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("items", &DownwardApiVolumeSource::items),
                        json::Field("defaultMode", &DownwardApiVolumeSource::default_mode));
  }
};

struct ServiceAccountTokenProjection {
  std::string audience;
  std::optional<int64_t> expiration_seconds;
  std::string path;

  bool operator==(const ServiceAccountTokenProjection&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("audience", &ServiceAccountTokenProjection::audience),
        json::Field("expirationSeconds", &ServiceAccountTokenProjection::expiration_seconds),
        json::Field("path", &ServiceAccountTokenProjection::path));
  }
};

struct ConfigMapProjection {
  std::string name;
  std::vector<KeyToPath> items;
  std::optional<bool> optional;

  bool operator==(const ConfigMapProjection&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("name", &ConfigMapProjection::name),
                        json::Field("items", &ConfigMapProjection::items),
                        json::Field("optional", &ConfigMapProjection::optional));
  }
};

struct DownwardApiProjection {
  std::vector<DownwardApiVolumeFile> items;

  bool operator==(const DownwardApiProjection&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("items", &DownwardApiProjection::items));
  }
};

// VolumeProjection has one source; a Secret's looks like a ConfigMap's.
struct VolumeProjection {
  Rare<ServiceAccountTokenProjection> service_account_token;
  Rare<ConfigMapProjection> config_map;
  Rare<ConfigMapProjection> secret;
  Rare<DownwardApiProjection> downward_api;

  bool operator==(const VolumeProjection&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("serviceAccountToken", &VolumeProjection::service_account_token),
        json::Field("configMap", &VolumeProjection::config_map),
        json::Field("secret", &VolumeProjection::secret),
        json::Field("downwardAPI", &VolumeProjection::downward_api));
  }
};

struct ProjectedVolumeSource {
  std::vector<VolumeProjection> sources;
  std::optional<int32_t> default_mode;

  bool operator==(const ProjectedVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("sources", &ProjectedVolumeSource::sources),
                        json::Field("defaultMode", &ProjectedVolumeSource::default_mode));
  }
};

// Volume has a name and exactly one source.
struct Volume {
  std::string name;
  Rare<PersistentVolumeClaimVolumeSource> persistent_volume_claim;
  Rare<EphemeralVolumeSource> ephemeral;
  Rare<CsiVolumeSource> csi;
  Rare<GcePersistentDiskVolumeSource> gce_persistent_disk;
  Rare<AwsElasticBlockStoreVolumeSource> aws_elastic_block_store;
  Rare<RbdVolumeSource> rbd;
  Rare<IscsiVolumeSource> iscsi;
  Rare<AzureDiskVolumeSource> azure_disk;
  Rare<AzureFileVolumeSource> azure_file;
  Rare<CinderVolumeSource> cinder;
  Rare<VsphereVolumeSource> vsphere_volume;
  Rare<PortworxVolumeSource> portworx_volume;
  Rare<ImageVolumeSource> image;
  Rare<ProjectedVolumeSource> projected;
  Rare<ConfigMapVolumeSource> config_map;
  Rare<SecretVolumeSource> secret;
  Rare<EmptyDirVolumeSource> empty_dir;
  Rare<HostPathVolumeSource> host_path;
  Rare<NfsVolumeSource> nfs;
  Rare<DownwardApiVolumeSource> downward_api;

  bool operator==(const Volume&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("name", &Volume::name),
        json::Field("persistentVolumeClaim", &Volume::persistent_volume_claim),
        json::Field("ephemeral", &Volume::ephemeral), json::Field("csi", &Volume::csi),
        json::Field("gcePersistentDisk", &Volume::gce_persistent_disk),
        json::Field("awsElasticBlockStore", &Volume::aws_elastic_block_store),
        json::Field("rbd", &Volume::rbd), json::Field("iscsi", &Volume::iscsi),
        json::Field("azureDisk", &Volume::azure_disk),
        json::Field("azureFile", &Volume::azure_file), json::Field("cinder", &Volume::cinder),
        json::Field("vsphereVolume", &Volume::vsphere_volume),
        json::Field("portworxVolume", &Volume::portworx_volume),
        json::Field("image", &Volume::image), json::Field("projected", &Volume::projected),
        json::Field("configMap", &Volume::config_map), json::Field("secret", &Volume::secret),
        json::Field("emptyDir", &Volume::empty_dir), json::Field("hostPath", &Volume::host_path),
        json::Field("nfs", &Volume::nfs), json::Field("downwardAPI", &Volume::downward_api));
  }
};

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::Volume);
