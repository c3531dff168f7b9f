// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/apiserver/store/collection.h"

namespace berth::apiserver {

// Store is all state of the server: a collection per resource, and one counter of versions for all
// of them, as in etcd. It keeps no time, does no I/O and makes no threads; the same calls give the
// same answers.
//
// Thread: one, its owner's.
class Store {
 public:
  // Add makes a collection. Requires: none of that name. `resource` is as messages name it:
  // "pods", "deployments.apps".
  Collection& Add(std::string resource, std::vector<std::string> fields);
  // Remove drops a collection with all it holds and ends who watches it. Nothing if there is none.
  void Remove(std::string_view resource);

  // Find gives null when there is none. The address stays until Remove.
  Collection* Find(std::string_view resource);
  const std::map<std::string, std::unique_ptr<Collection>, std::less<>>& collections() const {
    return collections_;
  }

  // The version of the last write.
  uint64_t version() const { return shared_.version; }

  // SetWindow is how many changes each collection remembers; older ones are forgotten at once.
  void SetWindow(size_t changes);
  // Compact forgets all history, as etcd's compaction does: older versions are answered with 410.
  void Compact();

 private:
  Shared shared_;
  std::map<std::string, std::unique_ptr<Collection>, std::less<>> collections_;
};

}  // namespace berth::apiserver
