// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/apps.h"
#include "api/coordination.h"
#include "api/core.h"
#include "api/kubernetes_version.h"
#include "base/error.h"
#include "controllers/any_object.h"
#include "controllers/api_server_ports.h"
#include "controllers/called_services.h"
#include "controllers/name_ownership.h"
#include "controllers/scheduler_pod.h"
#include "crds/scheduler_profile.h"

namespace berth::controllers {

// ReconcileError is the reason why an object could not be brought to its desired state.
struct ReconcileError {
  enum class Kind {
    kFailed,              // the API server rejected the write or was unreachable; see `error`
    kNotOwned,            // an object of that name has another owner
    kBeingCollected,      // it belongs to a deleted profile of the same name and is being
                          // garbage-collected
    kContested,           // another field manager changes a field of ours again and again
    kWaitingForTurn,      // too many schedulers are being replaced
    kChangedByAdmission,  // admission accepts the object but changes it
  };
  Kind kind = Kind::kFailed;
  ObjectKey key;
  std::string verb;  // "create", "apply", "delete"
  Error error{Reason::kUnknown, ""};
  // When to requeue; only for errors that wait.
  std::optional<std::chrono::nanoseconds> requeue_after = std::nullopt;
};

// Observed is the snapshot of cluster state that planning reads.
struct Observed {
  // The objects with the profile's label, whatever their owner, with only the fields that our
  // structs know.
  std::map<ObjectKey, AnyObject> objects;
  std::shared_ptr<const api::Deployment> deployment;
  std::shared_ptr<const api::ConfigMap> config_map;  // followed by the scheduler; not a version
  std::shared_ptr<const api::Lease> lease;
  // The time since the Lease last changed, by the local clock; nullopt if there is no Lease.
  std::optional<std::chrono::nanoseconds> lease_unchanged;

  std::vector<std::shared_ptr<const SchedulerPod>> pods;  // of the Deployment

  // False if the namespace may not be read, so that its objects are unknown.
  bool sees_namespace = true;
  bool namespace_exists = true;

  Ports api_server_ports;                                    // detected ports; empty: not known
  std::optional<api::KubernetesVersion> api_server_version;  // of the oldest; nullopt: not known

  CalledServices services;  // of the profile; the watches do not have them

  Profiles profiles;  // all in the cluster
  NameTable names;    // the NameRegistry at the start of the plan

  // Adds an object of the profile, or a newer state of one. Does not change `lease`: scheduler
  // reports are only read from the watch.
  void Take(const AnyObject& object);

  // Returns the profile's ConfigMaps: the followed one and the versions.
  std::vector<std::shared_ptr<const api::ConfigMap>> OwnConfigMaps(
      const crds::SchedulerProfile& profile) const;
};

}  // namespace berth::controllers
