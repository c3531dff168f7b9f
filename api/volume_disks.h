// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/fields.h"

// Disks and shares that a pod names without a claim: with all that plugins compare to find two pods
// on one disk, and to translate a disk to its CSI driver. Source: core/v1 Volume;
// kube-scheduler-plugins 3.8 and 5.1.
namespace berth::api {

struct GcePersistentDiskVolumeSource {
  std::string pd_name;
  std::string fs_type;
  int32_t partition = 0;
  bool read_only = false;

  bool operator==(const GcePersistentDiskVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("pdName", &GcePersistentDiskVolumeSource::pd_name),
                        json::Field("fsType", &GcePersistentDiskVolumeSource::fs_type),
                        json::Field("partition", &GcePersistentDiskVolumeSource::partition),
                        json::Field("readOnly", &GcePersistentDiskVolumeSource::read_only));
  }
};

struct AwsElasticBlockStoreVolumeSource {
  std::string volume_id;
  std::string fs_type;
  int32_t partition = 0;
  bool read_only = false;

  bool operator==(const AwsElasticBlockStoreVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("volumeID", &AwsElasticBlockStoreVolumeSource::volume_id),
                        json::Field("fsType", &AwsElasticBlockStoreVolumeSource::fs_type),
                        json::Field("partition", &AwsElasticBlockStoreVolumeSource::partition),
                        json::Field("readOnly", &AwsElasticBlockStoreVolumeSource::read_only));
  }
};

struct RbdVolumeSource {
  std::vector<std::string> monitors;
  std::string image;
  std::string pool;
  std::string user;
  std::string keyring;
  std::string fs_type;
  bool read_only = false;

  bool operator==(const RbdVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("monitors", &RbdVolumeSource::monitors),
                        json::Field("image", &RbdVolumeSource::image),
                        json::Field("pool", &RbdVolumeSource::pool),
                        json::Field("user", &RbdVolumeSource::user),
                        json::Field("keyring", &RbdVolumeSource::keyring),
                        json::Field("fsType", &RbdVolumeSource::fs_type),
                        json::Field("readOnly", &RbdVolumeSource::read_only));
  }
};

struct IscsiVolumeSource {
  std::string target_portal;
  std::string iqn;
  int32_t lun = 0;
  std::string iscsi_interface;
  std::string fs_type;
  bool read_only = false;

  bool operator==(const IscsiVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("targetPortal", &IscsiVolumeSource::target_portal),
                        json::Field("iqn", &IscsiVolumeSource::iqn),
                        json::Field("lun", &IscsiVolumeSource::lun).Required(),
                        json::Field("iscsiInterface", &IscsiVolumeSource::iscsi_interface),
                        json::Field("fsType", &IscsiVolumeSource::fs_type),
                        json::Field("readOnly", &IscsiVolumeSource::read_only));
  }
};

struct AzureDiskVolumeSource {
  std::string disk_name;
  std::string disk_uri;
  std::optional<std::string> caching_mode;
  std::optional<std::string> fs_type;
  std::optional<bool> read_only;
  std::optional<std::string> kind;

  bool operator==(const AzureDiskVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("diskName", &AzureDiskVolumeSource::disk_name),
                        json::Field("diskURI", &AzureDiskVolumeSource::disk_uri),
                        json::Field("cachingMode", &AzureDiskVolumeSource::caching_mode),
                        json::Field("fsType", &AzureDiskVolumeSource::fs_type),
                        json::Field("readOnly", &AzureDiskVolumeSource::read_only),
                        json::Field("kind", &AzureDiskVolumeSource::kind));
  }
};

struct AzureFileVolumeSource {
  std::string secret_name;
  std::string share_name;
  bool read_only = false;

  bool operator==(const AzureFileVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("secretName", &AzureFileVolumeSource::secret_name),
                        json::Field("shareName", &AzureFileVolumeSource::share_name),
                        json::Field("readOnly", &AzureFileVolumeSource::read_only));
  }
};

struct CinderVolumeSource {
  std::string volume_id;
  std::string fs_type;
  bool read_only = false;

  bool operator==(const CinderVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("volumeID", &CinderVolumeSource::volume_id),
                        json::Field("fsType", &CinderVolumeSource::fs_type),
                        json::Field("readOnly", &CinderVolumeSource::read_only));
  }
};

struct VsphereVolumeSource {
  std::string volume_path;
  std::string fs_type;

  bool operator==(const VsphereVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("volumePath", &VsphereVolumeSource::volume_path),
                        json::Field("fsType", &VsphereVolumeSource::fs_type));
  }
};

struct PortworxVolumeSource {
  std::string volume_id;
  std::string fs_type;
  bool read_only = false;

  bool operator==(const PortworxVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("volumeID", &PortworxVolumeSource::volume_id),
                        json::Field("fsType", &PortworxVolumeSource::fs_type),
                        json::Field("readOnly", &PortworxVolumeSource::read_only));
  }
};

struct NfsVolumeSource {
  std::string server;
  std::string path;
  bool read_only = false;

  bool operator==(const NfsVolumeSource&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("server", &NfsVolumeSource::server),
                        json::Field("path", &NfsVolumeSource::path),
                        json::Field("readOnly", &NfsVolumeSource::read_only));
  }
};

}  // namespace berth::api
