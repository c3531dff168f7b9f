// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace berth::engine {

// KnownVersion is the data that the informer stores for an object whose needed data is in the core:
// only its identity and version.
struct KnownVersion {
  std::string uid;
  std::string resource_version;

  template <class T>
  static KnownVersion Of(const std::shared_ptr<const T>& object) {
    return {object->metadata.uid, object->metadata.resource_version};
  }
};

}  // namespace berth::engine
