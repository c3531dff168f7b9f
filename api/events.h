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
  static const json::Type& JsonType();
};

// Event is the events.k8s.io form. Its namespace avoids a collision with the core/v1 Event
// (api/core.h). A repeated event updates its series instead of creating an object.
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
  static const json::Type& JsonType();
};

// Truncates a note to the 1024 bytes that an Event allows and appends " ...". Never splits a UTF-8
// character. Source: kube-scheduler pkg/scheduler/schedule_one.go, truncateMessage.
std::string CutNote(std::string note);

}  // namespace berth::api::events
