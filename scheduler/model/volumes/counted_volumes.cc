// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/volumes/counted_volumes.h"

#include "scheduler/model/volumes/volume_store.h"

namespace berth::scheduler {
namespace {

std::optional<CsiSource> SourceOf(const api::PersistentVolume& volume) {
  std::optional<CsiSource> source;
  if (volume.spec.csi) {
    source = CsiSource{volume.spec.csi->driver, volume.spec.csi->volume_handle};
  } else if (IsMigrationOn(InTreePluginOf(volume))) {
    if (auto translated = TranslatedSourceOf(volume)) source = *std::move(translated);
  }
  if (source && (source->driver.empty() || source->volume_handle.empty())) return std::nullopt;
  return source;
}

// Returns a placeholder source for a volume that is not provisioned yet. No handle of a driver
// starts with a newline.
std::optional<CsiSource> SourceToBe(const api::StorageClass& storage_class,
                                    const std::string& claim_key) {
  const std::string& provisioner = storage_class.provisioner;
  const std::string_view driver = CsiDriverOf(provisioner);
  if (!driver.empty() && !IsMigrationOn(provisioner)) return std::nullopt;
  if (provisioner.empty()) return std::nullopt;
  const bool is_migrated = !driver.empty();
  return CsiSource{is_migrated ? std::string(driver) : provisioner, "\n" + claim_key, is_migrated};
}

}  // namespace

CountedClaim CountClaim(const VolumeStore& objects, const std::string& key) {
  const auto* claim = objects.Find<api::PersistentVolumeClaim>(key);
  if (claim == nullptr) return {};
  const api::OwnerReference* controller = api::ControllerOf(claim->metadata);
  CountedClaim counted{.source = {},
                       .volume = claim->spec.volume_name,
                       .storage_class = {},
                       .owner = controller == nullptr ? "" : controller->uid};
  if (const auto* volume = objects.Find<api::PersistentVolume>(counted.volume)) {
    counted.source = SourceOf(*volume);
    return counted;
  }
  counted.storage_class = api::StorageClassOf(*claim);
  if (const auto* found = objects.Find<api::StorageClass>(counted.storage_class)) {
    counted.source = SourceToBe(*found, key);
  }
  return counted;
}

Result<std::optional<CsiSource>> CountVolume(const VolumeStore& objects, const PodInfo& pod,
                                             const api::Volume& volume) {
  if (const std::string name = ClaimNameOf(pod, volume); !name.empty()) {
    return CountClaim(objects, pod.namespace_() + "/" + name).source;
  }
  if (!IsMigrationOn(InTreePluginOf(volume))) return std::nullopt;
  auto source = TranslatedSourceOf(volume);
  if (!source) {
    return Fail(source.error().With("converting volume(" + volume.name + ") from inline to csi"));
  }
  return *std::move(source);
}

std::string CountingErrorOf(const VolumeStore& objects, const PodInfo& pod) {
  for (const api::Volume& volume : pod.volumes()) {
    if (volume.ephemeral) {
      const std::string name = ClaimNameOf(pod, volume);
      const auto* claim = objects.Find<api::PersistentVolumeClaim>(pod.namespace_() + "/" + name);
      if (claim != nullptr && !IsCreatedFor(pod.uid(), *claim)) return NotCreatedFor(pod, name);
    }
    if (const auto counted = CountVolume(objects, pod, volume); !counted) {
      return counted.error().message();
    }
  }
  return {};
}

}  // namespace berth::scheduler
