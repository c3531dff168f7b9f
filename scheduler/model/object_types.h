// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>

#include "api/apps.h"
#include "api/core.h"
#include "api/persistent_volume.h"
#include "api/pod_group.h"
#include "api/policy.h"
#include "api/storage.h"
#include "scheduler/model/object_kind.h"

// The API's type of each ObjectKind: the one list from which follow where objects are listed, how
// they are decoded, and which handler they meet.
namespace berth::scheduler {

template <class... Types>
struct TypeList {};

// In the order of ObjectKind.
using ObjectTypes =
    TypeList<api::Namespace, api::Service, api::ReplicationController, api::ReplicaSet,
             api::StatefulSet, api::PodDisruptionBudget, api::PodGroup, api::PersistentVolume,
             api::PersistentVolumeClaim, api::StorageClass, api::CsiNode, api::CsiDriver,
             api::CsiStorageCapacity, api::VolumeAttachment>;

// ByObjectKind makes a table of one entry for each kind, of what `row` gives for its type:
// row.template operator()<T>().
template <class Row>
constexpr auto ByObjectKind(const Row& row) {
  return [&row]<class... Types>(TypeList<Types...>) {
    static_assert(sizeof...(Types) == kObjectKindCount);
    return std::array{row.template operator()<Types>()...};
  }(ObjectTypes());
}

namespace internal {
template <class T>
constexpr size_t IndexOfType() {
  const auto is_type = ByObjectKind([]<class Each>() { return std::same_as<Each, T>; });
  size_t index = 0;
  while (index < is_type.size() && !is_type[index]) ++index;
  return index;
}
}  // namespace internal

// ReadObject holds for the types of those kinds, and kKindOf names the kind.
template <class T>
concept ReadObject = internal::IndexOfType<T>()
< kObjectKindCount;

template <ReadObject T>
inline constexpr ObjectKind kKindOf = static_cast<ObjectKind>(internal::IndexOfType<T>());

static_assert(kKindOf<api::Namespace> == ObjectKind::kNamespace);
static_assert(kKindOf<api::StatefulSet> == ObjectKind::kStatefulSet);
static_assert(kKindOf<api::PodDisruptionBudget> == ObjectKind::kPodDisruptionBudget);
static_assert(kKindOf<api::PodGroup> == ObjectKind::kPodGroup);
static_assert(kKindOf<api::VolumeAttachment> == ObjectKind::kVolumeAttachment);

// VolumeObject holds for the types that say where volumes are and where they can go. They are kept
// whole (scheduler/cache/volumes/), and their changes may let a waiting pod fit.
template <class T>
concept VolumeObject = ReadObject<T> && kKindOf<T>
>= ObjectKind::kPersistentVolume;
constexpr bool IsVolumeKind(ObjectKind kind) { return kind >= ObjectKind::kPersistentVolume; }

// ResourceOf says where the API server has the objects of a kind.
const api::ResourceInfo& ResourceOf(ObjectKind kind);

// MayBeAbsent says of a kind that an API server need not know it: it comes with a
// CustomResourceDefinition that somebody installs, or does not. Its group is then none of
// Kubernetes' own, which have no dot or end in .k8s.io.
constexpr bool MayBeAbsent(const api::ResourceInfo& resource) {
  return resource.group.find('.') != std::string_view::npos && !resource.group.ends_with(".k8s.io");
}

}  // namespace berth::scheduler
