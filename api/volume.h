// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"
#include "api/volume_disks.h"
#include "base/quantity.h"

// The volumes of a pod. Sources that scheduler plugins compare have all compared fields; others
// have only the fields that Berth's own pods use. Source: core/v1 Volume; kube-scheduler
// pkg/scheduler/framework/plugins/{volumerestrictions,nodevolumelimits,volumebinding,volumezone}.
namespace berth::api {

struct PersistentVolumeClaimVolumeSource {
  std::string claim_name;
  bool read_only = false;

  bool operator==(const PersistentVolumeClaimVolumeSource&) const = default;
  static const json::Type& JsonType();
};

// EphemeralVolumeSource refers to a PersistentVolumeClaim named <pod>-<volume>, which a controller
// creates from the template.
struct EphemeralVolumeSource {
  json::Raw volume_claim_template;

  bool operator==(const EphemeralVolumeSource&) const = default;
  static const json::Type& JsonType();
};

// CsiVolumeSource is an inline volume with the lifetime of its pod.
struct CsiVolumeSource {
  std::string driver;
  std::optional<bool> read_only;
  std::optional<std::string> fs_type;
  StringMap volume_attributes;

  bool operator==(const CsiVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct ImageVolumeSource {
  std::string reference;
  std::string pull_policy;

  bool operator==(const ImageVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct KeyToPath {
  std::string key;
  std::string path;
  std::optional<int32_t> mode;

  bool operator==(const KeyToPath&) const = default;
  static const json::Type& JsonType();
};

struct ConfigMapVolumeSource {
  std::string name;
  std::vector<KeyToPath> items;
  std::optional<int32_t> default_mode;
  std::optional<bool> optional;

  bool operator==(const ConfigMapVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct SecretVolumeSource {
  std::string secret_name;
  std::vector<KeyToPath> items;
  std::optional<int32_t> default_mode;
  std::optional<bool> optional;

  bool operator==(const SecretVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct EmptyDirVolumeSource {
  std::string medium;
  std::optional<Quantity> size_limit;

  bool operator==(const EmptyDirVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct HostPathVolumeSource {
  std::string path;
  std::optional<std::string> type;

  bool operator==(const HostPathVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct ObjectFieldSelector {
  std::string api_version;
  std::string field_path;

  bool operator==(const ObjectFieldSelector&) const = default;
  static const json::Type& JsonType();
};

struct ResourceFieldSelector {
  std::string container_name;
  std::string resource;
  std::optional<Quantity> divisor;

  bool operator==(const ResourceFieldSelector&) const = default;
  static const json::Type& JsonType();
};

struct DownwardApiVolumeFile {
  std::string path;
  std::optional<ObjectFieldSelector> field_ref;
  Rare<ResourceFieldSelector> resource_field_ref;
  std::optional<int32_t> mode;

  bool operator==(const DownwardApiVolumeFile&) const = default;
  static const json::Type& JsonType();
};

struct DownwardApiVolumeSource {
  std::vector<DownwardApiVolumeFile> items;
  std::optional<int32_t> default_mode;

  bool operator==(const DownwardApiVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct ServiceAccountTokenProjection {
  std::string audience;
  std::optional<int64_t> expiration_seconds;
  std::string path;

  bool operator==(const ServiceAccountTokenProjection&) const = default;
  static const json::Type& JsonType();
};

struct ConfigMapProjection {
  std::string name;
  std::vector<KeyToPath> items;
  std::optional<bool> optional;

  bool operator==(const ConfigMapProjection&) const = default;
  static const json::Type& JsonType();
};

struct DownwardApiProjection {
  std::vector<DownwardApiVolumeFile> items;

  bool operator==(const DownwardApiProjection&) const = default;
  static const json::Type& JsonType();
};

// VolumeProjection has exactly one source. A Secret's has the same form as a ConfigMap's.
struct VolumeProjection {
  Rare<ServiceAccountTokenProjection> service_account_token;
  Rare<ConfigMapProjection> config_map;
  Rare<ConfigMapProjection> secret;
  Rare<DownwardApiProjection> downward_api;

  bool operator==(const VolumeProjection&) const = default;
  static const json::Type& JsonType();
};

struct ProjectedVolumeSource {
  std::vector<VolumeProjection> sources;
  std::optional<int32_t> default_mode;

  bool operator==(const ProjectedVolumeSource&) const = default;
  static const json::Type& JsonType();
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
  static const json::Type& JsonType();
};

}  // namespace berth::api
