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

// Watcher returns the events of one watch, frame by frame, on request. It keeps a position in the
// collection's history instead of a queue. A watcher that falls behind the window is terminated,
// and its client starts again, as with the real server.
//
// The first events depend on version and send_initial_events:
//   version      unset or 0, false   unset or 0, unset   unset, 0 or V, true     V otherwise
//   begins with  nothing             all objects         all objects, then a     the changes
//                                                        bookmark if requested   after V
// A version that cannot be served yields one ERROR event and the end. An object that stops matching
// is DELETED (with its last matching state and the version of the change); one that starts matching
// is ADDED.
//
// Thread: the store's.
class Watcher {
 public:
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Returns the next frame, or null if no frame is pending or the watch has ended.
  Frame Next();

  // Reports the end of the watch: terminated, its collection removed, or its error sent. No more
  // frames follow.
  bool ended() const { return ended_; }

  // Registers a callback that runs when events arrive after Next returned null, and at the end. It
  // runs inside the write to the store: it may call Next, and destroy this watcher or others, but
  // not write.
  void OnReady(std::function<void()> ready) { ready_ = std::move(ready); }

  // Queues a bookmark behind the pending events; does nothing without allow_bookmarks. The caller
  // decides when (upstream: about once a minute).
  void RequestBookmark();

  // Changes the representation of later frames; tables have their columns in the first frame only.
  void SetRepresentation(std::shared_ptr<const Representation> representation) {
    options_.representation = std::move(representation);
  }

 private:
  friend class Collection;  // creates watchers, and notifies them of changes

  // `collection` is null for a watch with only an error.
  Watcher(Collection* collection, WatchOptions options)
      : collection_(collection), options_(std::move(options)) {}

  // Called by the collection.
  void Notify(const Change& change);
  void CutIfBehind(uint64_t first_sequence);
  void End();

  Frame NextInitial();
  Frame NextChange();
  // Returns the type of the event for a change; nullopt if the change does not concern this watch.
  std::optional<EventType> TypeOf(const Change& change) const;
  Frame FrameOf(const Change& change, EventType type) const;
  void Wake();

  Collection* collection_;
  WatchOptions options_;
  std::function<void()> ready_;

  Frame error_;                     // sent before the end
  std::vector<ObjectPtr> initial_;  // pending ADDED events, from initial_next_ on
  size_t initial_next_ = 0;
  std::optional<uint64_t> initial_end_;  // the version of the bookmark that follows them
  uint64_t from_ = 0;                    // changes up to this version are skipped
  uint64_t sequence_ = 0;                // of the next change to read
  bool bookmark_requested_ = false;
  bool waiting_ = false;  // Next returned null; ready_ is due
  bool ended_ = false;
};

}  // namespace berth::apiserver
