// SPDX-License-Identifier: Apache-2.0
#include "controllers/observed.h"

namespace berth::controllers {

void Observed::Take(const AnyObject& object) {
  objects[object.key()] = object;
  if (auto taken = object.As<api::Deployment>()) deployment = std::move(taken);
  if (auto taken = object.As<api::ConfigMap>(); taken && !taken->immutable.value_or(false)) {
    config_map = std::move(taken);
  }
}

std::vector<std::shared_ptr<const api::ConfigMap>> Observed::OwnConfigMaps(
    const crds::SchedulerProfile& profile) const {
  std::vector<std::shared_ptr<const api::ConfigMap>> config_maps;
  for (const auto& [key, object] : objects) {
    const api::OwnerReference* owner = api::ControllerOf(object.metadata());
    if (!owner || owner->uid != profile.metadata.uid) continue;
    if (auto taken = object.As<api::ConfigMap>()) config_maps.push_back(std::move(taken));
  }
  return config_maps;
}

}  // namespace berth::controllers
