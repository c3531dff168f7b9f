// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/type.h"

// Disks and shares that a pod uses without a claim. They have the fields that plugins compare to
// find two pods on one disk, and those needed to translate a disk to its CSI driver. Source:
// core/v1 Volume; csi-translation-lib plugins; kube-scheduler
// pkg/scheduler/framework/plugins/volumerestrictions/volume_restrictions.go, isVolumeConflict.
namespace berth::api {

struct GcePersistentDiskVolumeSource {
  std::string pd_name;
  std::string fs_type;
  int32_t partition = 0;
  bool read_only = false;

  bool operator==(const GcePersistentDiskVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct AwsElasticBlockStoreVolumeSource {
  std::string volume_id;
  std::string fs_type;
  int32_t partition = 0;
  bool read_only = false;

  bool operator==(const AwsElasticBlockStoreVolumeSource&) const = default;
  static const json::Type& JsonType();
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
  static const json::Type& JsonType();
};

struct IscsiVolumeSource {
  std::string target_portal;
  std::string iqn;
  int32_t lun = 0;
  std::string iscsi_interface;
  std::string fs_type;
  bool read_only = false;

  bool operator==(const IscsiVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct AzureDiskVolumeSource {
  std::string disk_name;
  std::string disk_uri;
  std::optional<std::string> caching_mode;
  std::optional<std::string> fs_type;
  std::optional<bool> read_only;
  std::optional<std::string> kind;

  bool operator==(const AzureDiskVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct AzureFileVolumeSource {
  std::string secret_name;
  std::string share_name;
  bool read_only = false;

  bool operator==(const AzureFileVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct CinderVolumeSource {
  std::string volume_id;
  std::string fs_type;
  bool read_only = false;

  bool operator==(const CinderVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct VsphereVolumeSource {
  std::string volume_path;
  std::string fs_type;

  bool operator==(const VsphereVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct PortworxVolumeSource {
  std::string volume_id;
  std::string fs_type;
  bool read_only = false;

  bool operator==(const PortworxVolumeSource&) const = default;
  static const json::Type& JsonType();
};

struct NfsVolumeSource {
  std::string server;
  std::string path;
  bool read_only = false;

  bool operator==(const NfsVolumeSource&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
