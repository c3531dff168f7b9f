// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/volumes/attached_volumes.h"

#include <algorithm>

namespace berth::scheduler {

const AttachedVolumes::Volume* AttachedVolumes::Find(const CsiSource& source) const {
  const auto found = volumes_.find(UniqueNameOf(source));
  return found == volumes_.end() ? nullptr : &found->second;
}

const AttachedVolumes::Driver* AttachedVolumes::FindDriver(std::string_view name) const {
  const auto found = drivers_.find(name);
  return found == drivers_.end() ? nullptr : &found->second;
}

void AttachedVolumes::Resize(size_t slots) {
  nodes_.resize(slots);
  for (auto& [name, driver] : drivers_) {
    driver.used_.resize(slots);
    driver.limits_.resize(slots, kNoLimit);
  }
}

AttachedVolumes::Drivers::iterator AttachedVolumes::DriverOf(const std::string& name) {
  const auto [driver, added] = drivers_.try_emplace(name);
  if (added) {
    driver->second.used_.resize(nodes_.size());
    driver->second.limits_.resize(nodes_.size(), kNoLimit);
  }
  return driver;
}

void AttachedVolumes::DropIfUnused(Drivers::iterator driver) {
  if (driver->second.figures_ == 0) drivers_.erase(driver);
}

void AttachedVolumes::Use(const std::string& name, Slot slot, bool more) {
  const auto found = DriverOf(name);
  Driver& driver = found->second;
  uint32_t& used = driver.used_[slot];
  driver.figures_ -= used > 0 ? 1 : 0;
  used = more ? used + 1 : used - 1;
  driver.figures_ += used > 0 ? 1 : 0;
  DropIfUnused(found);
}

void AttachedVolumes::Add(Slot slot, const CsiSource& source, AttachedBy by, uint32_t times) {
  Volume& volume = volumes_[UniqueNameOf(source)];
  const auto [uses, is_new] = volume.uses_.try_emplace(slot);
  uses->second[static_cast<size_t>(by)] += times;
  if (by == AttachedBy::kPod) volume.pod_uses_ += times;
  if (is_new) Use(source.driver, slot, true);
}

void AttachedVolumes::Remove(Slot slot, const CsiSource& source, AttachedBy by, uint32_t times) {
  const auto found = volumes_.find(UniqueNameOf(source));
  Volume& volume = found->second;
  const auto uses = volume.uses_.find(slot);
  uses->second[static_cast<size_t>(by)] -= times;
  if (by == AttachedBy::kPod) volume.pod_uses_ -= times;
  if (uses->second[0] + uses->second[1] > 0) return;
  volume.uses_.erase(uses);
  if (volume.uses_.empty()) volumes_.erase(found);
  Use(source.driver, slot, false);
}

void AttachedVolumes::SetNode(Slot slot, const api::CsiNode* node) {
  if (nodes_[slot].limits > 0) {
    for (auto driver = drivers_.begin(); driver != drivers_.end();) {
      const auto each = driver++;
      int64_t& limit = each->second.limits_[slot];
      if (limit == kNoLimit) continue;
      limit = kNoLimit;
      --each->second.figures_;
      DropIfUnused(each);
    }
  }
  nodes_[slot] = {.known = node != nullptr, .limits = 0};
  if (node == nullptr) return;
  for (const api::CsiNodeDriver& each : node->spec.drivers) {
    if (!each.allocatable || !each.allocatable->count) continue;
    Driver& driver = DriverOf(each.name)->second;
    int64_t& limit = driver.limits_[slot];
    if (limit == kNoLimit) {
      ++driver.figures_;
      ++nodes_[slot].limits;
    }
    limit = std::max(*each.allocatable->count, 0);  // a negative limit also means no room
  }
}

}  // namespace berth::scheduler
