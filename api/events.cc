// SPDX-License-Identifier: Apache-2.0
#include "api/events.h"

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

}  // namespace berth::api::events
