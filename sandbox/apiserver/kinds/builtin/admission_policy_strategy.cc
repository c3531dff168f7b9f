// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "sandbox/apiserver/kinds/builtin/policy_expressions.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/field.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Source: pkg/apis/admissionregistration/validation of Kubernetes.

// "*" stands alone.
void CheckWildcard(const Field& list, const char* others) {
  const std::vector<Field> items = list.Items();
  const bool has_wildcard =
      std::any_of(items.begin(), items.end(), [](const Field& item) { return item.Text() == "*"; });
  if (items.size() > 1 && has_wildcard)
    list.Invalid(std::string("if '*' is present, must not specify other ") + others);
}

void CheckResources(const Field& resources) {
  if (!resources.Require()) return;
  std::set<std::string> seen, with_all_parts, parts_of_all;
  for (const Field& resource : resources.Items()) {
    const std::string text = resource.Text();
    if (text.empty()) {
      resource.Required();
      continue;
    }
    seen.insert(text);
    const size_t slash = text.find('/');
    if (slash == text.npos) continue;
    const std::string name = text.substr(0, slash);
    const std::string part = text.substr(slash + 1);
    if (with_all_parts.contains(name))
      resource.Invalid("if '" + name + "/*' is present, must not specify " + text);
    if (parts_of_all.contains(part))
      resource.Invalid("if '*/" + part + "' is present, must not specify " + text);
    if (part == "*") with_all_parts.insert(name);
    if (name == "*") parts_of_all.insert(part);
  }
  if (seen.size() > 1 && seen.contains("*/*"))
    resources.Invalid("if '*/*' is present, must not specify other resources");
  const bool whole = std::any_of(seen.begin(), seen.end(), [](const std::string& text) {
    return text != "*" && text.find('/') == text.npos;
  });
  if (seen.contains("*") && whole)
    resources.Invalid("if '*' is present, must not specify other resources without subresources");
}

void CheckRule(const Field& rule) {
  std::set<std::string> names;
  for (const Field& name : rule["resourceNames"].Items()) {
    name.Named(CheckPathSegment);
    if (!names.insert(name.Text()).second) name.Duplicate();
  }
  rule["operations"].Require();
  CheckWildcard(rule["operations"], "operations");
  for (const Field& operation : rule["operations"].Items())
    operation.OneOf({"*", "CONNECT", "CREATE", "DELETE", "UPDATE"});
  rule["apiGroups"].Require();
  CheckWildcard(rule["apiGroups"], "API groups");
  rule["apiVersions"].Require();
  CheckWildcard(rule["apiVersions"], "API versions");
  for (const Field& version : rule["apiVersions"].Items()) version.Require();
  CheckResources(rule["resources"]);
  if (rule["scope"].IsSet()) rule["scope"].OneOf({"*", "Cluster", "Namespaced"});
}

void CheckMatchResources(const Field& match) {
  if (match["matchPolicy"].IsSet()) match["matchPolicy"].OneOf({"Equivalent", "Exact"});
  for (const char* selector : {"namespaceSelector", "objectSelector"})
    CheckLabelSelector(match[selector]);
  for (const char* rules : {"resourceRules", "excludeResourceRules"})
    for (const Field& rule : match[rules].Items()) CheckRule(rule);
}

void CheckParamKind(const Field& kind) {
  const auto check = [](const Field& field, NameProblems (*rule)(std::string_view),
                        const std::string& text, const char* prefix) {
    if (const NameProblems found = rule(text); !found.empty())
      field.Invalid(prefix + Join(found, ","));
  };
  if (const Field version = kind["apiVersion"]; version.Require()) {
    const std::string text = version.Text();
    const size_t slash = text.find('/');
    if (slash != text.npos) check(version, CheckDnsSubdomain, text.substr(0, slash), "");
    check(version, CheckDns1035Label, slash == text.npos ? text : text.substr(slash + 1), "");
  }
  if (kind["kind"].Require())
    check(kind["kind"], CheckDns1035Label, ToLower(kind["kind"].Text()),
          "may have mixed case, but should otherwise match: ");
}

void ValidatePolicy(const json& object, Problems& problems) {
  const Field spec = Field(object, problems)["spec"];
  if (spec["failurePolicy"].IsSet()) spec["failurePolicy"].OneOf({"Fail", "Ignore"});
  if (spec["paramKind"].IsSet()) CheckParamKind(spec["paramKind"]);
  if (const Field match = spec["matchConstraints"]; match.IsSet()) {
    CheckMatchResources(match);
    match["resourceRules"].Require();
  } else {
    match.Required();
  }
  CompilePolicy(spec.value(), problems);
  if (spec["validations"].IsEmpty() && spec["auditAnnotations"].IsEmpty()) {
    constexpr const char* kNeither =
        "validations or auditAnnotations must contain at least one item";
    spec["validations"].Required(kNeither);
    spec["auditAnnotations"].Required(kNeither);
  }
}

void CheckParamRef(const Field& ref) {
  const bool is_named = !ref["name"].IsEmpty();
  if (is_named) {
    ref["name"].Named(CheckPathSegment);
    if (ref["selector"].IsSet()) ref["name"].Forbidden("name and selector are mutually exclusive");
  }
  if (ref["selector"].IsSet()) {
    CheckLabelSelector(ref["selector"]);
    if (is_named) ref["selector"].Forbidden("name and selector are mutually exclusive");
  } else if (!is_named) {
    ref.Required("one of name or selector must be specified");
  }
  if (ref["parameterNotFoundAction"].Require())
    ref["parameterNotFoundAction"].OneOf({"Deny", "Allow"});
}

void CheckActions(const Field& actions) {
  std::set<std::string> seen;
  for (const Field& action : actions.Items()) {
    action.OneOf({"Audit", "Deny", "Warn"});
    if (!seen.insert(action.Text()).second) action.Duplicate();
  }
  if (seen.contains("Deny") && seen.contains("Warn"))
    actions.Invalid(
        "must not contain both Deny and Warn (repeating the same validation failure information in "
        "the API response and headers serves no purpose)");
  if (seen.empty()) actions.Required("at least one validation action is required");
}

void ValidateBinding(const json& object, Problems& problems) {
  const Field spec = Field(object, problems)["spec"];
  if (spec["policyName"].Require()) spec["policyName"].Named(CheckDnsSubdomain);
  if (spec["paramRef"].IsSet()) CheckParamRef(spec["paramRef"]);
  if (spec["matchResources"].IsSet()) CheckMatchResources(spec["matchResources"]);
  CheckActions(spec["validationActions"]);
}

}  // namespace

const Strategy* AdmissionPolicyStrategy(const KindInfo& kind) {
  static const Strategy kPolicy = {.validate = ValidatePolicy};
  static const Strategy kBinding = {.validate = ValidateBinding};
  if (kind.group != "admissionregistration.k8s.io") return nullptr;
  if (kind.kind == "ValidatingAdmissionPolicy") return &kPolicy;
  return kind.kind == "ValidatingAdmissionPolicyBinding" ? &kBinding : nullptr;
}

}  // namespace berth::apiserver
