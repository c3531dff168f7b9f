// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/auth/authorizer.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kRoles = "roles.rbac.authorization.k8s.io";
constexpr std::string_view kClusterRoles = "clusterroles.rbac.authorization.k8s.io";
constexpr std::string_view kRoleBindings = "rolebindings.rbac.authorization.k8s.io";
constexpr std::string_view kClusterRoleBindings = "clusterrolebindings.rbac.authorization.k8s.io";
constexpr std::string_view kAccountUserPrefix = "system:serviceaccount:";

// Visits the parsed documents of a collection.
template <class Visit>
void ForEachDocument(Store& store, std::string_view resource, Visit visit) {
  const Collection* collection = store.Find(resource);
  if (collection == nullptr) return;
  const ListResult page = collection->List({});
  if (!page) return;
  for (const ObjectPtr& object : page->items) visit(object->metadata, ReadDocument(object->text));
}

}  // namespace

void Authorizer::Refresh() {
  if (fresh_) return;
  fresh_ = true;
  roles_.clear();
  bindings_.clear();
  cluster_bindings_.clear();
  const auto add_role = [this](const Metadata& metadata, const json& role) {
    roles_[metadata.namespace_ + "/" + metadata.name] = ReadRules(role);
  };
  ForEachDocument(store_, kRoles, add_role);
  ForEachDocument(store_, kClusterRoles, add_role);
  const auto read_binding = [](const Metadata& metadata, const json& document) {
    Binding binding{metadata.namespace_,
                    metadata.name,
                    document.value("/roleRef/kind"_json_pointer, ""),
                    document.value("/roleRef/name"_json_pointer, ""),
                    {}};
    const auto subjects = document.find("subjects");
    if (subjects == document.end() || !subjects->is_array()) return binding;
    for (const json& subject : *subjects) {
      binding.subjects.push_back(
          {subject.value("kind", ""), subject.value("name", ""), subject.value("namespace", "")});
    }
    return binding;
  };
  ForEachDocument(store_, kClusterRoleBindings,
                  [&](const Metadata& metadata, const json& document) {
                    cluster_bindings_.push_back(read_binding(metadata, document));
                  });
  ForEachDocument(store_, kRoleBindings, [&](const Metadata& metadata, const json& document) {
    bindings_[metadata.namespace_].push_back(read_binding(metadata, document));
  });
}

const Authorizer::Subject* Authorizer::SubjectOf(const Binding& binding, const UserInfo& user) {
  const auto found =
      std::find_if(binding.subjects.begin(), binding.subjects.end(), [&](const Subject& subject) {
        if (subject.kind == "User") return subject.name == user.name;
        if (subject.kind == "Group") return user.IsIn(subject.name);
        if (subject.kind != "ServiceAccount") return false;
        const std::string& name_space =
            subject.namespace_.empty() ? binding.namespace_ : subject.namespace_;
        return user.name == std::string(kAccountUserPrefix) + name_space + ":" + subject.name;
      });
  return found == binding.subjects.end() ? nullptr : &*found;
}

const std::vector<PolicyRule>* Authorizer::RulesOf(std::string_view kind,
                                                   std::string_view name_space,
                                                   std::string_view name) {
  Refresh();
  std::string key = kind == "ClusterRole" ? std::string() : std::string(name_space);
  key.append("/").append(name);
  const auto found = roles_.find(key);
  return found == roles_.end() ? nullptr : &found->second;
}

template <class Visit>
void Authorizer::ForEach(const UserInfo& user, std::string_view name_space, std::string& missing,
                         Visit visit) {
  Refresh();
  const auto go = [&](const std::vector<Binding>& bindings) {
    for (const Binding& binding : bindings) {
      if (SubjectOf(binding, user) == nullptr) continue;
      const auto* rules = RulesOf(binding.role_kind, binding.namespace_, binding.role_name);
      if (rules == nullptr) {
        missing += (missing.empty() ? "" : ", ") +
                   std::string(binding.role_kind == "Role" ? "role" : "clusterrole") +
                   ".rbac.authorization.k8s.io " + Quoted(binding.role_name) + " not found";
        continue;
      }
      if (!visit(*rules, binding)) return false;
    }
    return true;
  };
  if (!go(cluster_bindings_) || name_space.empty()) return;
  if (const auto found = bindings_.find(name_space); found != bindings_.end()) go(found->second);
}

// Example: RBAC: allowed by RoleBinding "r/ns" of Role "r" to User "u"
std::string Authorizer::AllowedBy(const Binding& binding, const Subject& subject) {
  const bool cluster = binding.namespace_.empty();
  const std::string name = cluster ? binding.name : binding.name + "/" + binding.namespace_;
  std::string who = subject.name;
  if (subject.kind == "ServiceAccount")
    who += "/" + (subject.namespace_.empty() ? binding.namespace_ : subject.namespace_);
  return std::string("RBAC: allowed by ") + (cluster ? "ClusterRoleBinding " : "RoleBinding ") +
         Quoted(name) + " of " + binding.role_kind + " " + Quoted(binding.role_name) + " to " +
         subject.kind + " " + Quoted(who);
}

Decision Authorizer::Authorize(const UserInfo& user, const Attributes& attributes) {
  if (user.IsIn(kMastersGroup)) return {true, ""};
  Decision decision;
  std::string missing;
  ForEach(user, attributes.is_resource ? attributes.namespace_ : "", missing,
          [&](const std::vector<PolicyRule>& rules, const Binding& binding) {
            decision.allowed = std::any_of(rules.begin(), rules.end(), [&](const PolicyRule& rule) {
              return rule.Allows(attributes);
            });
            if (!decision.allowed) return true;
            decision.reason = AllowedBy(binding, *SubjectOf(binding, user));
            return false;
          });
  if (!decision.allowed && !missing.empty()) decision.reason = "RBAC: " + missing;
  return decision;
}

std::vector<PolicyRule> Authorizer::RulesFor(const UserInfo& user, std::string_view name_space) {
  if (user.IsIn(kMastersGroup)) {
    return {{{"*"}, {"*"}, {"*"}, {}, {}}, {{"*"}, {}, {}, {}, {"*"}}};
  }
  std::vector<PolicyRule> all;
  std::string missing;
  ForEach(user, name_space, missing, [&](const std::vector<PolicyRule>& rules, const Binding&) {
    all.insert(all.end(), rules.begin(), rules.end());
    return true;
  });
  return all;
}

std::string ForbiddenMessage(const UserInfo& user, const Attributes& attributes,
                             std::string_view reason) {
  std::string text = "User " + Quoted(user.name) + " cannot " + attributes.verb;
  if (!attributes.is_resource) {
    text += " path " + Quoted(attributes.path);
  } else {
    text += " resource " + Quoted(attributes.FullResource()) + " in API group " +
            Quoted(attributes.group);
    text += attributes.namespace_.empty() ? " at the cluster scope"
                                          : " in the namespace " + Quoted(attributes.namespace_);
  }
  if (!reason.empty()) text.append(": ").append(reason);
  return text;
}

StatusError ForbiddenError(const UserInfo& user, const Attributes& attributes,
                           std::string_view reason) {
  const std::string message = ForbiddenMessage(user, attributes, reason);
  if (attributes.is_resource)
    return Forbidden({attributes.group, attributes.resource}, attributes.name, message);
  StatusError error = Forbidden({}, "", message);
  error.empty_details = true;
  return error;
}

}  // namespace berth::apiserver
