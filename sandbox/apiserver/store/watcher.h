// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "sandbox/apiserver/store/frame.h"
#include "sandbox/apiserver/store/history.h"
#include "sandbox/apiserver/store/selector.h"

namespace berth::apiserver {

class Collection;

struct WatchOptions {
  Selection selection;
  std::string resource_version;             // as in the query
  std::optional<bool> send_initial_events;  // if set, the caller has checked resourceVersionMatch
  bool allow_bookmarks = false;
  std::shared_ptr<const Representation> representation;
};

// Watcher gives the events of one watch, frame by frame, when they are pulled. It holds a place in
// the collection's history and no queue: one that is pulled so slowly that its place leaves the
// window is cut, and its client starts again, as with the real server.
//
// What comes first is said by version and send_initial_events:
//   version                unset or 0, false   unset or 0, unset   unset, 0 or V, true   V
//   otherwise begins with            nothing             all objects         all objects, then the
//   changes
//                                                                  a bookmark if wanted  behind V
// A version that cannot be served gives one ERROR event and the end. An object that stops matching
// is DELETED (its last matching state under the version of the change), one that begins is ADDED.
//
// Thread: that of the store.
class Watcher {
 public:
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Next gives the next frame, or null when there is none now or ever again.
  Frame Next();

  // The watch is over: cut, its collection gone, or its error told. Nothing comes any more.
  bool ended() const { return ended_; }

  // OnReady is called when something came after Next gave null, and at the end. It is called inside
  // the write to the store: it may pull, and destroy this watcher or others, but not write.
  void OnReady(std::function<void()> ready) { ready_ = std::move(ready); }

  // RequestBookmark puts a bookmark behind what waits; nothing without allow_bookmarks. The caller
  // has the clock (upstream: about once a minute).
  void RequestBookmark();

  // Later frames get another look; tables name their columns in the first one only.
  void SetRepresentation(std::shared_ptr<const Representation> representation) {
    options_.representation = std::move(representation);
  }

 private:
  friend class Collection;  // makes watchers, and tells them of changes

  // `collection` is null for a watch that only tells an error.
  Watcher(Collection* collection, WatchOptions options)
      : collection_(collection), options_(std::move(options)) {}

  // Called by the collection.
  void Notify(const Change& change);
  void CutIfBehind(uint64_t first_sequence);
  void End();

  Frame NextInitial();
  Frame NextChange();
  // How a change looks from here; nothing if it does not concern this watch.
  std::optional<EventType> TypeOf(const Change& change) const;
  Frame FrameOf(const Change& change, EventType type) const;
  void Wake();

  Collection* collection_;
  WatchOptions options_;
  std::function<void()> ready_;

  Frame error_;                     // to be told, then the end
  std::vector<ObjectPtr> initial_;  // to be told as ADDED, from initial_next_ on
  size_t initial_next_ = 0;
  std::optional<uint64_t> initial_end_;  // the version of the bookmark that follows them
  uint64_t from_ = 0;                    // changes up to this version are not told
  uint64_t sequence_ = 0;                // of the next change to look at
  bool bookmark_requested_ = false;
  bool waiting_ = false;  // Next gave null, ready_ is due
  bool ended_ = false;
};

}  // namespace berth::apiserver
