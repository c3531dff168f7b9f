// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>

#include "api/apps.h"
#include "api/core.h"
#include "api/native_pod_group.h"
#include "api/persistent_volume.h"
#include "api/pod_group.h"
#include "api/policy.h"
#include "api/storage.h"
#include "scheduler/model/object_kind.h"

// The API type of each ObjectKind. This list determines where objects are listed, how they are
// decoded, and which handler gets them.
namespace berth::scheduler {

template <class... Types>
struct TypeList {};

// In the order of ObjectKind.
using ObjectTypes =
    TypeList<api::Namespace, api::Service, api::ReplicationController, api::ReplicaSet,
             api::StatefulSet, api::PodDisruptionBudget, api::PodGroup, api::NativePodGroup,
             api::PersistentVolume, api::PersistentVolumeClaim, api::StorageClass, api::CsiNode,
             api::CsiDriver, api::CsiStorageCapacity, api::VolumeAttachment>;

// Returns an array with one entry per kind: the result of row.template operator()<T>() for its type
// T.
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

// ReadObject holds for the types of these kinds; kKindOf is the kind of a type.
template <class T>
concept ReadObject = internal::IndexOfType<T>()
< kObjectKindCount;

template <ReadObject T>
inline constexpr ObjectKind kKindOf = static_cast<ObjectKind>(internal::IndexOfType<T>());

static_assert(kKindOf<api::Namespace> == ObjectKind::kNamespace);
static_assert(kKindOf<api::StatefulSet> == ObjectKind::kStatefulSet);
static_assert(kKindOf<api::PodDisruptionBudget> == ObjectKind::kPodDisruptionBudget);
static_assert(kKindOf<api::PodGroup> == ObjectKind::kPodGroup);
static_assert(kKindOf<api::NativePodGroup> == ObjectKind::kNativePodGroup);
static_assert(kKindOf<api::VolumeAttachment> == ObjectKind::kVolumeAttachment);

// VolumeObject holds for the storage types. They are stored completely (scheduler/model/volumes/),
// and their changes may make a pending pod schedulable.
template <class T>
concept VolumeObject = ReadObject<T> && kKindOf<T>
>= ObjectKind::kPersistentVolume;
constexpr bool IsVolumeKind(ObjectKind kind) { return kind >= ObjectKind::kPersistentVolume; }

// Returns the API resource of a kind.
const api::ResourceInfo& ResourceOf(ObjectKind kind);

// Reports whether the kind comes with a CustomResourceDefinition. The groups of Kubernetes itself
// have no dot or end in .k8s.io.
constexpr bool ComesWithCrd(const api::ResourceInfo& resource) {
  return resource.group.find('.') != std::string_view::npos && !resource.group.ends_with(".k8s.io");
}

// Reports whether the kind may be unknown to the API server: it comes with a
// CustomResourceDefinition, or is an alpha or beta kind of Kubernetes, which needs a feature gate.
constexpr bool MayBeAbsent(const api::ResourceInfo& resource) {
  return ComesWithCrd(resource) || resource.version.find("alpha") != std::string_view::npos ||
         resource.version.find("beta") != std::string_view::npos;
}

}  // namespace berth::scheduler
