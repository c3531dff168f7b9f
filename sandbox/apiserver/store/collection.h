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

// Shared is the state that all collections of a store share.
struct Shared {
  uint64_t version = 1;    // of the last write anywhere; 0 means "any" in requests
  size_t window = 10'000;  // number of changes that a collection keeps
};

// Collection holds all objects of one resource ("pods", "deployments.apps"), their recent history,
// and their watchers. Created by Store.
//
// Thread: the store's. Reads change nothing, and returned objects are immutable.
class Collection {
 public:
  // As `expected`, version 0 matches any version.
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

  // Returns null if the object does not exist.
  ObjectPtr Find(std::string_view name_space, std::string_view name) const;
  ObjectPtr FindByKey(std::string_view key) const;
  // Find with upstream's NotFound error.
  Result<ObjectPtr> Get(std::string_view name_space, std::string_view name) const;
  // Get at an older version, for a stale read; kExpired if the history is too short.
  Result<ObjectPtr> GetAt(std::string_view name_space, std::string_view name,
                          uint64_t version) const;

  // Writes return the new state. Errors have upstream's text: kAlreadyExists; kNotFound; kConflict
  // if the object is not at the `expected` version.
  Result<ObjectPtr> Create(Draft draft);
  // An update without a change writes nothing and returns the existing object.
  Result<ObjectPtr> Update(Draft draft, uint64_t expected = kAnyVersion);
  // Returns the last state, under the version of the deletion.
  Result<ObjectPtr> Delete(std::string_view name_space, std::string_view name,
                           uint64_t expected = kAnyVersion);

  // Returns objects in the order of their keys.
  ListResult List(const ListOptions& options) const;

  // Returns a watcher even if its only event is an error. Fails (kInvalid) only if the version is
  // not a number.
  Result<std::unique_ptr<Watcher>> Watch(WatchOptions options);

  // Compact drops the history up to a version, Trim the changes beyond the window. Watchers that
  // still need dropped changes are terminated.
  void Compact(uint64_t version);
  void Trim();

 private:
  friend class Watcher;

  using Objects = std::map<std::string, ObjectPtr, std::less<>>;

  // Range holds the keys and the version of a list.
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

  // Adds details to `failure` besides the error itself.
  Result<Range> RangeOf(const ListOptions& options, ListFailure& failure) const;
  Result<uint64_t> VersionOf(const ListOptions& options) const;
  // Visits each object of the range in order until `visit(key, object)` returns false.
  template <class Visitor>
  void Visit(const Range& range, Visitor visit) const;

  const std::string resource_;
  const std::vector<std::string> fields_;
  Shared& shared_;

  Objects objects_;  // by KeyOf
  History history_;
  FrameCache frames_;
  std::vector<Watcher*> watchers_;  // in order of creation; null: removed during NotifyWatchers
  int notify_depth_ = 0;            // depth of NotifyWatchers
};

}  // namespace berth::apiserver
