// SPDX-License-Identifier: Apache-2.0
#include "controllers/render.h"

#include "crds/names.h"

namespace berth::controllers {

std::string DefaultSchedulerImage() { return "berth:" BERTH_VERSION; }

std::string ObjectName(const crds::SchedulerProfile& profile) {
  return std::string(crds::kObjectPrefix) + profile.metadata.name;
}

std::string BindingName(const crds::SchedulerProfile& profile, std::string_view what) {
  return std::string(crds::kCapabilityPrefix) + profile.metadata.name + ":" + std::string(what);
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

}  // namespace berth::controllers
