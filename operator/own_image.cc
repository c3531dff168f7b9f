// SPDX-License-Identifier: Apache-2.0
#include "operator/own_image.h"

#include <algorithm>
#include <utility>

#include "crds/names.h"

namespace berth::operator_ {

std::optional<OwnPod> FindOwnPod(const client::Environment& environment) {
  OwnPod pod{.ns = environment("POD_NAMESPACE").value_or(""),
             .name = environment("POD_NAME").value_or("")};
  if (pod.ns.empty() || pod.name.empty()) return std::nullopt;
  return pod;
}

Result<controllers::DefaultImage> OwnImageIn(const api::Pod& pod) {
  const std::vector<api::Container>& containers = pod.spec.containers;
  auto own = std::ranges::find(containers, crds::kOperatorContainer, &api::Container::name);
  if (own == containers.end() && containers.size() == 1) own = containers.begin();
  if (own == containers.end()) {
    return ConfigError("Pod " + pod.metadata.namespace_ + "/" + pod.metadata.name + " has " +
                       std::to_string(containers.size()) + " containers, none with the name " +
                       std::string(crds::kOperatorContainer) +
                       ": set the image of schedulers with --scheduler-image");
  }
  return controllers::DefaultImage{.name = own->image,
                                   .pull_secrets = pod.spec.image_pull_secrets,
                                   .secrets_namespace = pod.metadata.namespace_};
}

void SetDefaultImage(controllers::DefaultImage image, controllers::PlanOptions& options) {
  std::vector<std::string>& allowed = options.allowances.images;
  if (!options.default_image.name.empty()) std::erase(allowed, options.default_image.name);
  allowed.insert(allowed.begin(), image.name);
  image.architecture = std::move(options.default_image.architecture);
  options.default_image = std::move(image);
}

}  // namespace berth::operator_
