// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/calls_seen.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/regex.h"
#include "tests/integration/harness/objects.h"

namespace berth::differential {
namespace {

using integration::At;
using integration::TextAt;

bool IsTime(const std::string& text) {
  static const auto kTime =
      *Regex::Compile("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$");
  return kTime->Matches(text);
}

std::string PodUid(const Json& body) {
  const std::string uid = TextAt(body, "/PodUID");
  return uid.empty() ? TextAt(body, "/Pod/metadata/uid") : uid;
}

void Normalise(Json& value, const std::string& field, const CallNames& names) {
  if (value.is_object()) {
    value.erase("managedFields");
    for (auto& [key, inner] : value.items()) Normalise(inner, key, names);
  } else if (value.is_array()) {
    for (Json& inner : value) Normalise(inner, "", names);
  } else if (value.is_string()) {
    const std::string text = value;
    if (field == "uid" || field == "UID" || field == "PodUID") {
      const std::string pod = names.pod(text);
      value = pod.empty() ? "UID" : "uid of " + pod;
    } else if (field == "resourceVersion") {
      value = "VERSION";
    } else if (IsTime(text)) {
      value = "TIME";
    } else {
      value = names.text(text);
    }
  }
}

void SortNodes(Json& body) {
  if (!body.is_object()) return;
  if (body.contains("NodeNames") && body["NodeNames"].is_array()) {
    std::sort(body["NodeNames"].begin(), body["NodeNames"].end());
  }
  if (At(body, "/Nodes/items").is_array()) {
    auto nodes = body["Nodes"]["items"].get<std::vector<Json>>();
    std::ranges::sort(nodes, {}, [](const Json& node) { return TextAt(node, "/metadata/name"); });
    body["Nodes"]["items"] = nodes;
  }
}

Json Seen(const ExtenderCall& call, const CallNames& names) {
  Json body = call.body;
  Normalise(body, "", names);
  SortNodes(body);
  return {{"extender", call.extender},
          {"verb", call.verb},
          {"method", call.method},
          {"path", call.path},
          {"contentType", call.content_type},
          {"body", std::move(body)}};
}

// Sorts consecutive prioritize requests.
void SortAskedAtOnce(std::vector<Json>& calls) {
  const auto asks_to_prioritize = [](const Json& call) { return call["verb"] == "prioritize"; };
  auto begin = calls.begin();
  while (begin != calls.end()) {
    begin = std::find_if(begin, calls.end(), asks_to_prioritize);
    const auto end = std::find_if_not(begin, calls.end(), asks_to_prioritize);
    std::stable_sort(begin, end,
                     [](const Json& a, const Json& b) { return a["extender"] < b["extender"]; });
    begin = end;
  }
}

}  // namespace

Json CallsSeen(const std::vector<ExtenderCall>& calls, const CallNames& names, Repeats repeats) {
  std::map<std::string, std::vector<Json>> by_pod;
  for (const ExtenderCall& call : calls) {
    const std::string pod = names.pod(PodUid(call.body));
    Json seen = Seen(call, names);
    if (repeats == Repeats::kFree) {
      const Json::json_pointer conditions("/body/Pod/status/conditions");
      if (seen.contains(conditions)) seen[conditions.parent_pointer()].erase(conditions.back());
    }
    auto& of_pod = by_pod[pod.empty() ? "nobody" : pod];
    const bool came_before = std::ranges::find(of_pod, seen) != of_pod.end();
    if (repeats == Repeats::kFree && came_before) continue;
    of_pod.push_back(std::move(seen));
  }
  for (auto& [pod, of_pod] : by_pod) SortAskedAtOnce(of_pod);
  return by_pod;
}

}  // namespace berth::differential
