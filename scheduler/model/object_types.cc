// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/object_types.h"

namespace berth::scheduler {

const api::ResourceInfo& ResourceOf(ObjectKind kind) {
  static constexpr auto kResources = ByObjectKind([]<class T>() { return &T::kResource; });
  return *kResources[static_cast<size_t>(kind)];
}

std::string_view ToString(ObjectKind kind) { return ResourceOf(kind).plural; }

}  // namespace berth::scheduler
