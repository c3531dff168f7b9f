// SPDX-License-Identifier: Apache-2.0
#include "api/admission.h"

namespace berth::api {

const json::Type& ParamKind::JsonType() {
  static const json::Type type = json::Describe<ParamKind>(json::Object(
      json::Field("apiVersion", &ParamKind::api_version), json::Field("kind", &ParamKind::kind)));
  return type;
}

const json::Type& RuleWithOperations::JsonType() {
  static const json::Type type = json::Describe<RuleWithOperations>(
      json::Object(json::Field("apiGroups", &RuleWithOperations::api_groups),
                   json::Field("apiVersions", &RuleWithOperations::api_versions),
                   json::Field("operations", &RuleWithOperations::operations),
                   json::Field("resources", &RuleWithOperations::resources),
                   json::Field("resourceNames", &RuleWithOperations::resource_names),
                   json::Field("scope", &RuleWithOperations::scope)));
  return type;
}

const json::Type& MatchResources::JsonType() {
  static const json::Type type = json::Describe<MatchResources>(
      json::Object(json::Field("namespaceSelector", &MatchResources::namespace_selector),
                   json::Field("objectSelector", &MatchResources::object_selector),
                   json::Field("resourceRules", &MatchResources::resource_rules),
                   json::Field("excludeResourceRules", &MatchResources::exclude_resource_rules),
                   json::Field("matchPolicy", &MatchResources::match_policy)));
  return type;
}

const json::Type& MatchCondition::JsonType() {
  static const json::Type type = json::Describe<MatchCondition>(
      json::Object(json::Field("name", &MatchCondition::name),
                   json::Field("expression", &MatchCondition::expression)));
  return type;
}

const json::Type& AdmissionVariable::JsonType() {
  static const json::Type type = json::Describe<AdmissionVariable>(
      json::Object(json::Field("name", &AdmissionVariable::name),
                   json::Field("expression", &AdmissionVariable::expression)));
  return type;
}

const json::Type& Validation::JsonType() {
  static const json::Type type = json::Describe<Validation>(
      json::Object(json::Field("expression", &Validation::expression),
                   json::Field("message", &Validation::message),
                   json::Field("messageExpression", &Validation::message_expression),
                   json::Field("reason", &Validation::reason)));
  return type;
}

const json::Type& ValidatingAdmissionPolicySpec::JsonType() {
  static const json::Type type = json::Describe<ValidatingAdmissionPolicySpec>(json::Object(
      json::Field("paramKind", &ValidatingAdmissionPolicySpec::param_kind),
      json::Field("matchConstraints", &ValidatingAdmissionPolicySpec::match_constraints),
      json::Field("matchConditions", &ValidatingAdmissionPolicySpec::match_conditions),
      json::Field("variables", &ValidatingAdmissionPolicySpec::variables),
      json::Field("validations", &ValidatingAdmissionPolicySpec::validations),
      json::Field("failurePolicy", &ValidatingAdmissionPolicySpec::failure_policy)));
  return type;
}

const json::Type& ValidatingAdmissionPolicy::JsonType() {
  static const json::Type type = json::Describe<ValidatingAdmissionPolicy>(
      json::Object(json::Constant("apiVersion", "admissionregistration.k8s.io/v1"),
                   json::Constant("kind", "ValidatingAdmissionPolicy"),
                   json::Field("metadata", &ValidatingAdmissionPolicy::metadata),
                   json::Field("spec", &ValidatingAdmissionPolicy::spec)));
  return type;
}

const json::Type& ParamRef::JsonType() {
  static const json::Type type = json::Describe<ParamRef>(json::Object(
      json::Field("name", &ParamRef::name), json::Field("namespace", &ParamRef::namespace_),
      json::Field("selector", &ParamRef::selector),
      json::Field("parameterNotFoundAction", &ParamRef::parameter_not_found_action)));
  return type;
}

const json::Type& ValidatingAdmissionPolicyBindingSpec::JsonType() {
  static const json::Type type = json::Describe<ValidatingAdmissionPolicyBindingSpec>(json::Object(
      json::Field("policyName", &ValidatingAdmissionPolicyBindingSpec::policy_name),
      json::Field("paramRef", &ValidatingAdmissionPolicyBindingSpec::param_ref),
      json::Field("matchResources", &ValidatingAdmissionPolicyBindingSpec::match_resources),
      json::Field("validationActions", &ValidatingAdmissionPolicyBindingSpec::validation_actions)));
  return type;
}

const json::Type& ValidatingAdmissionPolicyBinding::JsonType() {
  static const json::Type type = json::Describe<ValidatingAdmissionPolicyBinding>(
      json::Object(json::Constant("apiVersion", "admissionregistration.k8s.io/v1"),
                   json::Constant("kind", "ValidatingAdmissionPolicyBinding"),
                   json::Field("metadata", &ValidatingAdmissionPolicyBinding::metadata),
                   json::Field("spec", &ValidatingAdmissionPolicyBinding::spec)));
  return type;
}

const json::Type& MutatingWebhook::JsonType() {
  static const json::Type type = json::Describe<MutatingWebhook>(
      json::Object(json::Field("name", &MutatingWebhook::name),
                   json::Field("objectSelector", &MutatingWebhook::object_selector),
                   json::Field("rules", &MutatingWebhook::rules)));
  return type;
}

const json::Type& MutatingWebhookConfiguration::JsonType() {
  static const json::Type type = json::Describe<MutatingWebhookConfiguration>(
      json::Object(json::Constant("apiVersion", "admissionregistration.k8s.io/v1"),
                   json::Constant("kind", "MutatingWebhookConfiguration"),
                   json::Field("metadata", &MutatingWebhookConfiguration::metadata),
                   json::Field("webhooks", &MutatingWebhookConfiguration::webhooks)));
  return type;
}

const json::Type& MutatingAdmissionPolicySpec::JsonType() {
  static const json::Type type = json::Describe<MutatingAdmissionPolicySpec>(json::Object(
      json::Field("matchConstraints", &MutatingAdmissionPolicySpec::match_constraints)));
  return type;
}

const json::Type& MutatingAdmissionPolicy::JsonType() {
  static const json::Type type = json::Describe<MutatingAdmissionPolicy>(
      json::Object(json::Constant("apiVersion", "admissionregistration.k8s.io/v1"),
                   json::Constant("kind", "MutatingAdmissionPolicy"),
                   json::Field("metadata", &MutatingAdmissionPolicy::metadata),
                   json::Field("spec", &MutatingAdmissionPolicy::spec)));
  return type;
}

}  // namespace berth::api
