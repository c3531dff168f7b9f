// SPDX-License-Identifier: Apache-2.0
#include "controllers/render.h"

#include "base/json/json.h"
#include "base/names.h"
#include "crds/names.h"

namespace berth::controllers {
namespace {

template <class T>
RenderedObject Finish(T object) {
  std::string hash = HashHex(json::Encode(object));
  object.metadata.annotations[std::string(kRenderedHashAnnotation)] = hash;
  return {.key = {&T::kResource, object.metadata.namespace_, object.metadata.name},
          .json = json::Encode(object),
          .hash = std::move(hash)};
}

}  // namespace

std::string DefaultSchedulerImage() { return "berth:" BERTH_VERSION; }

std::string ObjectName(const crds::SchedulerProfile& profile) {
  return std::string(crds::kObjectPrefix) + profile.metadata.name;
}

std::string BindingName(const crds::SchedulerProfile& profile, std::string_view capability) {
  return std::string(crds::kCapabilityPrefix) + profile.metadata.name + ":" +
         std::string(capability);
}

api::StringMap LabelsOf(const crds::SchedulerProfile& profile) {
  api::StringMap labels = SelectorOf(profile);
  labels["app.kubernetes.io/component"] = "scheduler";
  labels[std::string(kManagedByLabel)] = kFieldManager;
  labels[std::string(crds::kProfileLabel)] = profile.metadata.name;
  return labels;
}

api::StringMap SelectorOf(const crds::SchedulerProfile& profile) {
  return {{"app.kubernetes.io/name", "berth-scheduler"},
          {"app.kubernetes.io/instance", ObjectName(profile)}};
}

api::ObjectMeta MetadataOf(const crds::SchedulerProfile& profile, std::string name,
                           std::string namespace_name) {
  api::ObjectMeta metadata;
  metadata.name = std::move(name);
  metadata.namespace_ = std::move(namespace_name);
  metadata.labels = LabelsOf(profile);
  if (!profile.metadata.uid.empty()) {
    metadata.owner_references.push_back(
        {.api_version = crds::SchedulerProfile::kResource.ApiVersion(),
         .kind = std::string(crds::SchedulerProfile::kResource.kind),
         .name = profile.metadata.name,
         .uid = profile.metadata.uid,
         .controller = true,
         .block_owner_deletion = true});
  }
  return metadata;
}

std::vector<RenderedObject> RenderAll(const RenderInput& input) {
  std::vector<RenderedObject> objects;
  objects.push_back(Finish(RenderServiceAccount(input)));
  objects.push_back(Finish(RenderRole(input)));
  objects.push_back(Finish(RenderRoleBinding(input)));
  for (const std::string& capability : input.capabilities) {
    objects.push_back(Finish(RenderClusterRoleBinding(input, capability)));
  }
  objects.push_back(Finish(RenderConfigMap(input)));
  objects.push_back(Finish(RenderService(input)));
  if (input.profile.spec.network_policy.enabled) {
    objects.push_back(Finish(RenderNetworkPolicy(input)));
  }
  if (input.profile.spec.deployment.replicas > 1) {
    objects.push_back(Finish(RenderPodDisruptionBudget(input)));
  }
  objects.push_back(Finish(RenderDeployment(input)));
  return objects;
}

}  // namespace berth::controllers
