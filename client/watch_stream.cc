// SPDX-License-Identifier: Apache-2.0
#include "client/watch_stream.h"

#include <utility>

#include "api/meta.h"
#include "base/json/json.h"
#include "client/status.h"

namespace berth::client {

std::string_view ToString(EventType type) {
  switch (type) {
    case EventType::kAdded:
      return "ADDED";
    case EventType::kModified:
      return "MODIFIED";
    case EventType::kDeleted:
      return "DELETED";
  }
  return "";
}

Result<WatchEvent> ParseWatchFrame(std::string_view line) {
  auto frame = json::Decode<api::WatchEvent>(line);
  if (!frame) {
    return Fail(Reason::kInternalError, "watch frame not understood: " + frame.error().message());
  }
  WatchEvent event{.type = std::nullopt, .object = std::move(frame->object.text)};
  if (frame->type == "ERROR") return Fail(ErrorOfStatus(event.object));
  if (frame->type == "BOOKMARK") return event;
  for (const EventType type : {EventType::kAdded, EventType::kModified, EventType::kDeleted}) {
    if (frame->type == ToString(type)) event.type = type;
  }
  if (!event.type) {
    return Fail(Reason::kInternalError, "watch frame of unknown type \"" + frame->type + "\"");
  }
  return event;
}

// Errors reported by the server have an HTTP code.
bool IsUnreadable(const Error& error) {
  return error.http_code() == 0 &&
         (error.Is(Reason::kInternalError) || error.Is(Reason::kRequestEntityTooLarge));
}

Result<std::optional<WatchEvent>> WatchStream::Next() {
  BERTH_TRY(const std::optional<std::string> line, lines_->Next());
  if (!line) return std::nullopt;
  return ParseWatchFrame(*line);
}

}  // namespace berth::client
