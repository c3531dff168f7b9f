// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/observe.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tests/differential/calls_seen.h"
#include "tests/differential/canary.h"
#include "tests/differential/volumes_seen.h"
#include "tests/integration/harness/objects.h"

namespace berth::differential {
namespace {

using integration::At;
using integration::TextAt;

std::string HostName() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

void Replace(std::string& text, const std::string& old, const std::string& by) {
  for (size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) {
    text.replace(at, old.size(), by);
  }
}

// Schedulers write these two conditions; kubelets write the other ones.
Json ConditionsOf(const Json& pod) {
  Json conditions = Json::object();
  for (const char* type : {"PodScheduled", "DisruptionTarget"}) {
    Json condition = integration::Condition(pod, type);
    for (const char* field : {"type", "lastProbeTime", "lastTransitionTime"}) {
      condition.erase(field);
    }
    if (!condition.empty()) conditions[type] = std::move(condition);
  }
  return conditions;
}

// Returns the number of occurrences of an Event.
int TimesOf(const Json& event) {
  const Json count = At(event, "/series/count");
  return count.is_number() ? count.get<int>() : 1;
}

// Adds an event to a pod's events, or counts it in the last one.
void Append(Json& events, Json event, int times, Repeats repeats) {
  int before = 0;
  if (!events.empty()) {
    Json last = events.back();
    before = last.value("times", 1);
    last.erase("times");
    if (last != event) before = 0;
  }
  if (repeats == Repeats::kCounted && before + times > 1) event["times"] = before + times;
  if (before > 0) {
    events.back() = std::move(event);
  } else {
    events.push_back(std::move(event));
  }
}

}  // namespace

Observer::Observer(const Api& api, const Extenders& extenders, std::string ns, Repeats repeats)
    : api_(api), extenders_(extenders), ns_(std::move(ns)), repeats_(repeats) {}

std::string Observer::NameOf(const Json& pod) {
  const std::string uid = TextAt(pod, "/metadata/uid");
  if (const auto known = names_.find(uid); known != names_.end()) return known->second;
  const std::string ns = TextAt(pod, "/metadata/namespace");
  std::string name = TextAt(pod, "/metadata/name");
  if (ns != ns_) name = ns + "/" + name;
  const int made = ++made_[name];
  if (made > 1) name += "#" + std::to_string(made);
  return names_[uid] = name;
}

std::string Observer::Normalised(std::string text) const {
  for (const auto& [uid, name] : names_) Replace(text, uid, "uid of " + name);
  Replace(text, HostName(), "HOST");
  Replace(text, extenders_.address(), "EXTENDERS");
  return text;
}

Json Observer::PodOf(const Json& pod) {
  Json seen = Json::object();
  for (const auto& [field, path] : {std::pair("node", "/spec/nodeName"),
                                    std::pair("nominatedNodeName", "/status/nominatedNodeName")}) {
    if (const std::string text = TextAt(pod, path); !text.empty()) seen[field] = text;
  }
  if (!At(pod, "/metadata/deletionTimestamp").is_null()) seen["deleting"] = true;
  seen["conditions"] = ConditionsOf(pod);
  for (Json& condition : seen["conditions"]) {
    if (condition.contains("message")) condition["message"] = Normalised(condition["message"]);
  }
  return seen;
}

Result<Json> Observer::Look() {
  BERTH_TRY(Json pods, ObservePods());
  BERTH_TRY(const Json claims, api_.List("persistentvolumeclaim"));
  BERTH_TRY(const Json volumes, api_.List("persistentvolume"));
  Json seen{{"pods", std::move(pods)},
            {"claims", ClaimsSeen(claims, ns_)},
            {"volumes", VolumesSeen(volumes, claims, ns_)}};
  if (Json calls = Calls(); !calls.empty()) seen["calls"] = std::move(calls);
  return seen;
}

Json Observer::Calls() const {
  const auto pod = [this](const std::string& uid) {
    const auto known = names_.find(uid);
    return known == names_.end() ? "" : known->second;
  };
  const auto text = [this](std::string one) { return Normalised(std::move(one)); };
  return CallsSeen(extenders_.Calls(), {pod, text}, repeats_);
}

Result<Json> Observer::ObservePods() {
  BERTH_TRY(const Json found, api_.List("pod"));
  Json pods = Json::object();
  for (const Json& pod : found) {
    if (Canary::Owns(TextAt(pod, "/metadata/namespace"))) continue;
    const std::string name = NameOf(pod);
    pods[name] = PodOf(pod);
  }
  for (const auto& [uid, name] : names_) {
    if (!pods.contains(name)) pods[name] = {{"gone", true}};
  }
  BERTH_TRY_VOID(AddEvents(pods));
  return pods;
}

Result<void> Observer::AddEvents(Json& pods) {
  BERTH_TRY(const Json found, api_.List("event"));
  auto events = found.get<std::vector<Json>>();
  std::ranges::stable_sort(events, {},
                           [](const Json& event) { return TextAt(event, "/eventTime"); });
  for (const Json& event : events) {
    const auto name = names_.find(TextAt(event, "/regarding/uid"));
    if (name == names_.end()) continue;
    Json seen = Json::object();
    for (const char* field :
         {"type", "reason", "action", "note", "reportingController", "reportingInstance"}) {
      seen[field] = Normalised(event.value(field, ""));
    }
    seen["regarding"] =
        TextAt(event, "/regarding/apiVersion") + " " + TextAt(event, "/regarding/kind");
    if (const std::string related = TextAt(event, "/related/name"); !related.empty()) {
      seen["related"] = TextAt(event, "/related/kind") + " " + related;
    }
    Append(pods[name->second]["events"], std::move(seen), TimesOf(event), repeats_);
  }
  return {};
}

}  // namespace berth::differential
