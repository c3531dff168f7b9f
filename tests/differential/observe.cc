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

// Returns a condition without its type and times.
Json Timeless(Json condition) {
  for (const char* field : {"type", "lastProbeTime", "lastTransitionTime"}) condition.erase(field);
  return condition;
}

// Schedulers write these two conditions; kubelets write the other ones.
Json ConditionsOf(const Json& pod) {
  Json conditions = Json::object();
  for (const char* type : {"PodScheduled", "DisruptionTarget"}) {
    Json condition = Timeless(integration::Condition(pod, type));
    if (!condition.empty()) conditions[type] = std::move(condition);
  }
  return conditions;
}

Json PodOf(const Json& pod) {
  Json seen = Json::object();
  for (const auto& [field, path] : {std::pair("node", "/spec/nodeName"),
                                    std::pair("nominatedNodeName", "/status/nominatedNodeName")}) {
    if (const std::string text = TextAt(pod, path); !text.empty()) seen[field] = text;
  }
  seen["conditions"] = ConditionsOf(pod);
  return seen;
}

Json GroupOf(const Json& group) {
  Json conditions = Json::object();
  const Json found = At(group, "/status/conditions");
  for (const Json& condition : found) conditions[TextAt(condition, "/type")] = Timeless(condition);
  return {{"conditions", std::move(conditions)}};
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

const std::string& Observer::NameOf(const Json& object, Known& known) const {
  const std::string uid = TextAt(object, "/metadata/uid");
  if (const auto found = known.names.find(uid); found != known.names.end()) return found->second;
  const std::string ns = TextAt(object, "/metadata/namespace");
  std::string name = TextAt(object, "/metadata/name");
  if (ns != ns_) name = ns + "/" + name;
  const int made = ++known.made[name];
  if (made > 1) name += "#" + std::to_string(made);
  return known.names[uid] = name;
}

std::string Observer::Normalised(std::string text) const {
  for (const auto& [uid, name] : pods_.names) Replace(text, uid, "uid of " + name);
  for (const auto& [uid, name] : groups_.names) {
    Replace(text, uid, "uid of " + std::string(kGroupPrefix) + name);
  }
  Replace(text, HostName(), "HOST");
  Replace(text, extenders_.address(), "EXTENDERS");
  return text;
}

template <class See>
Json Observer::Each(const Json& found, Known& known, See see) {
  for (const Json& object : found) NameOf(object, known);  // texts refer to all of them
  Json all = Json::object();
  for (const Json& object : found) {
    Json seen = see(object);
    if (!At(object, "/metadata/deletionTimestamp").is_null()) seen["deleting"] = true;
    for (Json& condition : seen["conditions"]) {
      if (condition.contains("message")) condition["message"] = Normalised(condition["message"]);
    }
    all[NameOf(object, known)] = std::move(seen);
  }
  for (const auto& [uid, name] : known.names) {
    if (!all.contains(name)) all[name] = {{"gone", true}};
  }
  return all;
}

Result<Json> Observer::Look() {
  BERTH_TRY(Json found_pods, api_.List("pod"));
  std::erase_if(found_pods.get_ref<Json::array_t&>(),
                [](const Json& pod) { return Canary::Owns(TextAt(pod, "/metadata/namespace")); });
  BERTH_TRY(const Json found_groups, api_.List(std::string(kGroupKind)));
  BERTH_TRY(const Json claims, api_.List("persistentvolumeclaim"));
  BERTH_TRY(const Json volumes, api_.List("persistentvolume"));
  Json pods = Each(found_pods, pods_, PodOf);
  Json groups = Each(found_groups, groups_, GroupOf);
  BERTH_TRY_VOID(AddEvents(pods, groups));
  Json seen{{"pods", std::move(pods)},
            {"claims", ClaimsSeen(claims, ns_)},
            {"volumes", VolumesSeen(volumes, claims, ns_)}};
  if (!groups.empty()) seen["groups"] = std::move(groups);
  if (Json calls = Calls(); !calls.empty()) seen["calls"] = std::move(calls);
  return seen;
}

Json Observer::Calls() const {
  const auto pod = [this](const std::string& uid) {
    const auto known = pods_.names.find(uid);
    return known == pods_.names.end() ? "" : known->second;
  };
  const auto text = [this](std::string one) { return Normalised(std::move(one)); };
  return CallsSeen(extenders_.Calls(), {pod, text}, repeats_);
}

Json Observer::EventOf(const Json& event) const {
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
  return seen;
}

Result<void> Observer::AddEvents(Json& pods, Json& groups) const {
  BERTH_TRY(const Json found, api_.List("event"));
  auto events = found.get<std::vector<Json>>();
  std::ranges::stable_sort(events, {},
                           [](const Json& event) { return TextAt(event, "/eventTime"); });
  for (const Json& event : events) {
    const std::string uid = TextAt(event, "/regarding/uid");
    for (const auto& [known, seen] : {std::pair(&pods_, &pods), std::pair(&groups_, &groups)}) {
      const auto name = known->names.find(uid);
      if (name == known->names.end()) continue;
      Append((*seen)[name->second]["events"], EventOf(event), TimesOf(event), repeats_);
    }
  }
  return {};
}

}  // namespace berth::differential
