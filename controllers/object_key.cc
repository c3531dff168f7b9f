// SPDX-License-Identifier: Apache-2.0
#include "controllers/object_key.h"

#include <array>
#include <tuple>

#include "api/apps.h"
#include "api/core.h"
#include "api/networking.h"
#include "api/policy.h"
#include "api/rbac.h"

namespace berth::controllers {

std::string ObjectKey::ToString() const {
  std::string text(resource->kind);
  text += ' ';
  if (!namespace_.empty()) text += namespace_ + "/";
  return text + name;
}

bool ObjectKey::operator==(const ObjectKey& other) const {
  return resource->kind == other.resource->kind && namespace_ == other.namespace_ &&
         name == other.name;
}

bool ObjectKey::operator<(const ObjectKey& other) const {
  return std::tie(resource->kind, namespace_, name) <
         std::tie(other.resource->kind, other.namespace_, other.name);
}

std::span<const api::ResourceInfo* const> RenderedKinds() {
  static constexpr std::array<const api::ResourceInfo*, 9> kKinds = {
      &api::ServiceAccount::kResource, &api::Role::kResource,
      &api::RoleBinding::kResource,    &api::ClusterRoleBinding::kResource,
      &api::ConfigMap::kResource,      &api::Service::kResource,
      &api::NetworkPolicy::kResource,  &api::PodDisruptionBudget::kResource,
      &api::Deployment::kResource,
  };
  return kKinds;
}

}  // namespace berth::controllers
