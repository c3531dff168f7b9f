// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "controllers/any_object.h"
#include "controllers/difference.h"

namespace berth::controllers {

// AdmissionDrift remembers the differences that remained after a write. Admission caused them, and
// another write would not remove them. For one profile, and for one thread at a time.
class AdmissionDrift {
 public:
  // Returns the differences that a write can correct: `differences` without the remembered ones.
  // Forgets remembered differences that no longer exist.
  std::vector<Difference> Among(const RenderedObject& wanted, const AnyObject& live,
                                std::vector<Difference> differences);
  // Remembers the differences that remained after a write, and the webhooks and policies that may
  // have caused them (mutators.h).
  void Set(const RenderedObject& wanted, const AnyObject& live, std::vector<Difference> differences,
           std::vector<std::string> mutators);
  void Forget(const ObjectKey& key) { known_.erase(key); }

  // Returns the remembered differences of an object, and their mutators.
  std::vector<Difference> Of(const ObjectKey& key) const;
  std::vector<std::string> MutatorsOf(const ObjectKey& key) const;

 private:
  struct Known {
    std::string uid;
    std::string wanted_hash;
    std::vector<Difference> differences;
    std::vector<std::string> mutators;
  };
  std::map<ObjectKey, Known> known_;
};

}  // namespace berth::controllers
