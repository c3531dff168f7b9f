// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/auth/bootstrap_roles.h"

#include "base/strings.h"

namespace berth::apiserver {
namespace {

struct RoleRow {
  std::string_view name;
  // One line per rule: verbs|groups|resources|names, or verbs|URLs; "" is the core group.
  std::string_view rules;
};

constexpr RoleRow kRoleRows[] = {
    {"cluster-admin",
     "*|*|*\n"
     "*|*\n"},
    {"system:basic-user",
     "create|authorization.k8s.io|selfsubjectaccessreviews,selfsubjectrulesreviews\n"
     "create|authentication.k8s.io|selfsubjectreviews\n"},
    {"system:discovery",
     "get|/api,/api/*,/apis,/apis/*,/healthz,/livez,/openapi,/openapi/*,/readyz,"
     "/version,/version/\n"},
    {"system:public-info-viewer", "get|/healthz,/livez,/readyz,/version,/version/\n"},
    {"system:kube-scheduler",
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
     "get,list,watch|resource.k8s.io|devicetaintrules\n"
     "patch,update|resource.k8s.io|resourceclaims/binding\n"},
    {"system:volume-scheduler",
     "get,list,patch,update,watch|\"\"|persistentvolumes\n"
     "get,list,watch|storage.k8s.io|storageclasses\n"
     "get,list,patch,update,watch|\"\"|persistentvolumeclaims\n"},
    {"system:auth-delegator",
     "create|authentication.k8s.io|tokenreviews\n"
     "create|authorization.k8s.io|subjectaccessreviews\n"},
};

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> list;
  for (const std::string_view entry : Split(text, ','))
    list.emplace_back(entry == "\"\"" ? "" : entry);
  return list;
}

PolicyRule RuleOf(std::string_view line) {
  const auto parts = Split(line, '|');
  PolicyRule rule{WordsOf(parts[0]), {}, {}, {}, {}};
  if (parts.size() == 2) {
    rule.urls = WordsOf(parts[1]);
    return rule;
  }
  rule.groups = WordsOf(parts[1]);
  rule.resources = WordsOf(parts[2]);
  if (parts.size() > 3) rule.names = WordsOf(parts[3]);
  return rule;
}

}  // namespace

std::vector<BootstrapRole> BootstrapRoles() {
  std::vector<BootstrapRole> roles;
  for (const RoleRow& row : kRoleRows) {
    BootstrapRole role{std::string(row.name), {}};
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
      {"system:public-info-viewer",
       "system:public-info-viewer",
       {{"Group", "system:authenticated"}, {"Group", "system:unauthenticated"}}},
      {"system:volume-scheduler", "system:volume-scheduler", {{"User", "system:kube-scheduler"}}},
  };
  return kBindings;
}

}  // namespace berth::apiserver
