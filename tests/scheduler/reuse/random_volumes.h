// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "scheduler/cache/cache.h"
#include "tests/scheduler/testing/builders.h"
#include "tests/scheduler/testing/random.h"

namespace berth::scheduler::testing {

// RandomVolumes holds the volumes, claims and storage objects of a random cluster. Objects are
// added, changed and removed under few names, in every possible state, and bound to each other or
// to missing objects.
class RandomVolumes {
 public:
  explicit RandomVolumes(Cache& cache) : cache_(cache) {}

  // Puts or removes one object. Requires: node names are n0, n1, … below n<nodes>.
  void Change(Random& random, size_t nodes);
  // Adds volumes to some pods.
  static void AddTo(Random& random, PodBuilder& pod);

 private:
  void ChangeVolume(Random& random, size_t nodes);
  void ChangeClaim(Random& random, size_t nodes);
  void ChangeClass(Random& random);
  void ChangeCsiNode(Random& random, size_t nodes);
  void ChangeDriver(Random& random);
  void ChangeCapacity(Random& random);
  void ChangeAttachment(Random& random, size_t nodes);
  // Puts the object; one time in eight, removes the object with its name instead.
  template <class T>
  void Keep(Random& random, T object);

  Cache& cache_;
  uint64_t versions_ = 0;
};

}  // namespace berth::scheduler::testing
