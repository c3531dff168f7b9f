// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/auth/bootstrap_roles.h"

#include "base/strings.h"

namespace berth::apiserver {
namespace {

struct Row {
  std::string_view name;
  std::string_view aggregate_to;  // the role it is a part of; empty: none
  // A line per rule: verbs|groups|resources|names, or verbs|URLs; "" is the core group.
  std::string_view rules;
};

constexpr Row kRows[] = {
    {"cluster-admin", "",
     "*|*|*\n"
     "*|*\n"},
    {"system:basic-user", "",
     "create|authorization.k8s.io|selfsubjectaccessreviews,selfsubjectrulesreviews\n"
     "create|authentication.k8s.io|selfsubjectreviews\n"},
    {"system:discovery", "",
     "get|/api,/api/*,/apis,/apis/*,/healthz,/livez,/openapi,/openapi/*,/readyz,"
     "/version,/version/\n"},
    {"system:public-info-viewer", "", "get|/healthz,/livez,/readyz,/version,/version/\n"},
    {"system:monitoring", "",
     "get|/flagz,/healthz,/healthz/*,/livez,/livez/*,/metrics,/metrics/slis,/readyz,"
     "/readyz/*,/statusz\n"
     "get|\"\"|nodes/metrics\n"},
    {"system:kube-scheduler", "",
     "create,patch,update|\"\",events.k8s.io|events\n"
     "create|coordination.k8s.io|leases\n"
     "get,list,update,watch|coordination.k8s.io|leases|kube-scheduler\n"
     "create,delete,deletecollection,get,list,patch,update,"
     "watch|coordination.k8s.io|leasecandidates\n"
     "get,list,watch|\"\"|nodes\n"
     "delete,get,list,watch|\"\"|pods\n"
     "create|\"\"|bindings,pods/binding\n"
     "patch,update|\"\"|pods/status\n"
     "get,list,watch|\"\"|replicationcontrollers,services\n"
     "get,list,watch|apps,extensions|replicasets\n"
     "get,list,watch|apps|statefulsets\n"
     "get,list,watch|policy|poddisruptionbudgets\n"
     "get,list,watch|\"\"|persistentvolumeclaims,persistentvolumes\n"
     "create|authentication.k8s.io|tokenreviews\n"
     "create|authorization.k8s.io|subjectaccessreviews\n"
     "get,list,watch|storage.k8s.io|csinodes\n"
     "get,list,watch|storage.k8s.io|volumeattachments\n"
     "get,list,watch|\"\"|namespaces\n"
     "get,list,watch|storage.k8s.io|csidrivers\n"
     "get,list,watch|storage.k8s.io|csistoragecapacities\n"
     "get,list,watch|resource.k8s.io|deviceclasses\n"
     "get,list,patch,update,watch|resource.k8s.io|resourceclaims\n"
     "get,list,patch,update,watch|resource.k8s.io|resourceclaims/status\n"
     "update|\"\"|pods/finalizers\n"
     "get,list,watch|resource.k8s.io|resourceslices\n"
     "create,delete|resource.k8s.io|resourceclaims\n"
     "patch,update|resource.k8s.io|resourceclaims/binding\n"},
    {"system:volume-scheduler", "",
     "get,list,patch,update,watch|\"\"|persistentvolumes\n"
     "get,list,watch|storage.k8s.io|storageclasses\n"
     "get,list,patch,update,watch|\"\"|persistentvolumeclaims\n"},
    {"system:auth-delegator", "",
     "create|authentication.k8s.io|tokenreviews\n"
     "create|authorization.k8s.io|subjectaccessreviews\n"},
    {"system:service-account-issuer-discovery", "",
     "get|/.well-known/openid-configuration,/.well-known/openid-configuration/,"
     "/openid/v1/jwks,/openid/v1/jwks/\n"},
    {"system:aggregate-to-admin", "admin",
     "create|authorization.k8s.io|localsubjectaccessreviews\n"
     "create,delete,deletecollection,get,list,patch,update,"
     "watch|rbac.authorization.k8s.io|rolebindings,roles\n"},
    {"system:aggregate-to-edit", "edit",
     "get,list,watch|\"\"|pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,"
     "services/proxy\n"
     "impersonate|\"\"|serviceaccounts\n"
     "create,delete,deletecollection,patch,update|\"\"|pods,pods/attach,pods/exec,"
     "pods/portforward,pods/proxy\n"
     "create|\"\"|pods/eviction\n"
     "create,delete,deletecollection,patch,update|\"\"|configmaps,"
     "persistentvolumeclaims,replicationcontrollers,replicationcontrollers/scale,"
     "secrets,serviceaccounts,services,services/proxy\n"
     "create|\"\"|serviceaccounts/token\n"
     "create,delete,deletecollection,patch,update|\"\",events.k8s.io|events\n"
     "create,delete,deletecollection,patch,update|apps|daemonsets,deployments,"
     "deployments/rollback,deployments/scale,replicasets,replicasets/scale,"
     "statefulsets,statefulsets/scale\n"
     "create,delete,deletecollection,patch,"
     "update|autoscaling|horizontalpodautoscalers\n"
     "create,delete,deletecollection,patch,update|batch|cronjobs,jobs\n"
     "create,delete,deletecollection,patch,update|policy|poddisruptionbudgets\n"
     "create,delete,deletecollection,patch,update|networking.k8s.io|ingresses,"
     "networkpolicies\n"
     "create,delete,deletecollection,get,list,patch,update,"
     "watch|coordination.k8s.io|leases\n"
     "create,delete,deletecollection,patch,update|resource.k8s.io|resourceclaims,"
     "resourceclaimtemplates\n"},
    {"system:aggregate-to-view", "view",
     "get,list,watch|\"\"|configmaps,endpoints,persistentvolumeclaims,"
     "persistentvolumeclaims/status,pods,replicationcontrollers,"
     "replicationcontrollers/scale,serviceaccounts,services,services/status\n"
     "get,list,watch|\"\"|bindings,limitranges,namespaces/status,pods/log,pods/status,"
     "replicationcontrollers/status,resourcequotas,resourcequotas/status\n"
     "get,list,watch|\"\"|namespaces\n"
     "get,list,watch|\"\",events.k8s.io|events\n"
     "get,list,watch|discovery.k8s.io|endpointslices\n"
     "get,list,watch|apps|controllerrevisions,daemonsets,daemonsets/status,"
     "deployments,deployments/scale,deployments/status,replicasets,replicasets/scale,"
     "replicasets/status,statefulsets,statefulsets/scale,statefulsets/status\n"
     "get,list,watch|autoscaling|horizontalpodautoscalers,"
     "horizontalpodautoscalers/status\n"
     "get,list,watch|batch|cronjobs,cronjobs/status,jobs,jobs/status\n"
     "get,list,watch|policy|poddisruptionbudgets,poddisruptionbudgets/status\n"
     "get,list,watch|networking.k8s.io|ingresses,ingresses/status,networkpolicies\n"
     "get,list,watch|resource.k8s.io|resourceclaims,resourceclaims/status,"
     "resourceclaimtemplates\n"},
};

std::vector<std::string> ListOf(std::string_view text) {
  std::vector<std::string> list;
  for (const std::string_view entry : Split(text, ','))
    list.emplace_back(entry == "\"\"" ? "" : entry);
  return list;
}

PolicyRule RuleOf(std::string_view line) {
  const auto parts = Split(line, '|');
  PolicyRule rule{ListOf(parts[0]), {}, {}, {}, {}};
  if (parts.size() == 2) {
    rule.urls = ListOf(parts[1]);
    return rule;
  }
  rule.groups = ListOf(parts[1]);
  rule.resources = ListOf(parts[2]);
  if (parts.size() > 3) rule.names = ListOf(parts[3]);
  return rule;
}

}  // namespace

std::vector<BootstrapRole> BootstrapRoles() {
  std::vector<BootstrapRole> roles;
  for (const Row& row : kRows) {
    BootstrapRole role{std::string(row.name), std::string(row.aggregate_to), {}};
    for (const std::string_view line : Split(row.rules, '\n')) {
      if (!line.empty()) role.rules.push_back(RuleOf(line));
    }
    roles.push_back(std::move(role));
  }
  return roles;
}

const std::vector<BootstrapBinding>& BootstrapBindings() {
  static const std::vector<BootstrapBinding> kBindings = {
      {"cluster-admin", "cluster-admin", {{"Group", "system:masters"}}},
      {"system:basic-user", "system:basic-user", {{"Group", "system:authenticated"}}},
      {"system:discovery", "system:discovery", {{"Group", "system:authenticated"}}},
      {"system:kube-scheduler", "system:kube-scheduler", {{"User", "system:kube-scheduler"}}},
      {"system:monitoring", "system:monitoring", {{"Group", "system:monitoring"}}},
      {"system:public-info-viewer",
       "system:public-info-viewer",
       {{"Group", "system:authenticated"}, {"Group", "system:unauthenticated"}}},
      {"system:service-account-issuer-discovery",
       "system:service-account-issuer-discovery",
       {{"Group", "system:serviceaccounts"}}},
      {"system:volume-scheduler", "system:volume-scheduler", {{"User", "system:kube-scheduler"}}},
  };
  return kBindings;
}

}  // namespace berth::apiserver
