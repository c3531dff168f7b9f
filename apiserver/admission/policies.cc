// SPDX-License-Identifier: Apache-2.0
#include "apiserver/admission/policies.h"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "apiserver/admission/policy_match.h"
#include "apiserver/kinds/strategy.h"
#include "apiserver/state.h"
#include "base/cel/json_value.h"
#include "base/cel/kubernetes.h"
#include "base/cel/variables.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kPolicies = "validatingadmissionpolicies.admissionregistration.k8s.io";
constexpr std::string_view kBindings =
    "validatingadmissionpolicybindings.admissionregistration.k8s.io";

std::vector<json> Documents(State& state, std::string_view resource) {
  std::vector<json> documents;
  const Collection* collection = state.store.Find(resource);
  if (collection == nullptr) return documents;
  const ListResult page = collection->List({});
  for (const ObjectPtr& object : page ? page->items : std::vector<ObjectPtr>()) {
    documents.push_back(json::parse(object->text));
  }
  return documents;
}

json RequestDocument(State& state, const AdmissionRequest& request) {
  json extra = json::object();
  for (const auto& [key, values] : request.user->extra) extra[key] = values;
  const json gvk = {{"group", request.kind->group},
                    {"version", request.kind->version},
                    {"kind", request.kind->kind}};
  const json gvr = {{"group", request.kind->group},
                    {"version", request.kind->version},
                    {"resource", request.kind->plural}};
  return {{"uid", state.random.Uid()},
          {"kind", gvk},
          {"resource", gvr},
          {"subResource", request.subresource},
          {"requestKind", gvk},
          {"requestResource", gvr},
          {"requestSubResource", request.subresource},
          {"name", request.name},
          {"namespace", request.namespace_},
          {"operation", request.operation},
          {"dryRun", request.dry_run},
          {"userInfo",
           {{"username", request.user->name},
            {"uid", request.user->uid},
            {"groups", request.user->groups},
            {"extra", extra}}}};
}

}  // namespace

struct PolicyCache::Binding {
  std::string name;
  json spec;

  bool Acts(const char* action) const {
    const json* actions = At(spec, "validationActions");
    return actions != nullptr &&
           std::find(actions->begin(), actions->end(), action) != actions->end();
  }
};

struct PolicyCache::Policy {
  struct Validation {
    cel::Program program;
    std::optional<cel::Program> message_expression;
    std::string text, message, reason;
  };

  std::string name;
  json spec;
  std::string problem;  // of compilation; the policy then counts as failed
  cel::Variables variables;
  std::vector<std::pair<std::string, cel::Program>> conditions;
  std::vector<Validation> validations;
  std::vector<Binding> bindings;

  bool FailsClosed() const { return spec.value("failurePolicy", "Fail") != "Ignore"; }
  void Compile();
};

void PolicyCache::Policy::Compile() {
  cel::Environment environment = cel::PolicyEnvironment();
  const auto compile = [&](const json& source, const char* field,
                           const cel::TypePtr& type) -> std::optional<cel::Program> {
    auto program = cel::Compile(source.value(field, ""), environment, type);
    if (program) return std::move(*program);
    if (problem.empty()) problem = "compilation failed: " + program.error().message();
    return std::nullopt;
  };
  const auto boolean = cel::Basic(cel::Kind::kBool);
  for (const json& source : spec.value("matchConditions", json::array())) {
    if (auto program = compile(source, "expression", boolean))
      conditions.emplace_back(source.value("name", ""), std::move(*program));
  }
  for (const json& source : spec.value("variables", json::array())) {
    const auto added =
        variables.Add(source.value("name", ""), source.value("expression", ""), environment);
    if (!added && problem.empty()) problem = "compilation failed: " + added.error().message();
  }
  for (const json& source : spec.value("validations", json::array())) {
    auto program = compile(source, "expression", boolean);
    if (!program) continue;
    Validation validation{std::move(*program), std::nullopt, source.value("expression", ""),
                          source.value("message", ""), source.value("reason", "Invalid")};
    if (source.contains("messageExpression")) {
      validation.message_expression =
          compile(source, "messageExpression", cel::Basic(cel::Kind::kString));
    }
    validations.push_back(std::move(validation));
  }
}

PolicyCache::PolicyCache() = default;
PolicyCache::~PolicyCache() = default;

