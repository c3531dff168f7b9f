// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace berth::scheduler {

// PluginIndexSet is a set of a profile's plugins, by their index in the profile (Profile::Entry):
// for instance the plugins that an attempt skips, or the plugins that rejected a pod. It is
// meaningless without the profile. Eight bytes without padding, so it may be part of a key.
class PluginIndexSet {
 public:
  static constexpr size_t kCapacity = 64;

  // Requires: index < kCapacity.
  void Add(size_t index) { bits_ |= uint64_t{1} << index; }
  bool Has(size_t index) const { return (bits_ >> index & 1) != 0; }

  bool empty() const { return bits_ == 0; }
  size_t size() const { return static_cast<size_t>(std::popcount(bits_)); }
  bool Intersects(PluginIndexSet other) const { return (bits_ & other.bits_) != 0; }
  PluginIndexSet operator|(PluginIndexSet other) const {
    other.bits_ |= bits_;
    return other;
  }

  // Calls `visit` with each index, in ascending order.
  template <class Visit>
  void ForEach(Visit visit) const {
    for (uint64_t rest = bits_; rest != 0; rest &= rest - 1) {
      visit(static_cast<size_t>(std::countr_zero(rest)));
    }
  }

  auto operator<=>(const PluginIndexSet&) const = default;

 private:
  uint64_t bits_ = 0;
};

}  // namespace berth::scheduler
