// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/apiserver/auth/policy_rule.h"
#include "sandbox/apiserver/auth/user.h"
#include "sandbox/apiserver/kinds/status_error.h"
#include "sandbox/apiserver/store/store.h"

namespace berth::apiserver {

// Attributes describe a request for authorization.
struct Attributes {
  std::string verb;
  bool is_resource = true;
  std::string namespace_, group, resource, subresource, name;
  std::string path;  // of a non-resource request

  std::string FullResource() const {
    return subresource.empty() ? resource : resource + "/" + subresource;
  }
};

struct Decision {
  bool allowed = false;
  std::string reason;  // for a rejection: the missing roles, or empty
};

// Authorizer decides by RBAC with the roles and bindings of the store, which it reloads after a
// change. Members of system:masters may do everything. Source: kubernetes
// plugin/pkg/auth/authorizer/rbac.
//
// Thread: the store's.
class Authorizer {
 public:
  explicit Authorizer(Store& store) : store_(store) {}

  Decision Authorize(const UserInfo& user, const Attributes& attributes);

  // Returns all rules of a user in a namespace; "" returns the cluster-wide ones.
  std::vector<PolicyRule> RulesFor(const UserInfo& user, std::string_view name_space);

  // Returns the rules of a role, or null if there is no such role.
  const std::vector<PolicyRule>* RulesOf(std::string_view kind, std::string_view name_space,
                                         std::string_view name);

  // Makes the next call reload roles and bindings.
  void Forget() { fresh_ = false; }

 private:
  struct Subject {
    std::string kind, name, namespace_;
  };
  struct Binding {
    std::string namespace_, name, role_kind, role_name;
    std::vector<Subject> subjects;
  };

  void Refresh();
  static const Subject* SubjectOf(const Binding& binding, const UserInfo& user);
  static std::string AllowedBy(const Binding& binding, const Subject& subject);
  // Visits the (rules, binding) pairs of the user; stops when `visit` returns false.
  template <class Visit>
  void ForEach(const UserInfo& user, std::string_view name_space, std::string& missing,
               Visit visit);

  Store& store_;
  bool fresh_ = false;
  std::map<std::string, std::vector<PolicyRule>, std::less<>> roles_;  // "namespace/name", "/name"
  std::vector<Binding> cluster_bindings_;
  std::map<std::string, std::vector<Binding>, std::less<>> bindings_;  // by namespace
};

// Returns the message for a rejected user: User "a" cannot list resource "pods" in API group "" in
// the namespace "b".
std::string ForbiddenMessage(const UserInfo& user, const Attributes& attributes,
                             std::string_view reason);

// Returns the complete Forbidden status.
StatusError ForbiddenError(const UserInfo& user, const Attributes& attributes,
                           std::string_view reason);

}  // namespace berth::apiserver
