// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/coordination.h"
#include "client/event_recorder.h"
#include "controllers/client_port.h"
#include "controllers/port.h"
#include "tests/controllers/status_oracle.h"
#include "tests/support/apiserver/in_memory_server.h"

namespace berth::controllers {

// ClusterOnServer is the cluster of one reconciler: an in-memory API server. Writes go through the
// operator's own ClientPort, and each read goes to the server, so the stores show every write at
// once. Every status that is written is judged (status_oracle.h). For one thread.
class ClusterOnServer final : public ObservePort, public WritePort {
 public:
  struct RecordedEvent {
    api::ObjectReference regarding;
    PlannedEvent event;
  };

  ClusterOnServer();

  // ---- changes of the cluster by a test
  // Creates a profile, or updates the spec of the existing one.
  void PutProfile(crds::SchedulerProfile profile);
  void DeleteProfile(const std::string& name);
  // Makes the stores show this version of the profile until the next change.
  void ShowProfile(const crds::SchedulerProfile& profile);
  void PutForeign(const ObjectKey& key, api::ObjectMeta metadata);
  // Changes a live object as another client.
  void Edit(const ObjectKey& key, const std::string& merge_patch,
            const std::string& manager = "other");
  // Sets the number of updated pods in the Deployment's status.
  void ReportRollout(const ObjectKey& deployment, int32_t updated = 1);
  // Sets an annotation of a profile, or removes it if `value` is empty.
  void Annotate(const std::string& profile, std::string_view annotation, std::string_view value);
  void Remove(const ObjectKey& key);
  void SetLease(api::Lease lease) { lease_ = std::make_shared<const api::Lease>(std::move(lease)); }
  // Injects request faults into the server, see sandbox/apiserver/rest/README.md.
  void Inject(std::string_view rule) { memory_.Inject(rule); }
  void AddPendingPod(const std::string& name, const std::string& scheduler);
  // Fake the kubelet: mark all pods of Deployments ready, or one of them unready.
  void MarkPodsReady();
  void MarkPodUnready();

  client::Client& client() { return client_; }
  const Clock& clock() const { return memory_.clock(); }

  // ---- state for the test's expectations
  std::optional<AnyObject> Find(const ObjectKey& key);
  size_t size();
  const std::set<ObjectKey>& keys() const { return keys_; }  // of all objects created so far
  const crds::SchedulerProfile& ProfileNow(const std::string& name) { return *profiles_.at(name); }

  std::vector<std::string> writes;  // "create ConfigMap berth-system/berth-a"
  std::vector<RecordedEvent> events;
  // Called before each call; a returned error is the result. The verb is "get", "create", "patch",
  // …
  std::function<std::optional<Error>(const std::string& verb, const ObjectKey& key)> fault;
  // Called with each object that is written; the returned object is sent, as after a mutating
  // webhook.
  std::function<AnyObject(AnyObject)> admission;
  Mutators mutators;              // registered webhooks and policies
  int observations = 0;           // number of calls of Observe
  bool stores_are_stale = false;  // the stores show no written object
  std::chrono::nanoseconds lease_unchanged{0};

  // ---- ports
  std::shared_ptr<const crds::SchedulerProfile> Profile(const std::string& name) override;
  Profiles AllProfiles() override;
  std::optional<Observed> Observe(const crds::SchedulerProfile& profile) override;
  std::optional<Leftovers> DeletedProfiles() override;
  Result<AnyObject> Get(const ObjectKey& key) override;
  Result<bool> IsLive(const api::ObjectMeta& profile) override { return port_.IsLive(profile); }
  Result<AnyObject> Create(const RenderedObject& object) override;
  Result<AnyObject> Apply(const RenderedObject& object, const std::string& uid) override;
  Result<AnyObject> RemoveFields(const ObjectKey& key, const std::string& merge_patch) override;
  Result<void> Delete(const ObjectKey& key, const std::string& uid) override;
  Result<std::string> RivalOf(const ObjectKey& key, const std::string& path) override {
    return port_.RivalOf(key, path);
  }
  Result<Mutators> RegisteredMutators() override { return mutators; }
  Result<void> PatchStatus(const api::ObjectMeta& profile, std::string_view merge_patch) override;
  void Record(const api::ObjectReference& regarding, const PlannedEvent& event) override;
  Result<std::vector<api::ObjectReference>> PendingPods(const std::string& scheduler) override {
    return port_.PendingPods(scheduler);
  }

 private:
  RenderedObject Admitted(RenderedObject object) const;
  Result<void> Ask(const std::string& verb, const ObjectKey& key);
  void CreateObject(const api::ResourceInfo& resource, const std::string& ns,
                    const std::string& json);
  void RefreshProfile(const std::string& name);
  std::vector<std::shared_ptr<const SchedulerPod>> SchedulerPods();
  void SetReady(const SchedulerPod& pod, bool ready);
  void Judge(const std::string& profile);

  apiserver::InMemoryServer memory_;
  client::Client& client_ = memory_.client();
  client::EventRecorder recorder_{client::SendWith(client_), {}, memory_.clock()};  // not used
  ClientPort port_{client_, recorder_, [] { return true; }};
  std::map<std::string, std::shared_ptr<const crds::SchedulerProfile>> profiles_;  // as seen
  std::set<ObjectKey> keys_;
  std::shared_ptr<const api::Lease> lease_;
  std::map<std::string, Evidence> evidence_;  // by profile
};

}  // namespace berth::controllers
