// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/volumes/volume_reach.h"

#include "scheduler/model/csi_migration.h"
#include "scheduler/model/volumes/volume_store.h"

namespace berth::scheduler {
namespace {

Result<VolumeAffinity> Translated(const api::PersistentVolume& volume, const Vocabulary& words) {
  const auto translated = TranslateToCsi(volume);
  if (!translated) {
    return Fail(Reason::kConfig, "could not translate pv: " + translated.error().message());
  }
  return VolumeAffinity::Passing(*translated, words);
}

}  // namespace

VolumeReach::VolumeReach(const IndexedVolume& volume, const Snapshot& snapshot)
    : affinity_(volume.affinity) {
  const std::string_view plugin = InTreePluginOf(*volume.object);
  if (!IsMigrationOn(plugin)) return;
  plugin_ = plugin;
  translated_ = Translated(*volume.object, snapshot.Words());
}

Result<bool> VolumeReach::From(const NodeInfo& node, const Snapshot& snapshot) const {
  if (plugin_.empty() ||
      !IsMigratedOn(plugin_, snapshot.Volumes().Find<api::CsiNode>(node.name.text()))) {
    return affinity_->Matches(node);
  }
  if (!*translated_) return Fail(translated_->error());
  return (*translated_)->Matches(node);
}

void VolumeReach::AddTo(KeyText& text) const {
  text.Add(affinity_->text()).Add(plugin_);
  if (translated_ && *translated_) text.Add((*translated_)->text());
}

}  // namespace berth::scheduler
