// SPDX-License-Identifier: Apache-2.0
#include "operator/generate/operator_guard.h"

#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "controllers/render.h"
#include "crds/capabilities.h"
#include "operator/generate/operator_meta.h"

namespace berth::operator_ {
namespace {

// Matches any namespace, because kustomize does not change expressions when it installs into
// another one. An account of that name elsewhere is restricted, too.
constexpr char kIsTheOperator[] =
    "request.userInfo.username.startsWith('system:serviceaccount:') && "
    "request.userInfo.username.endsWith(':berth-operator')";

constexpr char kNameIsAProfiles[] =
    "variables.inCluster ? variables.name.matches('^berth:[^:]+:.+') : "
    "variables.name.startsWith('berth-') && variables.name != 'berth-operator'";

// A deletion grants nothing, and a Role binds nothing.
constexpr char kBindsNothing[] = "request.operation == 'DELETE' || variables.isRole || ";

constexpr char kRoleIsASchedulers[] =
    "(variables.inCluster ? variables.written.roleRef.kind == 'ClusterRole' "
    "&& (variables.written.roleRef.name in variables.roles || "
    "variables.written.roleRef.name in variables.administratorRoles) : "
    "variables.written.roleRef.kind == 'Role' && "
    "variables.written.roleRef.name == variables.name)";

constexpr char kSubjectIsTheProfiles[] =
    "!has(variables.written.subjects) || variables.written.subjects.all(subject, "
    "subject.kind == 'ServiceAccount' && subject.name.startsWith('berth-') && "
    "subject.name != 'berth-operator' && (variables.inCluster ? "
    "variables.name.startsWith('berth:' + subject.name.substring(6) + ':') : "
    "variables.name == subject.name))";

// The namespaces of schedulers are those where an administrator lets the operator create accounts.
constexpr char kSubjectIsInAManagedNamespace[] =
    "!has(variables.written.subjects) || variables.written.subjects.all(subject, "
    "has(subject.namespace) && "
    "(variables.inCluster ? authorizer.group('').resource('serviceaccounts')"
    ".namespace(subject.namespace).check('create').allowed() : "
    "subject.namespace == request.namespace))";

constexpr char kRulesAreASchedulers[] =
    "request.operation == 'DELETE' || !variables.isRole || !has(variables.written.rules) || "
    "variables.written.rules.all(rule, rule in variables.schedulerRules)";

std::string List(const std::vector<std::string>& texts) {
  return "['" + Join(texts, "', '") + "']";
}

std::string RolesLiteral(const std::vector<api::ClusterRole>& capabilities) {
  std::vector<std::string> names;
  for (const api::ClusterRole& role : capabilities) names.push_back(role.metadata.name);
  for (const std::string& capability : crds::KubeSchedulerCapabilities()) {
    names.push_back(crds::KubeSchedulerRoleName(capability));
  }
  return List(names);
}

// Returns the rules of the Role of a scheduler. Its objects have the Role's name.
std::string SchedulerRulesLiteral() {
  const crds::SchedulerProfile profile{.metadata = {.name = "x"}};
  std::vector<std::string> rules;
  for (const api::PolicyRule& rule : controllers::RenderRole({.profile = profile}).rules) {
    std::string text = "{'apiGroups': " + List(rule.api_groups) +
                       ", 'resources': " + List(rule.resources) + ", 'verbs': " + List(rule.verbs);
    if (!rule.resource_names.empty()) text += ", 'resourceNames': [string(variables.name)]";
    rules.push_back(text + "}");
  }
  return "[" + Join(rules, ", ") + "]";
}

api::Validation Rule(std::string expression, const char* message) {
  return {.expression = std::move(expression),
          .message = message,
          .message_expression = "",
          .reason = "Forbidden"};
}

}  // namespace

api::ValidatingAdmissionPolicy OperatorGuard(const std::vector<api::ClusterRole>& capabilities) {
  api::ValidatingAdmissionPolicy policy{.metadata =
                                            crds::InstalledMeta(kGuardName, kOperatorComponent)};
  policy.spec.failure_policy = "Fail";
  policy.spec.match_constraints = api::MatchResources{
      .resource_rules = {{.api_groups = {std::string(api::ClusterRole::kResource.group)},
                          .api_versions = {"v1"},
                          .operations = {"CREATE", "UPDATE", "DELETE"},
                          .resources = {"clusterrolebindings", "rolebindings", "roles"}}}};
  policy.spec.match_conditions = {{"is-the-operator", kIsTheOperator}};
  policy.spec.variables = {
      {"inCluster", "request.resource.resource == 'clusterrolebindings'"},
      {"name", "object != null ? object.metadata.name : oldObject.metadata.name"},
      {"roles", RolesLiteral(capabilities)},
      {"administratorRoles", "dyn([])"},
      // dyn: the API server's type check would report the fields that one of the kinds lacks.
      {"written", "dyn(object)"},
      {"isRole", "request.resource.resource == 'roles'"},
      {"schedulerRules", SchedulerRulesLiteral()},
  };
  policy.spec.validations = {
      Rule(
          kNameIsAProfiles,
          "the operator may write only ClusterRoleBindings berth:PROFILE:*, RoleBindings and Roles "
          "berth-PROFILE"),
      Rule(std::string(kBindsNothing) + kRoleIsASchedulers,
           "the operator may bind only capabilities, roles of a kube-scheduler, the Role of the "
           "same name, and roles in administratorRoles"),
      Rule(std::string(kBindsNothing) + kSubjectIsTheProfiles,
           "the operator may bind roles only to the ServiceAccount of the binding's profile"),
      Rule(
          std::string(kBindsNothing) + kSubjectIsInAManagedNamespace,
          "the operator may bind roles only to ServiceAccounts of the RoleBinding's namespace, and "
          "ClusterRoles only in namespaces where it may create ServiceAccounts "
          "(deploy/managed-namespace.yaml)"),
      Rule(
          kRulesAreASchedulers,
          "the operator may give Roles only the rules of a scheduler: its own Lease and ConfigMap, "
          "and events"),
  };
  return policy;
}

api::ValidatingAdmissionPolicyBinding OperatorGuardBinding() {
  return {.metadata = crds::InstalledMeta(kGuardName, kOperatorComponent),
          .spec = {.policy_name = std::string(kGuardName), .validation_actions = {"Deny"}}};
}

}  // namespace berth::operator_
