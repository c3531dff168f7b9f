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

// Store holds all objects of the server: a collection per resource, and one version counter for all
// of them, like etcd. It reads no clock, does no I/O and starts no threads. The same calls yield
// the same results.
//
// Thread: one, its owner's.
class Store {
 public:
  // Creates a collection. Requires: the name is unused. `resource` is the form in messages:
  // "pods", "deployments.apps".
  Collection& Add(std::string resource, std::vector<std::string> fields);
  // Drops a collection with its objects and ends its watches. Does nothing if it does not exist.
  void Remove(std::string_view resource);

  // Returns null if it does not exist. The address is stable until Remove.
  Collection* Find(std::string_view resource);
  const std::map<std::string, std::unique_ptr<Collection>, std::less<>>& collections() const {
    return collections_;
  }

  // The version of the last write.
  uint64_t version() const { return shared_.version; }

  // Sets the number of changes that each collection keeps; drops older ones at once.
  void SetWindow(size_t changes);
  // Drops all history, like etcd's compaction: older versions get 410.
  void Compact();

 private:
  Shared shared_;
  std::map<std::string, std::unique_ptr<Collection>, std::less<>> collections_;
};

}  // namespace berth::apiserver
