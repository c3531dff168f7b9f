// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/volumes/volume_store.h"

namespace berth::scheduler {

void VolumeStore::Clear(ObjectKind kind) {
  changes_.Touch(Epoch::kVolumes);
  std::apply(
      [kind]<class... T>(ObjectTable<T>&... tables) {
        ((kKindOf<T> == kind ? tables.Clear() : void()), ...);
      },
      tables_);
  usage_.OnCleared();
}

}  // namespace berth::scheduler
