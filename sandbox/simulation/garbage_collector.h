// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "client/client.h"
#include "client/reflector_loop.h"
#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/discovery.h"
#include "sandbox/simulation/ownership.h"

namespace berth::simulation {

// GarbageCollector deletes objects whose owners are all gone, and carries out the deletion of
// owners in the foreground or with orphans. It watches every resource that can be listed, watched
// and deleted. It asks again what there is when a CustomResourceDefinition comes, changes or goes,
// and every ten seconds, for a server may offer a new resource a moment late.
class GarbageCollector {
 public:
  // Requires: client and clock outlive this.
  GarbageCollector(client::Client& client, const Clock& clock);
  ~GarbageCollector();

  void Start();
  void Stop();

 private:
  class ResourceWatch;

  Result<LookAgain> Discover();
  Result<LookAgain> Collect(const std::string& uid);
  Result<void> Carry(const OwnedObject& object, const CollectorStep& step);
  Result<void> DropReference(const OwnedObject& dependent, const std::string& owner);
  Result<void> RemoveFinalizer(const OwnedObject& object, const std::string& finalizer);
  // HasUnseenDependents asks the API server for dependents of an object that are not in `seen`,
  // from which was decided: each resource has a watch of its own, and one may lag behind another.
  Result<bool> HasUnseenDependents(const OwnedObject& owner, const Ownership& seen);
  bool IsGone(const OwnedObject& dependent, const api::OwnerReference& owner);
  void Observe(OwnedObject object);
  void ObserveDeletion(const std::string& uid);
  // RecordDefinition has resources discovered again when the object defines one.
  void RecordDefinition(const OwnedObject& object);
  // AddOwners looks again at the owners that are being deleted. Requires: mutex_ is held.
  void AddOwners(const OwnedObject& object);

  client::Client& client_;
  const Clock& clock_;
  ControlLoop discovery_;
  ControlLoop loop_;

  std::mutex mutex_;  // guards all below
  Ownership ownership_;
  std::map<std::string, ServedResourcePtr> by_kind_;  // "apps/v1 Deployment"
  std::map<std::string, std::unique_ptr<ResourceWatch>> watches_;
};

}  // namespace berth::simulation
