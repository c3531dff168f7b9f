// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta.h"
#include "base/error.h"
#include "controllers/leftovers.h"
#include "controllers/mutators.h"
#include "controllers/object_key.h"
#include "controllers/observed.h"
#include "controllers/plan.h"

namespace berth::controllers {

// WritePort is the write access of a reconcile; an interface, so that tests can fake the API
// server. Calls block. They return the object as stored by the API server.
class WritePort {
 public:
  virtual ~WritePort() = default;

  virtual Result<AnyObject> Get(const ObjectKey& key) = 0;

  // Reads from the API server whether the profile with this uid exists and is not being deleted.
  virtual Result<bool> IsLive(const api::ObjectMeta& profile) = 0;

  // Creates an object. Fails with kAlreadyExists if one of that name exists, whatever its owner.
  // The fields count as applied, even if the response is lost, so that a later Apply without a
  // field removes it.
  virtual Result<AnyObject> Create(const RenderedObject& object) = 0;

  // Applies the object with that uid by server-side apply with force.
  virtual Result<AnyObject> Apply(const RenderedObject& object, const std::string& uid) = 0;

  // Sends a JSON Merge Patch that removes fields of other field managers (RemovalPatch). Fails with
  // kConflict if the object is no longer at the version in the patch.
  virtual Result<AnyObject> RemoveFields(const ObjectKey& key, const std::string& merge_patch) = 0;

  // Deletes the object with that uid. It is no error if the object is gone.
  virtual Result<void> Delete(const ObjectKey& key, const std::string& uid) = 0;

  // Returns the field manager besides ours that last set a field of the object; "" if no manager
  // owns it. See field_managers.h.
  virtual Result<std::string> RivalOf(const ObjectKey& key, const std::string& path) = 0;

  // Reads the mutating webhooks and policies of the cluster; without those that the API server does
  // not serve or does not let the operator list.
  virtual Result<Mutators> RegisteredMutators() = 0;

  // Sends a JSON Merge Patch of the profile's status. Fails with kConflict if the profile is no
  // longer at the resource version in `profile`.
  virtual Result<void> PatchStatus(const api::ObjectMeta& profile,
                                   std::string_view merge_patch) = 0;

  virtual void Record(const api::ObjectReference& regarding, const PlannedEvent& event) = 0;

  // Returns the pods of this scheduler that have no node.
  virtual Result<std::vector<api::ObjectReference>> PendingPods(
      const std::string& scheduler_name) = 0;
};

// ObservePort is the read access of a reconcile: the caches of the watches, without requests.
class ObservePort {
 public:
  virtual ~ObservePort() = default;

  virtual std::shared_ptr<const crds::SchedulerProfile> Profile(const std::string& name) = 0;

  virtual Profiles AllProfiles() = 0;

  // Returns the current snapshot without `names`; nullopt until the objects of the profile's
  // namespace have been listed, and if the profile is gone.
  virtual std::optional<Observed> Observe(const crds::SchedulerProfile& profile) = 0;

  // Returns the schedulers that deleted profiles left in the cluster; nullopt until profiles and
  // ClusterRoleBindings have been listed. Deployments count in the watched namespaces.
  virtual std::optional<Leftovers> DeletedProfiles() = 0;
};

}  // namespace berth::controllers
