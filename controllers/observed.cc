// SPDX-License-Identifier: Apache-2.0
#include "controllers/observed.h"

namespace berth::controllers {

void Observed::Take(const AnyObject& object) {
  objects[object.key()] = object;
  if (auto taken = object.As<api::Deployment>()) deployment = std::move(taken);
  if (auto taken = object.As<api::ConfigMap>()) config_map = std::move(taken);
}

}  // namespace berth::controllers
