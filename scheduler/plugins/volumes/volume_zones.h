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

// VolumeZones is one topology label of a volume, with the zones or regions from which it can be
// reached. A node must be in one of them.
struct VolumeZones {
  std::string key;
  std::vector<std::string> values;  // sorted, without duplicates

  auto operator<=>(const VolumeZones&) const = default;
};

// Returns the topology labels of a volume. A label with an empty zone in its list is ignored.
// Source: kube-scheduler pkg/scheduler/framework/plugins/volumezone/volume_zone.go,
// getPVTopologies; k8s.io/cloud-provider volume/helpers/zones.go, LabelZonesToSet.
std::vector<VolumeZones> ZonesOf(const api::PersistentVolume& volume);

// ZoneMatcher matches nodes against the zones of all volumes. Valid during one cycle.
class ZoneMatcher {
 public:
  ZoneMatcher(std::span<const VolumeZones> zones, const Vocabulary& words);

  // Returns true for a node without any of these labels. If the node lacks the older form of a
  // label, the newer form counts.
  bool Matches(const LabelSet& node) const;

 private:
  struct Demand {
    Symbol key, newer;  // `newer`: the newer form of `key`, or `key`
    std::vector<Symbol> values;
  };

  std::vector<Symbol> keys_;  // zone and region labels in use in the cluster
  std::vector<Demand> demands_;
};

}  // namespace berth::scheduler
