// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace berth::engine {

// KnownVersion is what the informer keeps of an object of which the core keeps what is asked: it
// only tells versions apart.
struct KnownVersion {
  std::string uid;
  std::string resource_version;

  template <class T>
  static KnownVersion Of(const std::shared_ptr<const T>& object) {
    return {object->metadata.uid, object->metadata.resource_version};
  }
};

}  // namespace berth::engine
