// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/volumes/volume_store.h"

namespace berth::scheduler {

void VolumeStore::Clear(ObjectKind kind) {
  changes_.Touch(Epoch::kVolumes);
  std::apply(
      [kind]<class... T>(ObjectTable<T>&... tables) {
        ((kKindOf<T> == kind ? tables.Clear() : void()), ...);
      },
      tables_);
  std::apply(
      [kind]<class... T>(AssumedObjects<T>&... assumed) {
        ((kKindOf<T> == kind ? assumed.Clear() : void()), ...);
      },
      assumed_);
  if (kind == ObjectKind::kPersistentVolume) volumes_.Clear();
  if (kind == ObjectKind::kCsiStorageCapacity) capacities_.Clear();
  usage_.OnCleared();
}

}  // namespace berth::scheduler
