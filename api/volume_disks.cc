// SPDX-License-Identifier: Apache-2.0
#include "api/volume_disks.h"

namespace berth::api {

const json::Type& GcePersistentDiskVolumeSource::JsonType() {
  static const json::Type type = json::Describe<GcePersistentDiskVolumeSource>(
      json::Object(json::Field("pdName", &GcePersistentDiskVolumeSource::pd_name),
                   json::Field("fsType", &GcePersistentDiskVolumeSource::fs_type),
                   json::Field("partition", &GcePersistentDiskVolumeSource::partition),
                   json::Field("readOnly", &GcePersistentDiskVolumeSource::read_only)));
  return type;
}

const json::Type& AwsElasticBlockStoreVolumeSource::JsonType() {
  static const json::Type type = json::Describe<AwsElasticBlockStoreVolumeSource>(
      json::Object(json::Field("volumeID", &AwsElasticBlockStoreVolumeSource::volume_id),
                   json::Field("fsType", &AwsElasticBlockStoreVolumeSource::fs_type),
                   json::Field("partition", &AwsElasticBlockStoreVolumeSource::partition),
                   json::Field("readOnly", &AwsElasticBlockStoreVolumeSource::read_only)));
  return type;
}

const json::Type& RbdVolumeSource::JsonType() {
  static const json::Type type = json::Describe<RbdVolumeSource>(json::Object(
      json::Field("monitors", &RbdVolumeSource::monitors),
      json::Field("image", &RbdVolumeSource::image), json::Field("pool", &RbdVolumeSource::pool),
      json::Field("user", &RbdVolumeSource::user),
      json::Field("keyring", &RbdVolumeSource::keyring),
      json::Field("fsType", &RbdVolumeSource::fs_type),
      json::Field("readOnly", &RbdVolumeSource::read_only)));
  return type;
}

const json::Type& IscsiVolumeSource::JsonType() {
  static const json::Type type = json::Describe<IscsiVolumeSource>(
      json::Object(json::Field("targetPortal", &IscsiVolumeSource::target_portal),
                   json::Field("iqn", &IscsiVolumeSource::iqn),
                   json::Field("lun", &IscsiVolumeSource::lun).Required(),
                   json::Field("iscsiInterface", &IscsiVolumeSource::iscsi_interface),
                   json::Field("fsType", &IscsiVolumeSource::fs_type),
                   json::Field("readOnly", &IscsiVolumeSource::read_only)));
  return type;
}

const json::Type& AzureDiskVolumeSource::JsonType() {
  static const json::Type type = json::Describe<AzureDiskVolumeSource>(
      json::Object(json::Field("diskName", &AzureDiskVolumeSource::disk_name),
                   json::Field("diskURI", &AzureDiskVolumeSource::disk_uri),
                   json::Field("cachingMode", &AzureDiskVolumeSource::caching_mode),
                   json::Field("fsType", &AzureDiskVolumeSource::fs_type),
                   json::Field("readOnly", &AzureDiskVolumeSource::read_only),
                   json::Field("kind", &AzureDiskVolumeSource::kind)));
  return type;
}

const json::Type& AzureFileVolumeSource::JsonType() {
  static const json::Type type = json::Describe<AzureFileVolumeSource>(
      json::Object(json::Field("secretName", &AzureFileVolumeSource::secret_name),
                   json::Field("shareName", &AzureFileVolumeSource::share_name),
                   json::Field("readOnly", &AzureFileVolumeSource::read_only)));
  return type;
}

const json::Type& CinderVolumeSource::JsonType() {
  static const json::Type type = json::Describe<CinderVolumeSource>(
      json::Object(json::Field("volumeID", &CinderVolumeSource::volume_id),
                   json::Field("fsType", &CinderVolumeSource::fs_type),
                   json::Field("readOnly", &CinderVolumeSource::read_only)));
  return type;
}

const json::Type& VsphereVolumeSource::JsonType() {
  static const json::Type type = json::Describe<VsphereVolumeSource>(
      json::Object(json::Field("volumePath", &VsphereVolumeSource::volume_path),
                   json::Field("fsType", &VsphereVolumeSource::fs_type)));
  return type;
}

const json::Type& PortworxVolumeSource::JsonType() {
  static const json::Type type = json::Describe<PortworxVolumeSource>(
      json::Object(json::Field("volumeID", &PortworxVolumeSource::volume_id),
                   json::Field("fsType", &PortworxVolumeSource::fs_type),
                   json::Field("readOnly", &PortworxVolumeSource::read_only)));
  return type;
}

const json::Type& NfsVolumeSource::JsonType() {
  static const json::Type type = json::Describe<NfsVolumeSource>(json::Object(
      json::Field("server", &NfsVolumeSource::server), json::Field("path", &NfsVolumeSource::path),
      json::Field("readOnly", &NfsVolumeSource::read_only)));
  return type;
}

}  // namespace berth::api
