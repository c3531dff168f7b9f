// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace berth::scheduler {

// ObjectKind is a kind of object that plugins may read beside pods and nodes, which the core always
// knows. A plugin says in its descriptor which of them it reads (PluginDescriptor::reads); the
// others are neither listed nor kept. object_types.h says of each what its objects are in the API.
enum class ObjectKind : uint8_t {
  kNamespace,
  kService,
  kReplicationController,
  kReplicaSet,
  kStatefulSet,
  kPodDisruptionBudget,
  kPodGroup,
  kPersistentVolume,
  kPersistentVolumeClaim,
  kStorageClass,
  kCsiNode,
  kCsiDriver,
  kCsiStorageCapacity,
  kVolumeAttachment,
};
inline constexpr size_t kObjectKindCount = 14;

// ToString names a kind as the API's paths do: "namespaces".
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
  // Without is what is here and not in the other.
  constexpr ObjectKindSet Without(ObjectKindSet other) const {
    ObjectKindSet rest;
    rest.bits_ = bits_ & ~other.bits_;
    return rest;
  }
  constexpr bool Has(ObjectKind kind) const { return (bits_ & Bit(kind)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  bool operator==(const ObjectKindSet&) const = default;

  // ForEach visits the members in the order of the enumeration.
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
