// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/meta.h"

namespace berth::api::events {

struct EventSeries {
  int32_t count = 0;
  MicroTime last_observed_time;

  bool operator==(const EventSeries&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("count", &EventSeries::count),
                        json::Field("lastObservedTime", &EventSeries::last_observed_time));
  }
};

// Event is the events.k8s.io form, in its own namespace because core/v1 has one of that name too
// (api/core.h). An event that repeats gets a series instead of being written again.
struct Event {
  static constexpr ResourceInfo kResource{.group = "events.k8s.io",
                                          .version = "v1",
                                          .kind = "Event",
                                          .plural = "events",
                                          .namespaced = true};

  ObjectMeta metadata;
  MicroTime event_time;
  std::optional<EventSeries> series;
  std::string reporting_controller;
  std::string reporting_instance;
  std::string action;
  std::string reason;
  ObjectReference regarding;
  std::optional<ObjectReference> related;
  std::string note;
  std::string type;  // Normal, Warning

  bool operator==(const Event&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Constant("apiVersion", "events.k8s.io/v1"), json::Constant("kind", "Event"),
        json::Field("metadata", &Event::metadata), json::Field("eventTime", &Event::event_time),
        json::Field("series", &Event::series),
        json::Field("reportingController", &Event::reporting_controller),
        json::Field("reportingInstance", &Event::reporting_instance),
        json::Field("action", &Event::action), json::Field("reason", &Event::reason),
        json::Field("regarding", &Event::regarding), json::Field("related", &Event::related),
        json::Field("note", &Event::note), json::Field("type", &Event::type));
  }
};

}  // namespace berth::api::events

BERTH_JSON_EXTERN(berth::api::events::Event);
