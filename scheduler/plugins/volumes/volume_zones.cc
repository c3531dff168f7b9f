// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/volume_zones.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/strings.h"

namespace berth::scheduler {
namespace {

// ZoneKeyPair is a zone or region label of volumes, and its newer form.
struct ZoneKeyPair {
  std::string_view key, newer;
};
constexpr std::string_view kZoneKey = "topology.kubernetes.io/zone";
constexpr std::string_view kRegionKey = "topology.kubernetes.io/region";
constexpr ZoneKeyPair kZoneKeyPairs[] = {
    {"failure-domain.beta.kubernetes.io/zone", kZoneKey},
    {"failure-domain.beta.kubernetes.io/region", kRegionKey},
    {kZoneKey, kZoneKey},
    {kRegionKey, kRegionKey},
};

// Splits "a__b" into its zones; nullopt if one of them is empty.
std::optional<std::vector<std::string>> ZonesIn(std::string_view text) {
  constexpr std::string_view kBetween = "__";
  std::vector<std::string> values;
  for (size_t end = 0; end != std::string_view::npos;) {
    end = text.find(kBetween);
    const std::string_view value = TrimSpace(text.substr(0, end));
    if (value.empty()) return std::nullopt;
    values.emplace_back(value);
    if (end != std::string_view::npos) text.remove_prefix(end + kBetween.size());
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

std::vector<VolumeZones> ZonesOf(const api::PersistentVolume& volume) {
  std::vector<VolumeZones> zones;
  for (const ZoneKeyPair& label : kZoneKeyPairs) {
    const auto found = volume.metadata.labels.find(std::string(label.key));
    if (found == volume.metadata.labels.end()) continue;
    if (auto values = ZonesIn(found->second)) {
      zones.push_back({std::string(label.key), std::move(*values)});
    }
  }
  return zones;
}

// No node is in a zone that the vocabulary does not contain.
ZoneMatcher::ZoneMatcher(std::span<const VolumeZones> zones, const Vocabulary& words) {
  for (const ZoneKeyPair& label : kZoneKeyPairs) {
    if (const Symbol key = words.Find(label.key); key != kNoSymbol) keys_.push_back(key);
  }
  for (const VolumeZones& each : zones) {
    const auto* label =
        std::find_if(std::begin(kZoneKeyPairs), std::end(kZoneKeyPairs),
                     [&](const ZoneKeyPair& known) { return known.key == each.key; });
    Demand demand{words.Find(label->key), words.Find(label->newer), {}};
    for (const std::string& value : each.values) {
      if (const Symbol symbol = words.Find(value); symbol != kNoSymbol) {
        demand.values.push_back(symbol);
      }
    }
    demands_.push_back(std::move(demand));
  }
}

bool ZoneMatcher::Matches(const LabelSet& node) const {
  const auto has = [&node](Symbol key) { return node.Value(key).has_value(); };
  if (std::none_of(keys_.begin(), keys_.end(), has)) return true;
  return std::all_of(demands_.begin(), demands_.end(), [&node](const Demand& demand) {
    auto value = node.Value(demand.key);
    if (!value) value = node.Value(demand.newer);
    return value &&
           std::find(demand.values.begin(), demand.values.end(), *value) != demand.values.end();
  });
}

}  // namespace berth::scheduler
