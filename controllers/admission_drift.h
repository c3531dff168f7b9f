// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "controllers/any_object.h"
#include "controllers/difference.h"

namespace berth::controllers {

// Unmended remembers the differences that an object had when it came back from being written:
// admission made them, and writing again would not mend them. For one thread at a time and profile.
class AdmissionDrift {
 public:
  // Among gives those of `differences` that a write may mend, and forgets what is none any more.
  std::vector<Difference> Among(const RenderedObject& wanted, const AnyObject& live,
                                std::vector<Difference> differences);
  void Set(const RenderedObject& wanted, const AnyObject& live,
           std::vector<Difference> differences);
  void Forget(const ObjectKey& key) { known_.erase(key); }

  // Of gives what is remembered of an object.
  std::vector<Difference> Of(const ObjectKey& key) const;

 private:
  struct Known {
    std::string uid;
    std::string wanted_hash;
    std::vector<Difference> differences;
  };
  std::map<ObjectKey, Known> known_;
};

}  // namespace berth::controllers
