// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "sandbox/apiserver/store/object.h"

namespace berth::apiserver {

enum class EventType : uint8_t { kAdded, kModified, kDeleted };

// Frame is one line of a watch, with its newline; watchers with the same representation share it.
using Frame = std::shared_ptr<const std::string>;

// Representation encodes objects for a watch: as they are, as a table, as metadata alone. Watchers
// with the same instance share frames.
class Representation {
 public:
  virtual ~Representation() = default;

  // Appends the `object` of an event as JSON.
  virtual void AppendObject(const Object& object, std::string& out) const = 0;

  // Appends the `object` of a BOOKMARK: it has only a version and, with `initial_events_end`, the
  // annotation k8s.io/initial-events-end.
  virtual void AppendBookmark(uint64_t version, bool initial_events_end,
                              std::string& out) const = 0;
};

// PlainRepresentation encodes objects as they are stored.
class PlainRepresentation final : public Representation {
 public:
  PlainRepresentation(std::string api_version, std::string kind);

  void AppendObject(const Object& object, std::string& out) const override;
  void AppendBookmark(uint64_t version, bool initial_events_end, std::string& out) const override;

 private:
  const std::string bookmark_head_;
};

Frame EventFrame(EventType type, const Object& object, const Representation& representation);
Frame BookmarkFrame(uint64_t version, bool initial_events_end,
                    const Representation& representation);

// Returns an ERROR event with a Status. retry_after becomes a detail, and so does the cause of
// TooLargeVersion().
Frame ErrorFrame(const Error& error);

// FrameCache caches the latest encoded frames for other watchers. Not thread safe.
class FrameCache {
 public:
  // Returns the cached frame, or calls `make`. Requires: a version and a type identify one event.
  template <class Make>
  Frame Get(uint64_t version, EventType type,
            const std::shared_ptr<const Representation>& representation, Make make) {
    Entry& entry = EntryOf(version, type, representation.get());
    if (entry.version != version || entry.type != type || entry.representation != representation) {
      entry = {version, type, representation, make()};
    }
    return entry.frame;
  }

 private:
  struct Entry {
    uint64_t version = 0;
    EventType type = EventType::kAdded;
    std::shared_ptr<const Representation> representation;
    Frame frame;
  };

  Entry& EntryOf(uint64_t version, EventType type, const Representation* representation) {
    const size_t look = std::hash<const Representation*>()(representation) >> 4;
    return entries_[(version * 3 + static_cast<size_t>(type) + look) % entries_.size()];
  }

  std::array<Entry, 64> entries_;
};

}  // namespace berth::apiserver
