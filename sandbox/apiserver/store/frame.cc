// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/frame.h"

#include <chrono>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"

namespace berth::apiserver {
namespace {

using Json = nlohmann::json;

std::string_view ToString(EventType type) {
  switch (type) {
    case EventType::kAdded:
      return "ADDED";
    case EventType::kModified:
      return "MODIFIED";
    case EventType::kDeleted:
      break;
  }
  return "DELETED";
}

template <class Append>
Frame MakeFrame(std::string_view type, size_t size_hint, Append append) {
  auto frame = std::make_shared<std::string>();
  frame->reserve(size_hint + 48);
  frame->append("{\"type\":\"").append(type).append("\",\"object\":");
  append(*frame);
  frame->append("}\n");
  return frame;
}

}  // namespace

PlainRepresentation::PlainRepresentation(std::string api_version, std::string kind)
    : bookmark_head_("{\"kind\":" + Quoted(kind) + ",\"apiVersion\":" + Quoted(api_version) +
                     ",\"metadata\":{\"resourceVersion\":\"") {}

void PlainRepresentation::AppendObject(const Object& object, std::string& out) const {
  out += object.text;
}

void PlainRepresentation::AppendBookmark(uint64_t version, bool initial_events_end,
                                         std::string& out) const {
  out += bookmark_head_ + std::to_string(version) + "\"";
  if (initial_events_end) out += ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}";
  out += "}}";
}

Frame EventFrame(EventType type, const Object& object, const Representation& representation) {
  return MakeFrame(ToString(type), object.text.size(),
                   [&](std::string& out) { representation.AppendObject(object, out); });
}

Frame BookmarkFrame(uint64_t version, bool initial_events_end,
                    const Representation& representation) {
  return MakeFrame("BOOKMARK", 256, [&](std::string& out) {
    representation.AppendBookmark(version, initial_events_end, out);
  });
}

Frame ErrorFrame(const Error& error) {
  Json status = {{"kind", "Status"},           {"apiVersion", "v1"},
                 {"metadata", Json::object()}, {"status", "Failure"},
                 {"message", error.message()}, {"reason", ToString(error.reason())},
                 {"code", error.http_code()}};
  if (error.retry_after()) {
    status["details"] = {
        {"causes", Json::array({{{"reason", "ResourceVersionTooLarge"},
                                 {"message", "Too large resource version"}}})},
        {"retryAfterSeconds",
         std::chrono::duration_cast<std::chrono::seconds>(*error.retry_after()).count()}};
  }
  return MakeFrame("ERROR", 256, [&](std::string& out) { out += DocumentText(status); });
}

}  // namespace berth::apiserver
