// SPDX-License-Identifier: Apache-2.0
#include "operator/generate/operator_guard.h"

#include <string>

#include "base/strings.h"
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

constexpr char kRoleIsASchedulers[] =
    "request.operation == 'DELETE' || (variables.inCluster ? object.roleRef.kind == 'ClusterRole' "
    "&& (object.roleRef.name in variables.roles || "
    "object.roleRef.name in variables.administratorRoles) : object.roleRef.kind == 'Role' && "
    "object.roleRef.name == variables.name)";

constexpr char kSubjectIsTheProfiles[] =
    "request.operation == 'DELETE' || !has(object.subjects) || object.subjects.all(subject, "
    "subject.kind == 'ServiceAccount' && subject.name.startsWith('berth-') && "
    "subject.name != 'berth-operator' && (variables.inCluster ? "
    "variables.name.startsWith('berth:' + subject.name.substring(6) + ':') : "
    "variables.name == subject.name))";

std::string RolesLiteral(const std::vector<api::ClusterRole>& capabilities) {
  std::vector<std::string> names;
  for (const api::ClusterRole& role : capabilities) names.push_back(role.metadata.name);
  for (const std::string& capability : crds::KubeSchedulerCapabilities()) {
    names.push_back(crds::KubeSchedulerRoleName(capability));
  }
  return "['" + Join(names, "', '") + "']";
}

api::Validation Rule(const char* expression, const char* message) {
  return {.expression = expression,
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
                          .resources = {"clusterrolebindings", "rolebindings"}}}};
  policy.spec.match_conditions = {{"is-the-operator", kIsTheOperator}};
  policy.spec.variables = {
      {"inCluster", "request.resource.resource == 'clusterrolebindings'"},
      {"name", "object != null ? object.metadata.name : oldObject.metadata.name"},
      {"roles", RolesLiteral(capabilities)},
      {"administratorRoles", "dyn([])"},
  };
  policy.spec.validations = {
      Rule(kNameIsAProfiles,
           "the operator may write only ClusterRoleBindings berth:PROFILE:* and RoleBindings "
           "berth-PROFILE"),
      Rule(kRoleIsASchedulers,
           "the operator may bind only capabilities, roles of a kube-scheduler, the Role of the "
           "same name, and roles in administratorRoles"),
      Rule(kSubjectIsTheProfiles,
           "the operator may bind roles only to the ServiceAccount of the binding's profile"),
  };
  return policy;
}

api::ValidatingAdmissionPolicyBinding OperatorGuardBinding() {
  return {.metadata = crds::InstalledMeta(kGuardName, kOperatorComponent),
          .spec = {.policy_name = std::string(kGuardName), .validation_actions = {"Deny"}}};
}

}  // namespace berth::operator_
