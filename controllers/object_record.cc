// SPDX-License-Identifier: Apache-2.0
#include "controllers/object_record.h"

#include <algorithm>

#include "api/rbac.h"
#include "controllers/kind_watch.h"
#include "controllers/render.h"
#include "controllers/rendered_kinds.h"

namespace berth::controllers {
namespace {

bool IsOrphaned(const AnyObject& object, const std::string& profile) {
  return !api::ControllerOf(object.metadata()) && LooksRendered(object.metadata(), profile);
}

// Reports whether an orphaned ClusterRoleBinding gives permissions to the profile's account.
bool HasOrphanedPermissions(const crds::SchedulerProfile& profile, const Observed& observed) {
  const auto is_account = [&profile](const api::Subject& subject) {
    return subject.kind == api::ServiceAccount::kResource.kind &&
           subject.namespace_ == profile.spec.namespace_ && subject.name == ObjectName(profile);
  };
  return std::ranges::any_of(observed.objects, [&](const auto& entry) {
    const auto binding = entry.second.template As<api::ClusterRoleBinding>();
    return binding && IsOrphaned(entry.second, profile.metadata.name) &&
           std::ranges::any_of(binding->subjects, is_account);
  });
}

}  // namespace

ObjectUids RecordedUids(const crds::SchedulerProfile& profile) {
  ObjectUids uids;
  const crds::SchedulerStatus& status = profile.status.scheduler;
  for (const crds::ObjectRecord& record : status.objects) {
    const auto kind =
        std::ranges::find(RenderedKinds(), record.kind,
                          [](const RenderedKind& known) { return known.resource->kind; });
    if (kind == RenderedKinds().end()) continue;
    const std::string ns = kind->resource->namespaced ? status.namespace_ : "";
    uids[{kind->resource, ns, record.name}] = record.uid;
  }
  return uids;
}

std::vector<crds::ObjectRecord> RecordOf(const ObjectUids& uids) {
  std::vector<crds::ObjectRecord> records;
  for (const auto& [key, uid] : uids) {
    records.push_back({.kind = std::string(key.resource->kind), .name = key.name, .uid = uid});
  }
  return records;
}

ObjectUids OrphanedUids(const Plan& plan, const Observed& observed) {
  ObjectUids uids;
  if (!HasOrphanedPermissions(plan.profile, observed)) return uids;
  for (const RenderedObject& wanted : plan.apply) {
    const auto found = observed.objects.find(wanted.key);
    if (found == observed.objects.end()) continue;
    if (IsOrphaned(found->second, plan.profile.metadata.name)) {
      uids[wanted.key] = found->second.metadata().uid;
    }
  }
  return uids;
}

}  // namespace berth::controllers
