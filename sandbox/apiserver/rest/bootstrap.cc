// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/bootstrap.h"

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "sandbox/apiserver/auth/bootstrap_roles.h"
#include "sandbox/apiserver/rest/writer.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kRolesGroup = "rbac.authorization.k8s.io";

class Filler {
 public:
  explicit Filler(State& state)
      : state_(state),
        user_{.name = "system:apiserver",
              .uid = {},
              .groups = {std::string(kMastersGroup)},
              .extra = {}} {}

  void Create(std::string_view group, std::string_view plural, const std::string& name_space,
              json document) {
    std::vector<std::string> warnings;
    const WriteCall call{state_.kinds.Find(group, "v1", plural),
                         name_space,
                         {},
                         {},
                         &user_,
                         {.dry_run = false,
                          .force = false,
                          .manager = "kube-apiserver",
                          .validation = FieldValidation::kStrict},
                         &warnings};
    const auto created = Writer(state_).Create(call, std::move(document));
    BERTH_CHECK(created.has_value(), "an initial object is invalid: " + created.error().message);
  }

 private:
  State& state_;
  const UserInfo user_;
};

json RoleMetadata(const std::string& name) {
  return {{"name", name},
          {"labels", {{"kubernetes.io/bootstrapping", "rbac-defaults"}}},
          {"annotations", {{"rbac.authorization.kubernetes.io/autoupdate", "true"}}}};
}

void CreateRoles(Filler& filler) {
  for (const BootstrapRole& role : BootstrapRoles()) {
    json document = {{"metadata", RoleMetadata(role.name)}, {"rules", json::array()}};
    for (const PolicyRule& rule : role.rules) document["rules"].push_back(rule.ToJson());
    filler.Create(kRolesGroup, "clusterroles", "", std::move(document));
  }
  for (const BootstrapBinding& binding : BootstrapBindings()) {
    json document = {
        {"metadata", RoleMetadata(binding.name)},
        {"roleRef", {{"apiGroup", kRolesGroup}, {"kind", "ClusterRole"}, {"name", binding.role}}}};
    for (const auto& [kind, name] : binding.subjects) {
      document["subjects"].push_back({{"apiGroup", kRolesGroup}, {"kind", kind}, {"name", name}});
    }
    filler.Create(kRolesGroup, "clusterrolebindings", "", std::move(document));
  }
}

}  // namespace

void Bootstrap(State& state) {
  // All collections exist from the start, so that a watch of an empty one needs no special case.
  for (const KindRegistry::Group& group : state.kinds.groups()) {
    for (const KindRegistry::Version& version : group.versions) {
      for (const KindPtr& kind : version.kinds) {
        if (kind->stored) state.CollectionOf(*kind);
      }
    }
  }
  Filler filler(state);
  for (const char* name : {"default", "kube-system", "kube-public", "kube-node-lease"}) {
    filler.Create("", "namespaces", "", {{"metadata", {{"name", name}}}});
  }
  CreateRoles(filler);
  for (const auto& [name, value] : {std::pair("system-cluster-critical", 2'000'000'000),
                                    std::pair("system-node-critical", 2'000'001'000)}) {
    filler.Create("scheduling.k8s.io", "priorityclasses", "",
                  {{"metadata", {{"name", name}}}, {"value", value}});
  }
  filler.Create(
      "", "services", "default",
      {{"metadata",
        {{"name", "kubernetes"},
         {"labels", {{"component", "apiserver"}, {"provider", "kubernetes"}}}}},
       {"spec",
        {{"clusterIP", "10.0.0.1"},
         {"ports", json::array({{{"name", "https"}, {"port", 443}, {"targetPort", 6443}}})}}}});
}

}  // namespace berth::apiserver
