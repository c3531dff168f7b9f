// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/client/transport.h"

namespace berth::client {

enum class EventType { kAdded, kModified, kDeleted };
std::string_view ToString(EventType type);

// WatchEvent is one frame of a watch: a change of an object, or a bookmark, which only moves the
// version forward.
struct WatchEvent {
  std::optional<EventType> type;  // nullopt: a bookmark
  std::string object;             // JSON text
};

// WatchStream reads the frames of one watch. For one thread.
class WatchStream {
 public:
  explicit WatchStream(std::unique_ptr<http::LineStream> lines) : lines_(std::move(lines)) {}

  // Next blocks. nullopt: the server ended the watch in order (timeoutSeconds). Errors: those of
  // http::LineStream, and the Status of an ERROR frame (kExpired or kGone: too old a version, list
  // again).
  Result<std::optional<WatchEvent>> Next();

 private:
  std::unique_ptr<http::LineStream> lines_;
};

// IsUnreadable says that an error of Next is about what came: no frame, or too long a line. From the
// same version the same would come again.
bool IsUnreadable(const Error& error);

// ParseWatchFrame decodes one line of a watch.
Result<WatchEvent> ParseWatchFrame(std::string_view line);

}  // namespace berth::client
