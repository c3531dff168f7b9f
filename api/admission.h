// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"

namespace berth::api {

struct ParamKind {
  std::string api_version;
  std::string kind;

  bool operator==(const ParamKind&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("apiVersion", &ParamKind::api_version),
                        json::Field("kind", &ParamKind::kind));
  }
};

struct RuleWithOperations {
  std::vector<std::string> api_groups;
  std::vector<std::string> api_versions;
  std::vector<std::string> operations;
  std::vector<std::string> resources;
  std::vector<std::string> resource_names;
  std::string scope;

  bool operator==(const RuleWithOperations&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("apiGroups", &RuleWithOperations::api_groups),
                        json::Field("apiVersions", &RuleWithOperations::api_versions),
                        json::Field("operations", &RuleWithOperations::operations),
                        json::Field("resources", &RuleWithOperations::resources),
                        json::Field("resourceNames", &RuleWithOperations::resource_names),
                        json::Field("scope", &RuleWithOperations::scope));
  }
};

struct MatchResources {
  std::optional<LabelSelector> namespace_selector;
  std::optional<LabelSelector> object_selector;
  std::vector<RuleWithOperations> resource_rules;
  std::vector<RuleWithOperations> exclude_resource_rules;
  std::string match_policy;

  bool operator==(const MatchResources&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("namespaceSelector", &MatchResources::namespace_selector),
        json::Field("objectSelector", &MatchResources::object_selector),
        json::Field("resourceRules", &MatchResources::resource_rules),
        json::Field("excludeResourceRules", &MatchResources::exclude_resource_rules),
        json::Field("matchPolicy", &MatchResources::match_policy));
  }
};

struct MatchCondition {
  std::string name;
  std::string expression;

  bool operator==(const MatchCondition&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("name", &MatchCondition::name),
                        json::Field("expression", &MatchCondition::expression));
  }
};

struct AdmissionVariable {
  std::string name;
  std::string expression;

  bool operator==(const AdmissionVariable&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("name", &AdmissionVariable::name),
                        json::Field("expression", &AdmissionVariable::expression));
  }
};

// Validation is one CEL rule; messageExpression, also CEL, wins over message.
struct Validation {
  std::string expression;
  std::string message;
  std::string message_expression;
  std::string reason;

  bool operator==(const Validation&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("expression", &Validation::expression),
                        json::Field("message", &Validation::message),
                        json::Field("messageExpression", &Validation::message_expression),
                        json::Field("reason", &Validation::reason));
  }
};

struct ValidatingAdmissionPolicySpec {
  std::optional<ParamKind> param_kind;
  std::optional<MatchResources> match_constraints;
  std::vector<MatchCondition> match_conditions;
  std::vector<AdmissionVariable> variables;
  std::vector<Validation> validations;
  std::string failure_policy;  // Fail, Ignore

  bool operator==(const ValidatingAdmissionPolicySpec&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("paramKind", &ValidatingAdmissionPolicySpec::param_kind),
        json::Field("matchConstraints", &ValidatingAdmissionPolicySpec::match_constraints),
        json::Field("matchConditions", &ValidatingAdmissionPolicySpec::match_conditions),
        json::Field("variables", &ValidatingAdmissionPolicySpec::variables),
        json::Field("validations", &ValidatingAdmissionPolicySpec::validations),
        json::Field("failurePolicy", &ValidatingAdmissionPolicySpec::failure_policy));
  }
};

struct ValidatingAdmissionPolicy {
  static constexpr ResourceInfo kResource{.group = "admissionregistration.k8s.io",
                                          .version = "v1",
                                          .kind = "ValidatingAdmissionPolicy",
                                          .plural = "validatingadmissionpolicies",
                                          .namespaced = false};

  ObjectMeta metadata;
  ValidatingAdmissionPolicySpec spec;

  bool operator==(const ValidatingAdmissionPolicy&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "admissionregistration.k8s.io/v1"),
                        json::Constant("kind", "ValidatingAdmissionPolicy"),
                        json::Field("metadata", &ValidatingAdmissionPolicy::metadata),
                        json::Field("spec", &ValidatingAdmissionPolicy::spec));
  }
};

struct ParamRef {
  std::string name;
  std::string namespace_;
  std::optional<LabelSelector> selector;
  std::string parameter_not_found_action;

  bool operator==(const ParamRef&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("name", &ParamRef::name), json::Field("namespace", &ParamRef::namespace_),
        json::Field("selector", &ParamRef::selector),
        json::Field("parameterNotFoundAction", &ParamRef::parameter_not_found_action));
  }
};

struct ValidatingAdmissionPolicyBindingSpec {
  std::string policy_name;
  std::optional<ParamRef> param_ref;
  std::optional<MatchResources> match_resources;
  std::vector<std::string> validation_actions;  // Deny, Warn, Audit

  bool operator==(const ValidatingAdmissionPolicyBindingSpec&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("policyName", &ValidatingAdmissionPolicyBindingSpec::policy_name),
        json::Field("paramRef", &ValidatingAdmissionPolicyBindingSpec::param_ref),
        json::Field("matchResources", &ValidatingAdmissionPolicyBindingSpec::match_resources),
        json::Field("validationActions",
                    &ValidatingAdmissionPolicyBindingSpec::validation_actions));
  }
};

struct ValidatingAdmissionPolicyBinding {
  static constexpr ResourceInfo kResource{.group = "admissionregistration.k8s.io",
                                          .version = "v1",
                                          .kind = "ValidatingAdmissionPolicyBinding",
                                          .plural = "validatingadmissionpolicybindings",
                                          .namespaced = false};

  ObjectMeta metadata;
  ValidatingAdmissionPolicyBindingSpec spec;

  bool operator==(const ValidatingAdmissionPolicyBinding&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "admissionregistration.k8s.io/v1"),
                        json::Constant("kind", "ValidatingAdmissionPolicyBinding"),
                        json::Field("metadata", &ValidatingAdmissionPolicyBinding::metadata),
                        json::Field("spec", &ValidatingAdmissionPolicyBinding::spec));
  }
};

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::ValidatingAdmissionPolicy);
BERTH_JSON_EXTERN(berth::api::ValidatingAdmissionPolicyBinding);
