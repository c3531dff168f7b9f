// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/auth/reviews.h"

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/state.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

json UserDocument(const UserInfo& user) {
  json out = {{"username", user.name}, {"groups", user.groups}};
  if (!user.uid.empty()) out["uid"] = user.uid;
  for (const auto& [key, values] : user.extra) out["extra"][key] = values;
  return out;
}

Attributes AskedAttributes(const json& spec) {
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
  const Decision decision = state.authorizer.Authorize(user, AskedAttributes(spec));
  json status = {{"allowed", decision.allowed}};
  if (!decision.reason.empty()) status["reason"] = decision.reason;
  return status;
}

// Checks the spec of an access review. Selectors are accepted as they are: RBAC does not use them.
Errors CheckAccessReview(const KindInfo& kind, const json& spec) {
  Errors errors;
  const bool has_resource = At(spec, "resourceAttributes") != nullptr;
  if (has_resource == (At(spec, "nonResourceAttributes") != nullptr)) {
    errors.push_back(FieldError::InvalidJson(
        "spec", "null",
        "exactly one of nonResourceAttributes or resourceAttributes must be specified"));
  }
  const json* groups = At(spec, "groups");
  const bool has_subject = !TextAt(spec, "user").empty() || (groups != nullptr && !groups->empty());
  if (kind.kind != "SelfSubjectAccessReview" && !has_subject) {
    errors.push_back(FieldError::InvalidJson("spec.user", "\"\"",
                                             "at least one of user or group must be specified"));
  }
  return errors;
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
  if (!checked) {
    static const std::string kInvalid = "invalid bearer token";
    const std::string& why = checked.error();
    return {{"user", json::object()},
            {"error", why.empty() ? kInvalid : "[" + kInvalid + ", " + why + "]"}};
  }
  checked->user.groups.emplace_back(kAuthenticatedGroup);
  return {{"authenticated", true},
          {"user", UserDocument(checked->user)},
          {"audiences", checked->audiences}};
}

// Returns the header of a response that repeats no part of the request.
json Bare(const KindInfo& kind) {
  return {{"apiVersion", kind.ApiVersion()}, {"kind", kind.kind}, {"metadata", json::object()}};
}

Answer<json> ReviewRules(State& state, const KindInfo& kind, const UserInfo& user,
                         const json& spec) {
  const std::string name_space = TextAt(spec, "namespace");
  if (name_space.empty()) return Reject(BadRequest("no namespace on request"));
  json answer = Bare(kind);
  answer["spec"] = json::object();
  answer["status"] = Rules(state, user, name_space);
  return answer;
}

json ReviewSelf(State& state, const KindInfo& kind, const UserInfo& user) {
  json answer = Bare(kind);
  answer["metadata"]["creationTimestamp"] = state.clock.Wall().ToString();
  answer["status"] = {{"userInfo", UserDocument(user)}};
  return answer;
}

}  // namespace

Answer<json> Review(State& state, const KindInfo& kind, const UserInfo& user, json document) {
  const json spec = document.value("spec", json::object());
  if (kind.kind == "SelfSubjectReview") return ReviewSelf(state, kind, user);
  if (kind.kind == "SelfSubjectRulesReview") return ReviewRules(state, kind, user, spec);
  if (kind.kind == "TokenReview") {
    if (TextAt(spec, "token").empty())
      return Reject(BadRequest("token is required for TokenReview in authentication"));
    document["status"] = CheckToken(state, spec);
    return document;
  }
  // The real server's error names no kind.
  if (const Errors errors = CheckAccessReview(kind, spec); !errors.empty())
    return Reject(Invalid(kind.group, "", "", errors));
  document["status"] =
      Decide(state, kind.kind == "SelfSubjectAccessReview" ? user : SubjectOf(spec), spec);
  return document;
}

}  // namespace berth::apiserver
