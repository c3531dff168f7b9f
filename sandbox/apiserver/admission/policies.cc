// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/admission/policies.h"

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "cel/authorizer.h"
#include "cel/json_value.h"
#include "cel/kubernetes.h"
#include "sandbox/apiserver/admission/policy_match.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/policy_expressions.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/state.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kPolicies = "validatingadmissionpolicies.admissionregistration.k8s.io";
constexpr std::string_view kBindings =
    "validatingadmissionpolicybindings.admissionregistration.k8s.io";
constexpr size_t kMaxMessageBytes = 5 << 10;

std::vector<json> Documents(State& state, std::string_view resource) {
  std::vector<json> documents;
  const Collection* collection = state.store.Find(resource);
  if (collection == nullptr) return documents;
  const ListResult page = collection->List({});
  for (const ObjectPtr& object : page ? page->items : std::vector<ObjectPtr>()) {
    documents.push_back(ReadDocument(object->text));
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

// A policy's denial of a request; `reason` is the reason of the rejection.
struct Denial {
  std::string message, reason = "Invalid";
};

}  // namespace

struct PolicyCache::Binding {
  std::string name;
  json spec;
};

struct PolicyCache::Policy {
  std::string name;
  json spec;
  std::string error;  // of compilation; the policy then counts as failed
  PolicyExpressions expressions;
  std::vector<Binding> bindings;

  bool FailsClosed() const { return spec.value("failurePolicy", "Fail") != "Ignore"; }
};

// Question is one request during its evaluation by the policies.
class PolicyCache::Question {
 public:
  Question(State& state, const AdmissionRequest& request, const json* object)
      : state_(state),
        request_(request),
        object_(object),
        request_document_(RequestDocument(state, request)) {
    if (!request.kind->namespaced) return;
    const ObjectPtr found = state.store.Find("namespaces")->Find("", request.namespace_);
    if (found != nullptr) namespace_ = *state.documents.Of(found);
  }

  bool Matches(const json& match) const {
    return MatchesResources(match, request_, object_, namespace_.is_null() ? nullptr : &namespace_);
  }

  // Evaluates a policy for the request.
  std::vector<Denial> Ask(const Policy& policy) {
    std::vector<Denial> denials;
    const auto fail = [&](std::string message) {
      if (policy.FailsClosed()) denials.push_back({std::move(message)});
    };
    if (!policy.error.empty()) {
      fail(policy.error);
      return denials;
    }
    cel::Activation activation;
    cel::Budget budget;
    Bind(policy, activation, budget);
    for (const PolicyExpressions::Condition& condition : policy.expressions.conditions) {
      const auto result = condition.program.Evaluate(activation, budget);
      if (!result) fail("matchCondition '" + condition.name + "': " + result.error().message());
      if (!result || !result->IsTrue()) return denials;
    }
    for (const PolicyExpressions::Validation& validation : policy.expressions.validations) {
      const auto result = validation.program.Evaluate(activation, budget);
      if (!result) {
        fail("expression '" + validation.text + "' resulted in error: " + result.error().message());
      } else if (!result->IsTrue()) {
        denials.push_back({MessageOf(validation, activation, budget), validation.reason});
      }
    }
    return denials;
  }

  // Applies the binding's validationActions to a denial.
  void Note(const Policy& policy, const Binding& binding, const Denial& denial) {
    const json* actions = At(binding.spec, "validationActions");
    for (const json& action : actions == nullptr ? json::array() : *actions) {
      if (action == "Deny") Deny(policy, binding, denial);
      if (action == "Warn")
        request_.warnings->push_back("Validation failed for ValidatingAdmissionPolicy '" +
                                     policy.name + "' with binding '" + binding.name +
                                     "': " + denial.message);
    }
  }

  Answer<void> Outcome() {
    if (!rejection_) return {};
    return Reject(std::move(*rejection_));
  }

 private:
  void Deny(const Policy& policy, const Binding& binding, const Denial& denial) {
    if (rejection_) return;
    const std::string message = "ValidatingAdmissionPolicy '" + policy.name + "' with binding '" +
                                binding.name + "' denied request: " + denial.message;
    const std::string name = !request_.name.empty() || object_ == nullptr
                                 ? request_.name
                                 : TextAt(*object_, "metadata/name");
    rejection_ = Forbidden(request_.kind->Resource(), name, message);
    rejection_->reason = denial.reason;
    rejection_->code = denial.reason == "Forbidden" ? 403 : 422;
    rejection_->details.causes.push_back({"", message, ""});
  }

  void Bind(const Policy& policy, cel::Activation& activation, cel::Budget& budget) {
    static const json kNull;
    activation.Bind("object", cel::ViewOf(object_ == nullptr ? kNull : *object_));
    activation.Bind("oldObject", cel::ViewOf(request_.old == nullptr ? kNull : *request_.old));
    activation.Bind("request", cel::ViewOf(request_document_, cel::RequestType()));
    activation.Bind("namespaceObject", cel::ViewOf(namespace_, cel::NamespaceType()));
    activation.Bind("authorizer", cel::AuthorizerOf([this](const cel::AccessCheck& check) {
                      return state_.authorizer
                          .Authorize(*request_.user, {.verb = check.verb,
                                                      .is_resource = true,
                                                      .namespace_ = check.namespace_,
                                                      .group = check.group,
                                                      .resource = check.resource,
                                                      .subresource = {},
                                                      .name = {},
                                                      .path = {}})
                          .allowed;
                    }));
    policy.expressions.variables.Bind(activation, budget);
  }

  static std::string MessageOf(const PolicyExpressions::Validation& validation,
                               const cel::Activation& activation, cel::Budget& budget) {
    if (validation.message_expression) {
      const auto text = validation.message_expression->Evaluate(activation, budget);
      if (text && text->Is(cel::Kind::kString)) {
        const std::string_view message = TrimSpace(text->AsString());
        if (!message.empty() && message.size() <= kMaxMessageBytes &&
            message.find('\n') == message.npos)
          return std::string(message);
      }
    }
    return validation.message.empty() ? "failed expression: " + validation.text
                                      : validation.message;
  }

  State& state_;
  const AdmissionRequest& request_;
  const json* object_;
  const json request_document_;
  json namespace_;
  std::optional<StatusError> rejection_;
};

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
    Errors errors;
    policy->expressions = CompilePolicy(policy->spec, errors);
    if (!errors.empty()) policy->error = errors.front().detail;
    policies_.push_back(std::move(policy));
  }
}

Answer<void> PolicyCache::Check(State& state, const AdmissionRequest& request, const json* object) {
  // Policies do not apply to requests that change policies, so that users cannot lock themselves
  // out.
  if (request.kind->group == "admissionregistration.k8s.io" || request.user == nullptr) return {};
  Refresh(state);
  if (policies_.empty()) return {};
  Question question(state, request, object);
  for (const auto& policy : policies_) {
    if (!question.Matches(policy->spec.value("matchConstraints", json::object()))) continue;
    for (const Binding& binding : policy->bindings) {
      const json* narrower = At(binding.spec, "matchResources");
      if (narrower != nullptr && !question.Matches(*narrower)) continue;
      for (const Denial& denial : question.Ask(*policy)) question.Note(*policy, binding, denial);
    }
  }
  return question.Outcome();
}

}  // namespace berth::apiserver
