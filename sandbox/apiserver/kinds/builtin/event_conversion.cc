// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/event_conversion.h"

#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

struct Rename {
  const char* events;
  const char* core;
};

constexpr Rename kRenames[] = {
    {"regarding", "involvedObject"},
    {"note", "message"},
    {"reportingController", "reportingComponent"},
    {"deprecatedSource", "source"},
    {"deprecatedFirstTimestamp", "firstTimestamp"},
    {"deprecatedLastTimestamp", "lastTimestamp"},
    {"deprecatedCount", "count"},
};

void Move(json& object, const char* from, const char* to) {
  const auto found = object.find(from);
  if (found == object.end()) return;
  json value = std::move(*found);
  object.erase(found);
  object[to] = std::move(value);
}

}  // namespace

bool IsEventsV1(const KindInfo& kind) { return kind.group == "events.k8s.io"; }

void EventToStored(json& event) {
  event["apiVersion"] = "v1";
  for (const Rename& rename : kRenames) Move(event, rename.events, rename.core);
  // Fields that core/v1 always writes.
  for (const char* object : {"source", "involvedObject"}) {
    if (!event.contains(object)) event[object] = json::object();
  }
  for (const char* time : {"firstTimestamp", "lastTimestamp", "eventTime"}) {
    if (!event.contains(time)) event[time] = nullptr;
  }
  for (const char* text : {"reportingComponent", "reportingInstance"}) {
    if (!event.contains(text)) event[text] = "";
  }
}

void EventFromStored(json& event) {
  event["apiVersion"] = "events.k8s.io/v1";
  for (const Rename& rename : kRenames) Move(event, rename.core, rename.events);
  for (const char* text : {"reportingController", "reportingInstance"}) {
    if (event.value(text, "").empty()) event.erase(text);
  }
}

}  // namespace berth::apiserver
