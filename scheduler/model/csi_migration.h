// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "api/persistent_volume.h"
#include "api/storage.h"
#include "api/volume.h"
#include "base/error.h"

// Volumes whose source is one of those that Kubernetes itself once knew how to attach ("in-tree")
// and that a CSI driver attaches today: which driver that is, what it calls the volume, and by which
// labels it says where the volume can be reached. Errors have upstream's text. Source:
// csi-translation-lib translate.go and plugins/; kube-scheduler
// pkg/scheduler/framework/plugins/nodevolumelimits/utils.go, volumebinding/binder.go.
namespace berth::scheduler {

// CsiSource is a volume as its driver knows it.
struct CsiSource {
  std::string driver;
  std::string volume_handle;

  bool operator==(const CsiSource&) const = default;
};

// InTreePluginOf names the plugin that the volume's source belongs to, "kubernetes.io/aws-ebs"; empty
// for CSI, and for all sources that no driver takes over.
std::string_view InTreePluginOf(const api::PersistentVolume& volume);
std::string_view InTreePluginOf(const api::Volume& inline_volume);

// CsiDriverOf names the driver that takes over from an in-tree plugin, which is also the provisioner
// of classes that name the plugin. Empty: none does.
std::string_view CsiDriverOf(std::string_view in_tree_plugin);

// IsMigrationOn says whether the driver really has taken over, on a node whose CSINode is known; that
// is how volumes are counted. IsMigratedOn says whether that node also says so itself (the annotation
// of its CSINode, or null where there is none), which decides the labels by which a volume is bound
// to nodes. azure-file and vsphere-volume have drivers, but are never on.
bool IsMigrationOn(std::string_view in_tree_plugin);
bool IsMigratedOn(std::string_view in_tree_plugin, const api::CsiNode* node);

// TranslatedSourceOf gives the driver's name for a volume. Requires: IsMigrationOn(InTreePluginOf).
Result<CsiSource> TranslatedSourceOf(const api::PersistentVolume& volume);
Result<CsiSource> TranslatedSourceOf(const api::Volume& inline_volume);

// TranslateToCsi gives the volume with a CSI source, and the zone of its node affinity, or of its
// labels where the affinity has none, under the driver's key. Its access modes stay: no plugin
// compares those of a translated volume. Requires: as TranslatedSourceOf.
Result<api::PersistentVolume> TranslateToCsi(const api::PersistentVolume& volume);

}  // namespace berth::scheduler
