// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/csi_migration.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/strings.h"

namespace berth::scheduler {
namespace {

constexpr std::string_view kZone = "topology.kubernetes.io/zone";
constexpr std::string_view kRegion = "topology.kubernetes.io/region";
constexpr std::string_view kBetaZone = "failure-domain.beta.kubernetes.io/zone";
constexpr std::string_view kBetaRegion = "failure-domain.beta.kubernetes.io/region";
constexpr std::string_view kMigratedPlugins = "storage.alpha.kubernetes.io/migrated-plugins";

struct Migration {
  std::string_view plugin;
  std::string_view driver;
  bool on;
  std::string_view zone_key;  // empty: the affinity is not changed
};

constexpr Migration kAwsEbs{"kubernetes.io/aws-ebs", "ebs.csi.aws.com", true,
                            "topology.ebs.csi.aws.com/zone"};
constexpr Migration kGcePd{"kubernetes.io/gce-pd", "pd.csi.storage.gke.io", true,
                           "topology.gke.io/zone"};
constexpr Migration kAzureDisk{"kubernetes.io/azure-disk", "disk.csi.azure.com", true, ""};
constexpr Migration kAzureFile{"kubernetes.io/azure-file", "file.csi.azure.com", false, ""};
constexpr Migration kCinder{"kubernetes.io/cinder", "cinder.csi.openstack.org", true,
                            "topology.cinder.csi.openstack.org/zone"};
constexpr Migration kVsphere{"kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com", false, ""};
constexpr Migration kPortworx{"kubernetes.io/portworx-volume", "pxd.portworx.com", true, ""};

constexpr std::array kMigrations{kAwsEbs, kGcePd,   kAzureDisk, kAzureFile,
                                 kCinder, kVsphere, kPortworx};

const Migration* Find(std::string_view plugin) {
  const auto found = std::ranges::find(kMigrations, plugin, &Migration::plugin);
  return found == kMigrations.end() ? nullptr : &*found;
}

// Accepts a PersistentVolumeSpec or an inline volume: both have the same source fields.
template <class Sources>
const Migration* MigrationOf(const Sources& sources) {
  if (sources.gce_persistent_disk) return &kGcePd;
  if (sources.aws_elastic_block_store) return &kAwsEbs;
  if (sources.cinder) return &kCinder;
  if (sources.azure_disk) return &kAzureDisk;
  if (sources.azure_file) return &kAzureFile;
  if (sources.vsphere_volume) return &kVsphere;
  if (sources.portworx_volume) return &kPortworx;
  return nullptr;
}

std::string_view NameOf(const Migration* migration) {
  return migration == nullptr ? std::string_view() : migration->plugin;
}

Failure Invalid(std::string message) { return Fail(Reason::kInvalid, std::move(message)); }

// Accepts a plain volume ID or aws://<zone>/<id>.
Result<std::string> EbsVolumeId(const std::string& kubernetes_id) {
  constexpr std::string_view kScheme = "aws://";
  if (!kubernetes_id.starts_with(kScheme)) return kubernetes_id;
  std::string_view rest = std::string_view(kubernetes_id).substr(kScheme.size());
  rest = rest.substr(0, rest.find_first_of("?#"));
  const size_t first = rest.find_first_not_of('/', rest.find('/'));
  const size_t last = rest.find_last_not_of('/');
  const std::string_view id =
      first > last || first == rest.npos ? "" : rest.substr(first, last + 1 - first);
  if (id.starts_with("vol-") && id.find('/') == id.npos) return std::string(id);
  return Invalid(
      "failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (" +
      kubernetes_id + ")");
}

Result<std::string> AzureDiskHandle(const api::AzureDiskVolumeSource& disk) {
  if (!disk.kind || ToLower(*disk.kind) == "managed") return disk.disk_uri;
  return Invalid("kind(" + *disk.kind + ") is not supported in csi migration");
}

std::string GceHandle(std::string_view where, const std::string& place, const std::string& disk) {
  return "projects/UNSPECIFIED/" + std::string(where) + "/" + place + "/disks/" + disk;
}

Result<std::string> GceRegionOf(const std::vector<std::string_view>& zones) {
  std::set<std::string> regions;
  for (const std::string_view zone : zones) {
    const auto parts = Split(zone, '-');
    if (parts.size() != 3) {
      return Invalid(
          "failed to get region from zones: zone in unexpected format, expected: "
          "{locale}-{region}-{zone}, got: " +
          std::string(zone));
    }
    regions.insert(std::string(parts[0]) + "-" + std::string(parts[1]));
  }
  if (regions.size() == 1) return *regions.begin();
  std::string list;
  for (const std::string& region : regions) list += (list.empty() ? "" : " ") + region + ":{}";
  return Invalid(
      "failed to get region from zones: multiple or no regions gotten from zones, got: map[" +
      list + "]");
}

// Splits "zone1__zone2".
std::vector<std::string_view> SplitZones(std::string_view label) {
  std::vector<std::string_view> zones;
  for (size_t end = 0; (end = label.find("__")) != label.npos; label.remove_prefix(end + 2)) {
    zones.push_back(label.substr(0, end));
  }
  zones.push_back(label);
  return zones;
}

const std::string* FindLabel(const api::PersistentVolume& volume, std::string_view key) {
  const auto found = volume.metadata.labels.find(std::string(key));
  return found == volume.metadata.labels.end() ? nullptr : &found->second;
}

Result<std::string> GceVolumeHandle(const api::PersistentVolume& volume) {
  const std::string& disk = volume.spec.gce_persistent_disk->pd_name;
  const std::string* label = FindLabel(volume, kBetaZone);
  if (label == nullptr || label->empty()) label = FindLabel(volume, kZone);
  if (label == nullptr || label->empty()) return GceHandle("zones", "UNSPECIFIED", disk);
  const auto zones = SplitZones(*label);
  if (zones.size() == 1) return GceHandle("zones", *label, disk);
  BERTH_TRY(const std::string region, GceRegionOf(zones));
  return GceHandle("regions", region, disk);
}

// Returns the volume handle of a disk, if it follows from the disk's source alone.
template <class Sources>
Result<std::string> HandleOf(const Sources& sources) {
  if (sources.aws_elastic_block_store) {
    return EbsVolumeId(sources.aws_elastic_block_store->volume_id);
  }
  if (sources.azure_disk) return AzureDiskHandle(*sources.azure_disk);
  if (sources.cinder) return sources.cinder->volume_id;
  return sources.portworx_volume->volume_id;
}

// Node affinity.

using Terms = std::vector<api::NodeSelectorTerm>;

template <class Visit>
void ForEachRequirement(Terms& terms, std::string_view key, const Visit& visit) {
  for (api::NodeSelectorTerm& term : terms) {
    for (api::NodeSelectorRequirement& requirement : term.match_expressions) {
      if (requirement.key == key) visit(requirement);
    }
  }
}

bool HasKey(Terms& terms, std::string_view key) {
  bool found = false;
  ForEachRequirement(terms, key, [&](const auto&) { found = true; });
  return found;
}

// Renames the key in all requirements if any of them has a value. Returns whether it did.
bool Rename(Terms& terms, std::string_view key, std::string_view new_key) {
  bool any_value = false;
  ForEachRequirement(terms, key, [&](const auto& found) { any_value |= !found.values.empty(); });
  if (any_value) {
    ForEachRequirement(terms, key, [&](auto& found) { found.key = new_key; });
  }
  return any_value;
}

// Adds a requirement for one of the zones to each term; creates a term if there is none.
void AddZones(std::optional<api::VolumeNodeAffinity>& affinity, std::string_view key,
              const std::string& label) {
  std::set<std::string> zones;
  for (const std::string_view zone : SplitZones(label)) {
    if (const auto trimmed = TrimSpace(zone); !trimmed.empty()) zones.emplace(trimmed);
  }
  if (zones.empty()) return;
  if (!affinity) affinity.emplace();
  if (!affinity->required) affinity->required.emplace();
  Terms& terms = affinity->required->node_selector_terms;
  if (terms.empty()) terms.emplace_back();
  for (api::NodeSelectorTerm& term : terms) {
    term.match_expressions.push_back({std::string(key), "In", {zones.begin(), zones.end()}});
  }
}

// Reports whether the volume's zone is given by the beta label, used before Kubernetes 1.17.
bool UsesBetaLabels(const api::PersistentVolume& volume, Terms& terms) {
  if (HasKey(terms, kZone)) return false;
  if (HasKey(terms, kBetaZone)) return true;
  return FindLabel(volume, kZone) == nullptr && FindLabel(volume, kBetaZone) != nullptr;
}

void TranslateTopology(api::PersistentVolume& volume, std::string_view zone_key) {
  Terms none;
  auto& affinity = volume.spec.node_affinity;
  Terms& terms = affinity && affinity->required ? affinity->required->node_selector_terms : none;
  const bool beta = UsesBetaLabels(volume, terms);
  const std::string_view zone = beta ? kBetaZone : kZone;
  if (!Rename(terms, zone, zone_key)) {
    if (const std::string* label = FindLabel(volume, zone)) AddZones(affinity, zone_key, *label);
  }
  if (beta) Rename(terms, kBetaRegion, kRegion);
}

}  // namespace

std::string_view InTreePluginOf(const api::PersistentVolume& volume) {
  return NameOf(MigrationOf(volume.spec));
}

std::string_view InTreePluginOf(const api::Volume& inline_volume) {
  return NameOf(MigrationOf(inline_volume));
}

std::string_view CsiDriverOf(std::string_view in_tree_plugin) {
  const Migration* migration = Find(in_tree_plugin);
  return migration == nullptr ? std::string_view() : migration->driver;
}

bool IsMigrationOn(std::string_view in_tree_plugin) {
  const Migration* migration = Find(in_tree_plugin);
  return migration != nullptr && migration->on;
}

bool IsMigratedOn(std::string_view in_tree_plugin, const api::CsiNode* node) {
  if (node == nullptr || !IsMigrationOn(in_tree_plugin)) return false;
  const auto names = node->metadata.annotations.find(std::string(kMigratedPlugins));
  if (names == node->metadata.annotations.end()) return false;
  const auto plugins = Split(names->second, ',');
  return std::ranges::find(plugins, in_tree_plugin) != plugins.end();
}

Result<CsiSource> TranslatedSourceOf(const api::PersistentVolume& volume) {
  const bool is_gce = volume.spec.gce_persistent_disk.has_value();
  BERTH_TRY(std::string handle, is_gce ? GceVolumeHandle(volume) : HandleOf(volume.spec));
  return CsiSource{std::string(MigrationOf(volume.spec)->driver), std::move(handle), true};
}

Result<CsiSource> TranslatedSourceOf(const api::Volume& inline_volume) {
  const auto& gce = inline_volume.gce_persistent_disk;
  BERTH_TRY(std::string handle,
            gce ? GceHandle("zones", "UNSPECIFIED", gce->pd_name) : HandleOf(inline_volume));
  return CsiSource{std::string(MigrationOf(inline_volume)->driver), std::move(handle), true};
}

Result<api::PersistentVolume> TranslateToCsi(const api::PersistentVolume& volume) {
  BERTH_TRY(CsiSource source, TranslatedSourceOf(volume));
  const Migration& migration = *MigrationOf(volume.spec);
  Result<api::PersistentVolume> translated = volume;
  if (!migration.zone_key.empty()) TranslateTopology(*translated, migration.zone_key);
  api::PersistentVolumeSpec& spec = translated->spec;
  spec.gce_persistent_disk.reset();
  spec.aws_elastic_block_store.reset();
  spec.azure_disk.reset();
  spec.cinder.reset();
  spec.portworx_volume.reset();
  spec.csi =
      api::CsiPersistentVolumeSource{std::move(source.driver), std::move(source.volume_handle)};
  return translated;
}

}  // namespace berth::scheduler
