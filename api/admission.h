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
  static const json::Type& JsonType();
};

struct RuleWithOperations {
  std::vector<std::string> api_groups;
  std::vector<std::string> api_versions;
  std::vector<std::string> operations;
  std::vector<std::string> resources;
  std::vector<std::string> resource_names;
  std::string scope;

  bool operator==(const RuleWithOperations&) const = default;
  static const json::Type& JsonType();
};

struct MatchResources {
  std::optional<LabelSelector> namespace_selector;
  std::optional<LabelSelector> object_selector;
  std::vector<RuleWithOperations> resource_rules;
  std::vector<RuleWithOperations> exclude_resource_rules;
  std::string match_policy;

  bool operator==(const MatchResources&) const = default;
  static const json::Type& JsonType();
};

struct MatchCondition {
  std::string name;
  std::string expression;

  bool operator==(const MatchCondition&) const = default;
  static const json::Type& JsonType();
};

struct AdmissionVariable {
  std::string name;
  std::string expression;

  bool operator==(const AdmissionVariable&) const = default;
  static const json::Type& JsonType();
};

// Validation is one CEL rule. messageExpression, also CEL, takes precedence over message.
struct Validation {
  std::string expression;
  std::string message;
  std::string message_expression;
  std::string reason;

  bool operator==(const Validation&) const = default;
  static const json::Type& JsonType();
};

struct ValidatingAdmissionPolicySpec {
  std::optional<ParamKind> param_kind;
  std::optional<MatchResources> match_constraints;
  std::vector<MatchCondition> match_conditions;
  std::vector<AdmissionVariable> variables;
  std::vector<Validation> validations;
  std::string failure_policy;  // Fail, Ignore

  bool operator==(const ValidatingAdmissionPolicySpec&) const = default;
  static const json::Type& JsonType();
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
  static const json::Type& JsonType();
};

struct ParamRef {
  std::string name;
  std::string namespace_;
  std::optional<LabelSelector> selector;
  std::string parameter_not_found_action;

  bool operator==(const ParamRef&) const = default;
  static const json::Type& JsonType();
};

struct ValidatingAdmissionPolicyBindingSpec {
  std::string policy_name;
  std::optional<ParamRef> param_ref;
  std::optional<MatchResources> match_resources;
  std::vector<std::string> validation_actions;  // Deny, Warn, Audit

  bool operator==(const ValidatingAdmissionPolicyBindingSpec&) const = default;
  static const json::Type& JsonType();
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
  static const json::Type& JsonType();
};

// MutatingWebhook is one entry of a MutatingWebhookConfiguration; only fields that say which objects
// it is called for.
struct MutatingWebhook {
  std::string name;
  std::optional<LabelSelector> object_selector;
  std::vector<RuleWithOperations> rules;

  bool operator==(const MutatingWebhook&) const = default;
  static const json::Type& JsonType();
};

struct MutatingWebhookConfiguration {
  static constexpr ResourceInfo kResource{.group = "admissionregistration.k8s.io",
                                          .version = "v1",
                                          .kind = "MutatingWebhookConfiguration",
                                          .plural = "mutatingwebhookconfigurations",
                                          .namespaced = false};

  ObjectMeta metadata;
  std::vector<MutatingWebhook> webhooks;

  bool operator==(const MutatingWebhookConfiguration&) const = default;
  static const json::Type& JsonType();
};

struct MutatingAdmissionPolicySpec {
  std::optional<MatchResources> match_constraints;

  bool operator==(const MutatingAdmissionPolicySpec&) const = default;
  static const json::Type& JsonType();
};

// MutatingAdmissionPolicy is served in v1 since Kubernetes 1.36.
struct MutatingAdmissionPolicy {
  static constexpr ResourceInfo kResource{.group = "admissionregistration.k8s.io",
                                          .version = "v1",
                                          .kind = "MutatingAdmissionPolicy",
                                          .plural = "mutatingadmissionpolicies",
                                          .namespaced = false};

  ObjectMeta metadata;
  MutatingAdmissionPolicySpec spec;

  bool operator==(const MutatingAdmissionPolicy&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
