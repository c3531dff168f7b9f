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

// GarbageCollector deletes objects when all their owners are gone, and executes foreground and
// orphan deletion of owners. It watches every resource that can be listed, watched and deleted. It
// repeats discovery after a change of a CustomResourceDefinition, and every ten seconds, because a
// server may serve a new resource with a delay.
class GarbageCollector {
 public:
  // Requires: client and clock outlive this.
  GarbageCollector(client::Client& client, const Clock& clock);
  ~GarbageCollector();

  void Start();
  void Stop();

 private:
  class ResourceWatch;

  Result<RequeueAfter> Discover();
  Result<RequeueAfter> Collect(const std::string& uid);
  Result<void> Carry(const OwnedObject& object, const CollectorStep& step);
  Result<void> DropReference(const OwnedObject& dependent, const std::string& owner);
  Result<void> RemoveFinalizer(const OwnedObject& object, const std::string& finalizer);
  // Queries the API server for dependents of an object that are missing in `seen`, the input of the
  // decision: each resource has its own watch, and one may lag behind another.
  Result<bool> HasUnseenDependents(const OwnedObject& owner, const Ownership& seen);
  bool IsGone(const OwnedObject& dependent, const api::OwnerReference& owner);
  void Observe(OwnedObject object);
  void ObserveDeletion(const std::string& uid);
  // Repeats discovery if the object is a definition.
  void RecordDefinition(const OwnedObject& object);
  // Requeues the owners that are being deleted. Requires: mutex_ is held.
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
