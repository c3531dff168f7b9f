// SPDX-License-Identifier: Apache-2.0
#include "convert/old_plugins.h"

#include <algorithm>

#include "base/strings.h"
#include "convert/policy_tables.h"

namespace berth::convert {
namespace {

constexpr std::string_view kPartOfFit = "now a scoring strategy of NodeResourcesFit";
constexpr std::string_view kPartOfLimits =
    "in-tree volumes count as volumes of their CSI driver, with the limit in the CSINode";

}  // namespace

std::span<const OldPlugin> OldPlugins() {
  static constexpr OldPlugin kPlugins[] = {
      {.name = "NodeResourcesLeastAllocated",
       .now = "NodeResourcesFit",
       .strategy = "LeastAllocated",
       .remark = kPartOfFit,
       .was_default = true},
      {.name = "NodeResourcesMostAllocated",
       .now = "NodeResourcesFit",
       .strategy = "MostAllocated",
       .remark = kPartOfFit},
      {.name = "RequestedToCapacityRatio",
       .now = "NodeResourcesFit",
       .strategy = "RequestedToCapacityRatio",
       .remark = kPartOfFit},
      {.name = "DefaultPodTopologySpread",
       .now = kSelectorSpread,
       .remark = "renamed to SelectorSpread in 1.19"},
      {.name = "EBSLimits",
       .now = "NodeVolumeLimits",
       .outcome = Outcome::kApproximate,
       .remark = kPartOfLimits,
       .was_default = true},
      {.name = "GCEPDLimits",
       .now = "NodeVolumeLimits",
       .outcome = Outcome::kApproximate,
       .remark = kPartOfLimits,
       .was_default = true},
      {.name = "AzureDiskLimits",
       .now = "NodeVolumeLimits",
       .outcome = Outcome::kApproximate,
       .remark = kPartOfLimits,
       .was_default = true},
      {.name = "CinderLimits",
       .now = "NodeVolumeLimits",
       .outcome = Outcome::kApproximate,
       .remark = kPartOfLimits},
      {.name = "NodeResourceLimits",
       .now = "",
       .outcome = Outcome::kDropped,
       .remark = "an alpha plugin, removed in 1.19; no plugin scores limits now"},
  };
  return kPlugins;
}

const OldPlugin* FindOldPlugin(std::string_view name) {
  const auto plugins = OldPlugins();
  const auto found = std::ranges::find(plugins, name, &OldPlugin::name);
  return found == plugins.end() ? nullptr : &*found;
}

std::string ProperName(std::string_view plugin) {
  std::string letters = ToLower(plugin);
  std::erase_if(letters, [](char c) { return c == '_' || c == '-'; });
  return std::string(letters == "networktraffic" ? kNetworkTraffic : plugin);
}

std::span<const DefaultChange> DefaultChanges() {
  static constexpr DefaultChange kChanges[] = {
      {ConfigVersion::kV1Beta2, "NodeAffinity", "weight 1", "weight 2",
       "score.enabled: [{name: NodeAffinity, weight: 1}]"},
      {ConfigVersion::kV1Beta2, "InterPodAffinity", "weight 1", "weight 2",
       "score.enabled: [{name: InterPodAffinity, weight: 1}]"},
      {ConfigVersion::kV1Beta2, "TaintToleration", "weight 1", "weight 3",
       "score.enabled: [{name: TaintToleration, weight: 1}]"},
      {ConfigVersion::kV1Beta1, kNodePreferAvoidPods, "weight 10000", "not included",
       "score.enabled: [{name: NodePreferAvoidPods, weight: 10000}]"},
      {ConfigVersion::kV1Beta1, kSelectorSpread, "weight 1, up to 1.19", "not included",
       "score.enabled: [{name: SelectorSpread, weight: 1}]", "PodTopologySpread"},
      {ConfigVersion::kV1Alpha2, "PodTopologySpread", "weight 1", "weight 2",
       "score.enabled: [{name: PodTopologySpread, weight: 1}]"},
  };
  return kChanges;
}

}  // namespace berth::convert
