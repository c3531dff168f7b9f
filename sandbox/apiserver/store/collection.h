// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "sandbox/apiserver/store/frame.h"
#include "sandbox/apiserver/store/history.h"
#include "sandbox/apiserver/store/list.h"
#include "sandbox/apiserver/store/object.h"
#include "sandbox/apiserver/store/watcher.h"

namespace berth::apiserver {

// Shared is what all collections of a store have in common.
struct Shared {
  uint64_t version = 1;    // of the last write anywhere; 0 means "any" in requests
  size_t window = 10'000;  // changes a collection remembers
};

// Collection is all objects of one resource ("pods", "deployments.apps"), their recent history, and
// who watches them. Made by Store.
//
// Thread: that of the store. Reads never change anything, and what they give stays as it is.
class Collection {
 public:
  // Version 0 as `expected` accepts any.
  static constexpr uint64_t kAnyVersion = 0;

  // `fields` are the selectable fields besides metadata.name and metadata.namespace, in the order
  // of Metadata::fields.
  Collection(std::string resource, std::vector<std::string> fields, Shared& shared);
  ~Collection();
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;

  const std::string& resource() const { return resource_; }
  std::span<const std::string> fields() const { return fields_; }
  size_t size() const { return objects_.size(); }

  // Find gives null when there is none.
  ObjectPtr Find(std::string_view name_space, std::string_view name) const;
  ObjectPtr FindByKey(std::string_view key) const;
  // Get is Find with upstream's NotFound error.
  Result<ObjectPtr> Get(std::string_view name_space, std::string_view name) const;
  // GetAt is Get at an older version, for a stale view; kExpired when the history is too short.
  Result<ObjectPtr> GetAt(std::string_view name_space, std::string_view name,
                          uint64_t version) const;

  // Writes give the new state. Errors have upstream's text: kAlreadyExists; kNotFound; kConflict
  // when the object is not at the `expected` version.
  Result<ObjectPtr> Create(Draft draft);
  // Update with what is there already writes nothing and gives the object as it is.
  Result<ObjectPtr> Update(Draft draft, uint64_t expected = kAnyVersion);
  // Delete gives the last state, under the version of the deletion.
  Result<ObjectPtr> Delete(std::string_view name_space, std::string_view name,
                           uint64_t expected = kAnyVersion);

  // List gives objects in the order of their keys.
  ListResult List(const ListOptions& options) const;

  // Watch gives a watcher even if there is only an error to tell. The error of Watch itself
  // (kInvalid) is a version that is no number.
  Result<std::unique_ptr<Watcher>> Watch(WatchOptions options);

  // Compact forgets the history up to a version, Trim what is beyond the window. Watchers that
  // still needed it are cut.
  void Compact(uint64_t version);
  void Trim();

 private:
  friend class Watcher;

  using Objects = std::map<std::string, ObjectPtr, std::less<>>;

  // Range is the part of the keys, and the state, that a list is about.
  struct Range {
    std::string prefix;  // of all keys
    std::string start;   // the first key
    uint64_t version = 0;
  };

  const History& history() const { return history_; }
  FrameCache& frames() { return frames_; }
  uint64_t store_version() const { return shared_.version; }
  void Forget(Watcher* watcher);

  Result<Objects::iterator> FindAt(std::string_view name_space, std::string_view name,
                                   uint64_t expected);
  Failure NotFound(std::string_view name) const;
  void Record(Change change);
  template <class Tell>
  void NotifyWatchers(Tell tell);

  // Says in `failure` more than the error itself.
  Result<Range> RangeOf(const ListOptions& options, ListFailure& failure) const;
  Result<uint64_t> VersionOf(const ListOptions& options) const;
  // Visit gives each object of the range in order until `visit(key, object)` returns false.
  template <class Visitor>
  void Visit(const Range& range, Visitor visit) const;

  const std::string resource_;
  const std::vector<std::string> fields_;
  Shared& shared_;

  Objects objects_;  // by KeyOf
  History history_;
  FrameCache frames_;
  std::vector<Watcher*> watchers_;  // in the order they came; null: gone while they are told
  int telling_ = 0;                 // depth of NotifyWatchers
};

}  // namespace berth::apiserver
