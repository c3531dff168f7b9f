// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/apps.h"
#include "api/coordination.h"
#include "controllers/client_port.h"
#include "controllers/port.h"

namespace berth::controllers {

// FakeCluster plays the API server for one reconciler: it stores objects, gives them uids and
// versions, and answers as the real one does as far as a reconcile can tell. For one thread.
class FakeCluster final : public ObservePort, public WritePort {
 public:
  struct RecordedEvent {
    api::ObjectReference regarding;
    PlannedEvent event;
  };

  // ---- what a test does to the cluster
  void PutProfile(crds::SchedulerProfile profile);
  void DeleteProfile(const std::string& name) { profiles_.erase(name); }
  void PutForeign(const ObjectKey& key, api::ObjectMeta metadata);
  // Edit changes a live object as some other client would.
  void Edit(const ObjectKey& key, const std::string& merge_patch);
  void Remove(const ObjectKey& key) { objects_.erase(key); }
  void SetLease(api::Lease lease) { lease_ = std::make_shared<const api::Lease>(std::move(lease)); }
  void SetDeploymentStatus(const std::string& profile, api::DeploymentStatus status);

  // ---- what a test sees
  const LiveObject* Find(const ObjectKey& key) const;
  size_t size() const { return objects_.size(); }
  const crds::SchedulerProfile& ProfileNow(const std::string& name) { return *profiles_.at(name); }

  std::vector<std::string> writes;  // "create ConfigMap berth-system/berth-a"
  std::vector<RecordedEvent> events;
  std::vector<api::ObjectReference> pending_pods;
  // Called before each call; an error is its answer. The verb is "get", "create", "patch", …
  std::function<std::optional<Error>(const std::string& verb, const ObjectKey& key)> fault;
  bool stores_are_stale = false;  // the stores show nothing of what was written
  std::chrono::nanoseconds lease_unchanged{0};

  // ---- ports
  std::shared_ptr<const crds::SchedulerProfile> Profile(const std::string& name) override;
  std::optional<Observed> Observe(const crds::SchedulerProfile& profile) override;
  Result<LiveObject> Get(const ObjectKey& key) override;
  Result<LiveObject> Create(const RenderedObject& object) override;
  Result<LiveObject> Apply(const RenderedObject& object, const std::string& uid) override;
  Result<void> Delete(const ObjectKey& key, const std::string& uid) override;
  Result<void> PatchStatus(const api::ObjectMeta& profile, std::string_view merge_patch) override;
  void Record(const api::ObjectReference& regarding, const PlannedEvent& event) override;
  Result<std::vector<api::ObjectReference>> PendingPods(const std::string&) override {
    return pending_pods;
  }

 private:
  Result<void> Ask(const std::string& verb, const ObjectKey& key);
  LiveObject Store(const ObjectKey& key, std::string json, const std::string& uid);

  std::map<std::string, std::shared_ptr<const crds::SchedulerProfile>> profiles_;
  std::map<ObjectKey, LiveObject> objects_;
  std::shared_ptr<const api::Lease> lease_;
  int last_version_ = 0;
};

}  // namespace berth::controllers
