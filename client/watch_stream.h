// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "http/client/transport.h"

namespace berth::client {

enum class EventType { kAdded, kModified, kDeleted };
std::string_view ToString(EventType type);

// WatchEvent is one frame of a watch: a change of an object, or a bookmark, which only advances the
// version.
struct WatchEvent {
  std::optional<EventType> type;  // nullopt: a bookmark
  std::string object;             // JSON text
};

// WatchStream reads the frames of one watch. For one thread.
class WatchStream {
 public:
  explicit WatchStream(std::unique_ptr<http::LineStream> lines) : lines_(std::move(lines)) {}

  // Returns the next event; blocks. nullopt: the server ended the watch normally (timeoutSeconds).
  // Errors: those of http::LineStream and of ParseWatchFrame.
  Result<std::optional<WatchEvent>> Next();

 private:
  std::unique_ptr<http::LineStream> lines_;
};

// Reports whether an error of Next is caused by the received data: an invalid frame
// (kInternalError) or too long a line (kRequestEntityTooLarge): watching again from the same
// version would fail again. An error that the server reports in a Status is not unreadable.
bool IsUnreadable(const Error& error);

// Decodes one line of a watch. An ERROR frame becomes an Error from its Status: kExpired or kGone
// if the version is too old and the caller must list again. A frame that cannot be decoded or has
// an unknown type is a kInternalError.
Result<WatchEvent> ParseWatchFrame(std::string_view line);

}  // namespace berth::client
