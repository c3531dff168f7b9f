// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "api/persistent_volume.h"
#include "scheduler/model/label_set.h"

namespace berth::scheduler {

// VolumeZones is one of a volume's labels that say where it can be reached: the zones, or regions,
// of which a node must be in one.
struct VolumeZones {
  std::string key;
  std::vector<std::string> values;  // sorted, each once

  auto operator<=>(const VolumeZones&) const = default;
};

// ZonesOf reads the labels of a volume. One that lists an empty zone says nothing. Source:
// kube-scheduler pkg/scheduler/framework/plugins/volumezone/volume_zone.go, getPVTopologies;
// k8s.io/cloud-provider volume/helpers/zones.go, LabelZonesToSet.
std::vector<VolumeZones> ZonesOf(const api::PersistentVolume& volume);

// ZoneMatcher asks many nodes for all of some volumes' zones. Valid during one cycle.
class ZoneMatcher {
 public:
  ZoneMatcher(std::span<const VolumeZones> zones, const Vocabulary& words);

  // A node that has none of these labels matches; where it lacks the older form of one, the newer
  // one counts.
  bool Matches(const LabelSet& node) const;

 private:
  struct Demand {
    Symbol key, newer;  // the newer form of `key`, or `key`
    std::vector<Symbol> values;
  };

  std::vector<Symbol> keys_;  // that nodes of the cluster may have
  std::vector<Demand> demands_;
};

}  // namespace berth::scheduler