void PolicyCache::Refresh(State& state) {
  if (fresh_) return;
  fresh_ = true;
  policies_.clear();
  const std::vector<json> bindings = Documents(state, kBindings);
  for (const json& document : Documents(state, kPolicies)) {
    auto policy = std::make_unique<Policy>();
    policy->name = TextAt(document, "metadata/name");
    policy->spec = document.value("spec", json::object());
    for (const json& binding : bindings) {
      if (TextAt(binding, "spec/policyName") != policy->name) continue;
      policy->bindings.push_back({TextAt(binding, "metadata/name"), binding["spec"]});
    }
    if (policy->bindings.empty()) continue;
    policy->Compile();
    policies_.push_back(std::move(policy));
  }
}

Answer<void> PolicyCache::Check(State& state, const AdmissionRequest& request, const json* object) {
  // Policies do not judge what could lock everybody out of changing them.
  if (request.kind->group == "admissionregistration.k8s.io" || request.user == nullptr) return {};
  Refresh(state);
  if (policies_.empty()) return {};
  json name_space;
  if (request.kind->namespaced) {
    const ObjectPtr found = state.store.Find("namespaces")->Find("", request.namespace_);
    if (found != nullptr) name_space = json::parse(found->text);
  }
  const json* place = name_space.is_null() ? nullptr : &name_space;
  for (const auto& policy : policies_) {
    if (!MatchesResources(policy->spec.value("matchConstraints", json::object()), request, object,
                          place))
      continue;
    for (const Binding& binding : policy->bindings) {
      const json* narrower = At(binding.spec, "matchResources");
      if (narrower != nullptr && !MatchesResources(*narrower, request, object, place)) continue;
      if (const auto passed = Ask(state, *policy, binding, request, object, place); !passed)
        return passed;
    }
  }
  return {};
}

Answer<void> PolicyCache::Ask(State& state, const Policy& policy, const Binding& binding,
                              const AdmissionRequest& request, const json* object,
                              const json* name_space) {
  const std::string who = "ValidatingAdmissionPolicy '" + policy.name + "' with binding '" +
                          binding.name + "' denied request: ";
  const auto refuse = [&](const std::string& message, const std::string& reason) -> Answer<void> {
    if (binding.Acts("Warn")) {
      request.warnings->push_back("Validation failed for ValidatingAdmissionPolicy '" +
                                  policy.name + "' with binding '" + binding.name +
                                  "': " + message);
    }
    if (!binding.Acts("Deny")) return {};
    const std::string name = !request.name.empty() || object == nullptr
                                 ? request.name
                                 : TextAt(*object, "metadata/name");
    StatusError error = Forbidden(request.kind->Resource(), name, who + message);
    error.reason = reason;
    error.code = reason == "Forbidden"               ? 403
                 : reason == "Unauthorized"          ? 401
                 : reason == "RequestEntityTooLarge" ? 413
                                                     : 422;
    error.details.causes.push_back({"", who + message, ""});
    return Refuse(std::move(error));
  };
  const auto fail = [&](const std::string& message) -> Answer<void> {
    return policy.FailsClosed() ? refuse(message, "Invalid") : Answer<void>{};
  };
  if (!policy.problem.empty()) return fail(policy.problem);

  static const json kNull;
  const json request_document = RequestDocument(state, request);
  cel::Activation activation;
  cel::Budget budget;
  activation.Bind("object", cel::ViewOf(object == nullptr ? kNull : *object));
  activation.Bind("oldObject", cel::ViewOf(request.old == nullptr ? kNull : *request.old));
  activation.Bind("request", cel::ViewOf(request_document, cel::RequestType()));
  activation.Bind("params", cel::Value::Null());
  activation.Bind("namespaceObject", cel::ViewOf(name_space == nullptr ? kNull : *name_space));
  policy.variables.Bind(activation, budget);
  for (const auto& [name, condition] : policy.conditions) {
    const auto result = condition.Evaluate(activation, budget);
    if (!result) return fail("matchCondition '" + name + "': " + result.error().message());
    if (!result->IsTrue()) return {};
  }
  for (const Policy::Validation& validation : policy.validations) {
    const auto result = validation.program.Evaluate(activation, budget);
    if (!result) {
      if (const auto failed = fail("expression '" + validation.text +
                                   "' resulted in error: " + result.error().message());
          !failed)
        return failed;
      continue;
    }
    if (result->IsTrue()) continue;
    std::string message =
        validation.message.empty() ? "failed expression: " + validation.text : validation.message;
    if (validation.message_expression) {
      const auto text = validation.message_expression->Evaluate(activation, budget);
      if (text && text->Is(cel::Kind::kString)) message = text->AsString();
    }
    if (const auto refused = refuse(message, validation.reason); !refused) return refused;
  }
  return {};
}

}  // namespace berth::apiserver
