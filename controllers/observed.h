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
#include "controllers/claims.h"
#include "controllers/scheduler_pod.h"
#include "crds/scheduler_profile.h"

namespace berth::controllers {

// Problem is why one object could not be brought into its state.
struct ReconcileError {
  enum class Kind {
    kFailed,              // the API server refused or could not be reached; `error` says why
    kNotOwned,            // an object of that name belongs to somebody else
    kBeingCollected,      // it belongs to a deleted profile of the same name; garbage collection is
                          // at it
    kContested,           // others change a field of ours again and again
    kWaitingForTurn,      // enough schedulers are being replaced
    kChangedByAdmission,  // the API server takes it, but not as we write it
  };
  Kind kind = Kind::kFailed;
  ObjectKey key;
  std::string verb;  // "create", "apply", "delete"
  Error error{Reason::kUnknown, ""};
  // When to look again, of what only waits.
  std::optional<std::chrono::nanoseconds> requeue_after = std::nullopt;
};

// Observed is all that a plan may know of the cluster: a picture taken at one moment.
struct Observed {
  // Those that carry the profile's label, no matter who owns them, reduced to the fields our structs
  // know.
  std::map<ObjectKey, AnyObject> objects;
  std::shared_ptr<const api::Deployment> deployment;
  std::shared_ptr<const api::ConfigMap> config_map;  // that the scheduler follows; not a version
  std::shared_ptr<const api::Lease> lease;
  // How long the Lease has not changed, by our own clock; nullopt while there is none.
  std::optional<std::chrono::nanoseconds> lease_unchanged;

  std::vector<std::shared_ptr<const SchedulerPod>> pods;  // that the Deployment made

  // False: the namespace may not be read, so nothing is known of what runs there.
  bool sees_namespace = true;
  bool namespace_exists = true;

  Ports api_server_ports;  // that the API servers say they listen at; empty: not known
  std::optional<api::KubernetesVersion> api_server_version;  // of the oldest; nullopt: not known

  Profiles profiles;                        // all of the cluster
  NamesInUse names_in_use;                  // of those that were planned
  std::vector<std::string> names_given_up;  // of this one's, what its last plan does without

  // Take puts an object of the profile into the picture, or a newer state of one. The Lease that is
  // looked at stays: what the scheduler reports there is heard from the watch alone.
  void Take(const AnyObject& object);

  // OwnConfigMaps are the profile's: the one that is followed, and the versions.
  std::vector<std::shared_ptr<const api::ConfigMap>> OwnConfigMaps(
      const crds::SchedulerProfile& profile) const;
};

}  // namespace berth::controllers
