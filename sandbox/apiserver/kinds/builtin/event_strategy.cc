// SPDX-License-Identifier: Apache-2.0
// Events, in the form in which they are stored (event_conversion.h): through core/v1 they are
// checked loosely, through events.k8s.io/v1 strictly. Source: pkg/apis/core/validation/events.go.
#include <string>

#include <nlohmann/json.hpp>

#include "base/time.h"
#include "sandbox/apiserver/kinds/builtin/event_conversion.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/field.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr size_t kMaxWord = 128;
constexpr size_t kMaxNote = 1024;
constexpr const char* kElsewhere = "does not match event.namespace";

// Upstream's findings on these fields show no value.
void Refuse(const Field& field, const std::string& why) { field.Invalid("\"\"", why); }

void CheckLength(const Field& text, size_t max) {
  if (text.Text().size() > max)
    Refuse(text, "can have at most " + std::to_string(max) + " characters");
}

void CheckWord(const Field& text) {
  text.Require();
  CheckLength(text, kMaxWord);
}

// An event that says when it happened in eventTime is one of the new form, whoever writes it.
void CheckNewForm(const Field& event, const char* controller_path) {
  const std::string home = event["metadata"]["namespace"].Text();
  const Field object = event["involvedObject"]["namespace"];
  if (object.IsEmpty() && home != "default" && home != "kube-system")
    object.Invalid("\"\"", kElsewhere);
  const Field controller = event["reportingComponent"].At(controller_path);
  controller.Require();
  for (const std::string& why : CheckQualifiedName(controller.Text()))
    controller.Invalid(json(controller.Text()).dump(), why);
  CheckWord(event["reportingInstance"]);
  CheckWord(event["action"]);
  CheckWord(event["reason"]);
  CheckLength(event["message"], kMaxNote);
}

void CheckForm(const Field& event, const char* controller_path) {
  if (event["eventTime"].IsSet()) return CheckNewForm(event, controller_path);
  const std::string home = event["metadata"]["namespace"].Text();
  const Field object = event["involvedObject"]["namespace"];
  const bool matches = object.IsEmpty() ? home == "default" : home == object.Text();
  if (!matches) object.Invalid(json(object.Text()).dump(), kElsewhere);
}

void CheckSeries(const Field& event) {
  const Field series = event["series"];
  if (!series.IsSet()) return;
  if (series["count"].Number() < 2) Refuse(series["count"], "should be at least 2");
  series["lastObservedTime"].Require();
}

void ValidateCore(const json& object, Problems& problems) {
  CheckForm(Field(object, problems), "reportingComponent");
}

void Validate(const json& object, Problems& problems) {
  const Field event(object, problems);
  CheckForm(event, "reportingController");
  CheckSeries(event);
  event["eventTime"].Require();
  const std::string type = event["type"].Text();
  if (type != "Normal" && type != "Warning") Refuse(event["type"], "has invalid value: " + type);
  for (const char* field : {"firstTimestamp", "lastTimestamp"}) {
    if (event[field].IsSet()) Refuse(event[field], "needs to be unset");
  }
  if (event["count"].Number() != 0) Refuse(event["count"], "needs to be unset");
  if (!event["source"].IsEmpty()) Refuse(event["source"], "needs to be unset");
}

// Digits below a microsecond may get lost on the way.
bool IsSameTime(const Field& now, const Field& before) {
  const auto first = MicroTime::Parse(now.Text());
  const auto second = MicroTime::Parse(before.Text());
  return first && second ? first->ToString() == second->ToString() : now.value() == before.value();
}

void ValidateUpdate(const json& object, const json& old, Problems& problems) {
  const Field event(object, problems);
  const Field before(old, problems);
  CheckForm(event, "reportingController");
  if (event["series"].value() != before["series"].value()) CheckSeries(event);
  const auto keep = [&](std::initializer_list<const char*> fields) {
    for (const char* field : fields) event[field].Unchanged(before[field]);
  };
  keep({"involvedObject", "reason", "message", "source", "firstTimestamp", "lastTimestamp", "count",
        "reason", "type"});
  if (!IsSameTime(event["eventTime"], before["eventTime"])) keep({"eventTime"});
  keep({"action", "related"});
  event["reportingComponent"].At("reportingController").Unchanged(before["reportingComponent"]);
  keep({"reportingInstance"});
}

}  // namespace

const Strategy* EventStrategy(const KindInfo& kind) {
  using Check = Strategy::Check;
  static const Strategy kCore = [] {
    Strategy strategy;
    strategy.validate = ValidateCore;
    strategy.on_create = {Check::kContent};
    strategy.on_update = {Check::kContent};
    return strategy;
  }();
  static const Strategy kEvents = [] {
    Strategy strategy;
    strategy.validate = Validate;
    strategy.validate_update = ValidateUpdate;
    strategy.on_update = {Check::kMetadataChange, Check::kChange};
    return strategy;
  }();
  if (kind.kind != "Event") return nullptr;
  return IsEventsV1(kind) ? &kEvents : &kCore;
}

}  // namespace berth::apiserver
