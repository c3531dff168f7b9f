// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "scheduler/cache/cache.h"
#include "tests/scheduler/testing/builders.h"
#include "tests/scheduler/testing/random.h"

namespace berth::scheduler::testing {

// RandomVolumes is the volumes of a random cluster, claims for them, and how they are made: objects
// come, change and go under few names, in each state that they can have, bound to one another or to
// what is not there.
class RandomVolumes {
 public:
  explicit RandomVolumes(Cache& cache) : cache_(cache) {}

  // Change puts or removes one object. Requires: nodes are called n0, n1, … below n<nodes>.
  void Change(Random& random, size_t nodes);
  // AddTo gives some pods volumes.
  static void AddTo(Random& random, PodBuilder& pod);

 private:
  void ChangeVolume(Random& random, size_t nodes);
  void ChangeClaim(Random& random, size_t nodes);
  void ChangeClass(Random& random);
  void ChangeCsiNode(Random& random, size_t nodes);
  void ChangeDriver(Random& random);
  void ChangeCapacity(Random& random);
  void ChangeAttachment(Random& random, size_t nodes);
  // Keep puts the object, or, one time in eight, removes the one of its name.
  template <class T>
  void Keep(Random& random, T object);

  Cache& cache_;
  uint64_t versions_ = 0;
};

}  // namespace berth::scheduler::testing
