// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace berth::scheduler {

// ObjectKind is an API kind that plugins may read besides pods and nodes, which are always read. A
// plugin lists its kinds in its descriptor (PluginDescriptor::reads); other kinds are neither
// listed nor stored. object_types.h maps the kinds to API types.
enum class ObjectKind : uint8_t {
  kNamespace,
  kService,
  kReplicationController,
  kReplicaSet,
  kStatefulSet,
  kPodDisruptionBudget,
  kPodGroup,        // of scheduling.x-k8s.io
  kNativePodGroup,  // of scheduling.k8s.io
  kPersistentVolume,
  kPersistentVolumeClaim,
  kStorageClass,
  kCsiNode,
  kCsiDriver,
  kCsiStorageCapacity,
  kVolumeAttachment,
  kCount,  // no kind; the number of kinds
};
inline constexpr auto kObjectKindCount = static_cast<size_t>(ObjectKind::kCount);

// Returns the resource name as in API paths: "namespaces".
std::string_view ToString(ObjectKind kind);

// ObjectKindSet is a set of such kinds.
class ObjectKindSet {
 public:
  constexpr ObjectKindSet() = default;
  constexpr ObjectKindSet(std::initializer_list<ObjectKind> kinds) {
    for (const ObjectKind kind : kinds) Add(kind);
  }
  constexpr void Add(ObjectKind kind) { bits_ |= Bit(kind); }
  constexpr void Add(ObjectKindSet other) { bits_ |= other.bits_; }
  constexpr ObjectKindSet operator&(ObjectKindSet other) const {
    ObjectKindSet both;
    both.bits_ = bits_ & other.bits_;
    return both;
  }
  // Returns the kinds that are in this set but not in `other`.
  constexpr ObjectKindSet Without(ObjectKindSet other) const {
    ObjectKindSet rest;
    rest.bits_ = bits_ & ~other.bits_;
    return rest;
  }
  constexpr bool Has(ObjectKind kind) const { return (bits_ & Bit(kind)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  bool operator==(const ObjectKindSet&) const = default;

  // Visits the kinds in the order of the enumeration.
  template <class Visit>
  void ForEach(Visit&& visit) const {
    for (size_t i = 0; i < kObjectKindCount; ++i) {
      if (const auto kind = static_cast<ObjectKind>(i); Has(kind)) visit(kind);
    }
  }

 private:
  static constexpr uint32_t Bit(ObjectKind kind) { return 1u << static_cast<unsigned>(kind); }
  uint32_t bits_ = 0;
};

}  // namespace berth::scheduler
