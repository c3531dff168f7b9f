// SPDX-License-Identifier: Apache-2.0
#include "apiserver/auth/reviews.h"

#include <nlohmann/json.hpp>

#include "apiserver/kinds/strategy.h"
#include "apiserver/state.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

json UserDocument(const UserInfo& user) {
  json out = {{"username", user.name}, {"groups", user.groups}};
  if (!user.uid.empty()) out["uid"] = user.uid;
  for (const auto& [key, values] : user.extra) out["extra"][key] = values;
  return out;
}

Attributes AttributesOf(const json& spec) {
  Attributes attributes;
  if (const json* resource = At(spec, "resourceAttributes")) {
    attributes.verb = resource->value("verb", "");
    attributes.namespace_ = resource->value("namespace", "");
    attributes.group = resource->value("group", "");
    attributes.resource = resource->value("resource", "");
    attributes.subresource = resource->value("subresource", "");
    attributes.name = resource->value("name", "");
  } else {
    attributes.is_resource = false;
    attributes.verb = TextAt(spec, "nonResourceAttributes/verb");
    attributes.path = TextAt(spec, "nonResourceAttributes/path");
  }
  return attributes;
}

json Decide(State& state, const UserInfo& user, const json& spec) {
  const Decision decision = state.authorizer.Authorize(user, AttributesOf(spec));
  json status = {{"allowed", decision.allowed}};
  if (!decision.reason.empty()) status["reason"] = decision.reason;
  return status;
}

UserInfo SubjectOf(const json& spec) {
  UserInfo user{
      .name = TextAt(spec, "user"), .uid = TextAt(spec, "uid"), .groups = {}, .extra = {}};
  if (const json* groups = At(spec, "groups"))
    user.groups = groups->get<std::vector<std::string>>();
  return user;
}

json Rules(State& state, const UserInfo& user, const std::string& name_space) {
  json resources = json::array();
  json urls = json::array();
  for (const PolicyRule& rule : state.authorizer.RulesFor(user, name_space)) {
    if (!rule.urls.empty()) urls.push_back({{"verbs", rule.verbs}, {"nonResourceURLs", rule.urls}});
    if (!rule.resources.empty()) resources.push_back(rule.ToJson());
  }
  return {{"resourceRules", std::move(resources)},
          {"nonResourceRules", std::move(urls)},
          {"incomplete", false}};
}

json CheckToken(State& state, const json& spec) {
  std::vector<std::string> audiences;
  if (const json* list = At(spec, "audiences")) audiences = list->get<std::vector<std::string>>();
  if (audiences.empty()) audiences = {std::string(kIssuer)};
  auto checked =
      state.tokens.Check(TextAt(spec, "token"), audiences, state.store, state.clock.Wall());
  if (!checked) return {{"user", json::object()}, {"error", "invalid bearer token"}};
  checked->user.groups.emplace_back(kAuthenticatedGroup);
  return {{"authenticated", true},
          {"user", UserDocument(checked->user)},
          {"audiences", checked->audiences}};
}

}  // namespace

Answer<json> Review(State& state, const KindInfo& kind, const UserInfo& user,
                    const std::string& name_space, json document) {
  const json spec = document.value("spec", json::object());
  if (!document.contains("metadata")) document["metadata"] = json::object();
  const bool access = kind.kind.ends_with("AccessReview");
  if (access && (At(spec, "resourceAttributes") != nullptr) ==
                    (At(spec, "nonResourceAttributes") != nullptr)) {
    const Problems problems = {InvalidField(
        "spec.resourceAttributes", "null",
        "exactly one of nonResourceAttributes or resourceAttributes must be specified")};
    return Refuse(Invalid(kind.group, "", "", problems));
  }
  if (kind.kind == "SelfSubjectAccessReview") {
    document["status"] = Decide(state, user, spec);
  } else if (kind.kind == "SubjectAccessReview" || kind.kind == "LocalSubjectAccessReview") {
    if (kind.namespaced && TextAt(spec, "resourceAttributes/namespace") != name_space) {
      const Problems problems = {
          InvalidField("spec.resourceAttributes.namespace",
                       json(TextAt(spec, "resourceAttributes/namespace")).dump(),
                       "must match metadata.namespace")};
      return Refuse(Invalid(kind.group, kind.kind, "", problems));
    }
    document["status"] = Decide(state, SubjectOf(spec), spec);
  } else if (kind.kind == "SelfSubjectRulesReview") {
    document["status"] = Rules(state, user, TextAt(spec, "namespace"));
  } else if (kind.kind == "TokenReview") {
    document["status"] = CheckToken(state, spec);
  } else if (kind.kind == "SelfSubjectReview") {
    document["status"] = {{"userInfo", UserDocument(user)}};
  }
  return document;
}

}  // namespace berth::apiserver
