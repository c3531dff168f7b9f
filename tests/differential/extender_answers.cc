// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/extender_answers.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/json/json.h"

namespace berth::differential {
namespace {

using Names = std::vector<std::string>;
using Uids = std::map<std::string, std::string>;

bool Has(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

const std::set<std::string_view>* FieldsOf(const std::string& verb) {
  static const std::map<std::string, std::set<std::string_view>> kFields = {
      {"filter", {"error", "failed", "unresolvable", "silent", "adds"}},
      {"prioritize", {"scores"}},
      {"preempt", {"drops", "spares", "victims"}},
      {"bind", {"error", "binds"}}};
  const auto found = kFields.find(verb);
  return found == kFields.end() ? nullptr : &found->second;
}

bool AsksByName(const Json& question) { return !question.value("NodeNames", Json()).is_null(); }

Names NodesOf(const Json& question) {
  if (AsksByName(question)) return question["NodeNames"].get<Names>();
  Names names;
  for (const Json& node : question["Nodes"]["items"]) names.push_back(node["metadata"]["name"]);
  return names;
}

Json Filter(const ExtenderAnswer& answer, const Json& question) {
  Names passed;
  Json failed = Json::object();
  Json unresolvable = Json::object();
  for (const std::string& name : NodesOf(question)) {
    const auto why = answer.failed.find(name);
    const auto why_never = answer.unresolvable.find(name);
    if (why != answer.failed.end()) failed[name] = why->second;
    if (why_never != answer.unresolvable.end()) unresolvable[name] = why_never->second;
    if (failed.contains(name) || unresolvable.contains(name) || Has(answer.silent, name)) continue;
    passed.push_back(name);
  }
  passed.insert(passed.end(), answer.adds.begin(), answer.adds.end());
  Json said = {{"Nodes", nullptr},
               {"NodeNames", nullptr},
               {"FailedNodes", failed},
               {"FailedAndUnresolvableNodes", unresolvable},
               {"Error", answer.error}};
  if (AsksByName(question)) {
    said["NodeNames"] = passed;
    return said;
  }
  Json items = Json::array();
  for (const std::string& name : passed) items.push_back({{"metadata", {{"name", name}}}});
  for (const Json& node : question["Nodes"]["items"]) {
    for (Json& item : items) {
      if (item["metadata"]["name"] == node["metadata"]["name"]) item = node;
    }
  }
  said["Nodes"] = {{"metadata", Json::object()}, {"items", items}};
  return said;
}

Json Prioritize(const ExtenderAnswer& answer, const Json& question) {
  Json list = Json::array();
  for (const std::string& name : NodesOf(question)) {
    const auto score = answer.scores.find(name);
    if (score != answer.scores.end()) list.push_back({{"Host", name}, {"Score", score->second}});
  }
  return list;
}

// Returns the victims of a request: by node, the number of violated budgets and the UIDs.
Json Proposed(const Json& question) {
  const Json named = question.value("NodeNameToMetaVictims", Json());
  if (!named.is_null()) return named;
  Json nodes = Json::object();
  for (const auto& [node, victims] : question["NodeNameToVictims"].items()) {
    Json pods = Json::array();
    for (const Json& pod : victims["Pods"]) pods.push_back({{"UID", pod["metadata"]["uid"]}});
    nodes[node] = {{"Pods", pods}, {"NumPDBViolations", victims["NumPDBViolations"]}};
  }
  return nodes;
}

// Returns the pod's UID, or a UID that no pod has if the pod is unknown.
std::string UidOf(const std::string& pod, const Uids& uids) {
  const auto found = uids.find(pod);
  return found == uids.end() ? "uid-of-nobody" : found->second;
}

Json Preempt(const ExtenderAnswer& answer, const Json& question, const Uids& uids) {
  Json nodes = Proposed(question);
  for (const std::string& node : answer.drops) nodes.erase(node);
  for (const auto& [node, pods] : answer.spares) {
    if (!nodes.contains(node)) continue;
    Json left = Json::array();
    for (const Json& pod : nodes[node]["Pods"]) {
      const auto is_it = [&](const std::string& name) { return pod["UID"] == UidOf(name, uids); };
      if (std::ranges::none_of(pods, is_it)) left.push_back(pod);
    }
    nodes[node]["Pods"] = left;
  }
  for (const auto& [node, pods] : answer.victims) {
    Json chosen = Json::array();
    for (const std::string& pod : pods) chosen.push_back({{"UID", UidOf(pod, uids)}});
    nodes[node] = {{"Pods", chosen}, {"NumPDBViolations", 0}};
  }
  return {{"NodeNameToMetaVictims", nodes}};
}

}  // namespace

Result<ExtenderAnswers> ReadAnswers(const Json& written) {
  ExtenderAnswers answers;
  for (const auto& [verb, answer] : written.items()) {
    const auto* fields = FieldsOf(verb);
    if (fields == nullptr) {
      return ConfigError(verb + ": unknown verb; allowed: filter, prioritize, preempt, bind");
    }
    for (const auto& [field, value] : answer.items()) {
      const bool is_of_all = field == "never" || field == "code" || field == "text";
      if (!is_of_all && !fields->contains(field)) {
        return ConfigError(verb + "." + field + ": not allowed for this verb");
      }
    }
    auto read = json::Decode<ExtenderAnswer>(answer.dump(), json::Mode::kStrict);
    if (!read) return Fail(read.error().With(verb));
    answers[verb] = std::move(*read);
  }
  return answers;
}

ExtenderReply ReplyTo(const std::string& verb, const ExtenderAnswer& answer, const Json& question,
                      const Uids& uids) {
  ExtenderReply reply{.code = answer.code.value_or(200), .body = {}};
  if (answer.text) {
    reply.body = *answer.text;
  } else if (reply.code != 200) {
    reply.body = "the extender does not feel well";
  } else if (verb == "filter") {
    reply.body = Filter(answer, question).dump();
  } else if (verb == "prioritize") {
    reply.body = Prioritize(answer, question).dump();
  } else if (verb == "preempt") {
    reply.body = Preempt(answer, question, uids).dump();
  } else {
    reply.body = Json{{"Error", answer.error}}.dump();
  }
  return reply;
}

}  // namespace berth::differential
