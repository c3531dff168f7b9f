// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "api/persistent_volume.h"
#include "api/storage.h"
#include "api/volume.h"
#include "base/error.h"

// CSI migration: volumes with an in-tree source that a CSI driver now attaches. Maps a volume to
// its driver, its volume handle there, and the topology labels of the driver. Errors have
// upstream's text. Source: csi-translation-lib translate.go and plugins/; kube-scheduler
// pkg/scheduler/framework/plugins/nodevolumelimits/utils.go, volumebinding/binder.go.
namespace berth::scheduler {

// CsiSource identifies a volume at its CSI driver.
struct CsiSource {
  std::string driver;
  std::string volume_handle;
  bool is_migrated = false;  // the volume has an in-tree source

  bool operator==(const CsiSource&) const = default;
};

// Returns the in-tree plugin of the volume's source, for instance "kubernetes.io/aws-ebs". Empty
// for CSI sources and for sources without a migration.
std::string_view InTreePluginOf(const api::PersistentVolume& volume);
std::string_view InTreePluginOf(const api::Volume& inline_volume);

// Returns the CSI driver that replaces an in-tree plugin; it is also the provisioner of
// StorageClasses that name the plugin. Empty: there is none.
std::string_view CsiDriverOf(std::string_view in_tree_plugin);

// IsMigrationOn reports whether the migration is enabled in this Kubernetes version; it decides how
// volumes are counted. IsMigratedOn also requires that the node's CSINode lists the plugin in its
// annotation; `node` may be null. It decides which labels bind a volume to nodes. azure-file and
// vsphere-volume have drivers, but their migration is never on.
bool IsMigrationOn(std::string_view in_tree_plugin);
bool IsMigratedOn(std::string_view in_tree_plugin, const api::CsiNode* node);

// Returns the driver and volume handle of a volume. Requires: IsMigrationOn(InTreePluginOf).
Result<CsiSource> TranslatedSourceOf(const api::PersistentVolume& volume);
Result<CsiSource> TranslatedSourceOf(const api::Volume& inline_volume);

// Returns the volume with a CSI source. The zone of its node affinity, or of its labels if the
// affinity has none, is moved to the driver's topology key. The access modes do not change, because
// no plugin compares those of a translated volume. Requires: as TranslatedSourceOf.
Result<api::PersistentVolume> TranslateToCsi(const api::PersistentVolume& volume);

}  // namespace berth::scheduler
