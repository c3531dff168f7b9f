// SPDX-License-Identifier: Apache-2.0
#include "api/events.h"

#include <string_view>

namespace berth::api::events {

const json::Type& EventSeries::JsonType() {
  static const json::Type type = json::Describe<EventSeries>(
      json::Object(json::Field("count", &EventSeries::count),
                   json::Field("lastObservedTime", &EventSeries::last_observed_time)));
  return type;
}

const json::Type& Event::JsonType() {
  static const json::Type type = json::Describe<Event>(json::Object(
      json::Constant("apiVersion", "events.k8s.io/v1"), json::Constant("kind", "Event"),
      json::Field("metadata", &Event::metadata), json::Field("eventTime", &Event::event_time),
      json::Field("series", &Event::series),
      json::Field("reportingController", &Event::reporting_controller),
      json::Field("reportingInstance", &Event::reporting_instance),
      json::Field("action", &Event::action), json::Field("reason", &Event::reason),
      json::Field("regarding", &Event::regarding), json::Field("related", &Event::related),
      json::Field("note", &Event::note), json::Field("type", &Event::type)));
  return type;
}

std::string CutNote(std::string note) {
  constexpr size_t kMaxNote = 1024;
  constexpr std::string_view kCut = " ...";
  if (note.size() <= kMaxNote) return note;
  size_t end = kMaxNote - kCut.size();
  const auto continues = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
  };
  while (end > 0 && continues(note[end])) --end;
  note.resize(end);
  note += kCut;
  return note;
}

}  // namespace berth::api::events
