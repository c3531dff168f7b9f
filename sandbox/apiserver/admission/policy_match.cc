// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/admission/policy_match.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/selectors.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

bool Names(const json& rule, const char* field, std::string_view value) {
  const json* list = At(rule, field);
  if (list == nullptr || !list->is_array()) return false;
  return std::any_of(list->begin(), list->end(),
                     [&](const json& entry) { return entry == "*" || entry == value; });
}

// "pods", "pods/status", "*", "*/*", "pods/*", "*/status".
bool NamesResource(const json& rule, const AdmissionRequest& request) {
  const json* list = At(rule, "resources");
  if (list == nullptr) return false;
  const auto fits = [](std::string_view pattern, std::string_view value) {
    return pattern == "*" || pattern == value;
  };
  return std::any_of(list->begin(), list->end(), [&](const json& entry) {
    const std::string text = entry.get<std::string>();
    const size_t slash = std::min(text.find('/'), text.size());
    const std::string_view sub =
        slash < text.size() ? std::string_view(text).substr(slash + 1) : "";
    return fits(std::string_view(text).substr(0, slash), request.kind->plural) &&
           (sub.empty() ? request.subresource.empty() : fits(sub, request.subresource));
  });
}

bool MatchesRule(const json& rule, const AdmissionRequest& request) {
  const std::string scope = rule.value("scope", "*");
  if (scope == "Cluster" && request.kind->namespaced) return false;
  if (scope == "Namespaced" && !request.kind->namespaced) return false;
  if (const json* names = At(rule, "resourceNames"); names != nullptr && !names->empty()) {
    if (std::find(names->begin(), names->end(), request.name) == names->end()) return false;
  }
  return Names(rule, "operations", request.operation) &&
         Names(rule, "apiGroups", request.kind->group) &&
         Names(rule, "apiVersions", request.kind->version) && NamesResource(rule, request);
}

bool AnyRule(const json& match, const char* field, const AdmissionRequest& request) {
  const json* rules = At(match, field);
  return rules != nullptr && std::any_of(rules->begin(), rules->end(), [&](const json& rule) {
           return MatchesRule(rule, request);
         });
}

bool Selects(const json& match, const char* field, const json* document) {
  const json* selector = At(match, field);
  if (selector == nullptr || selector->empty()) return true;
  const auto compiled = CompileSelector(*selector);
  if (!compiled || document == nullptr) return false;
  return compiled->Matches(LabelsOf(At(*document, "metadata/labels")));
}

}  // namespace

bool MatchesResources(const json& match, const AdmissionRequest& request, const json* object,
                      const json* name_space) {
  const json* rules = At(match, "resourceRules");
  const bool listed =
      rules == nullptr || rules->empty() || AnyRule(match, "resourceRules", request);
  if (!listed || AnyRule(match, "excludeResourceRules", request)) return false;
  if (name_space != nullptr && !Selects(match, "namespaceSelector", name_space)) return false;
  return (object != nullptr && Selects(match, "objectSelector", object)) ||
         (request.old != nullptr && Selects(match, "objectSelector", request.old));
}

}  // namespace berth::apiserver
