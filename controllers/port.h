// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/meta.h"
#include "base/error.h"
#include "controllers/object_key.h"
#include "controllers/observed.h"
#include "controllers/plan.h"

namespace berth::controllers {

// WritePort is what a reconcile may do to the cluster; an interface, so that tests play the API
// server. Calls block. What is returned is the object as the server now holds it.
class WritePort {
 public:
  virtual ~WritePort() = default;

  virtual Result<AnyObject> Get(const ObjectKey& key) = 0;

  // Create fails with kAlreadyExists when there is an object of that name, no matter who owns it. The
  // fields of what was created are applied ones, also when the answer is lost, so that a later Apply
  // without one of them removes it.
  virtual Result<AnyObject> Create(const RenderedObject& object) = 0;

  // Apply is server-side apply with force, of the object with that uid and no other.
  virtual Result<AnyObject> Apply(const RenderedObject& object, const std::string& uid) = 0;

  // Delete deletes the object with that uid and no other. An object that is gone is no error.
  virtual Result<void> Delete(const ObjectKey& key, const std::string& uid) = 0;

  // RivalOf names the field manager besides ours that set a field of the object last; "" when none
  // claims it. See field_managers.h.
  virtual Result<std::string> RivalOf(const ObjectKey& key, const std::string& path) = 0;

  // PatchStatus sends a JSON Merge Patch of the profile's status; the server refuses it with
  // kConflict when the profile is not at `resource_version` any more.
  virtual Result<void> PatchStatus(const api::ObjectMeta& profile,
                                   std::string_view merge_patch) = 0;

  virtual void Record(const api::ObjectReference& regarding, const PlannedEvent& event) = 0;

  // PendingPods gives the pods without a node that name this scheduler.
  virtual Result<std::vector<api::ObjectReference>> PendingPods(
      const std::string& scheduler_name) = 0;
};

// ObservePort is what a reconcile may see: the newest state heard of, without asking the server.
class ObservePort {
 public:
  virtual ~ObservePort() = default;

  virtual std::shared_ptr<const crds::SchedulerProfile> Profile(const std::string& name) = 0;

  virtual Profiles AllProfiles() = 0;

  // Observe gives the picture of now, without `names_in_use`; nullopt while the objects of that
  // namespace have not all been heard of, and when the profile is gone.
  virtual std::optional<Observed> Observe(const crds::SchedulerProfile& profile) = 0;

  // IsBound says that a binding to a ClusterRole is left of a profile that may be gone: without one
  // its scheduler cannot place a pod, whether or not it still runs.
  virtual bool IsBound(const std::string& profile) = 0;
};

}  // namespace berth::controllers
