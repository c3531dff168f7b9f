// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/core.h"
#include "base/clock.h"
#include "base/mailbox.h"
#include "client/client.h"
#include "client/informer.h"
#include "controllers/api_server_ports.h"
#include "controllers/api_server_version.h"
#include "controllers/kind_watch.h"
#include "controllers/port.h"

namespace berth::controllers {

using KindWatches = std::vector<std::unique_ptr<KindWatch>>;

// NamespaceView watches the rendered kinds and the scheduler pods of one namespace.
class NamespaceView;

// Retirement stops the watches of namespaces that no profile names any more. It uses its own
// thread, since stopping a watch blocks. Thread safe.
class Retirement {
 public:
  ~Retirement() { Stop(); }

  void Start();
  void Take(std::shared_ptr<NamespaceView> view) { views_.Post(std::move(view)); }
  void Stop();  // waits until all views taken so far are stopped

 private:
  Mailbox<std::shared_ptr<NamespaceView>> views_;
  std::jthread thread_;
};

// ClusterView is the ObservePort of the real API server. It has informers of the profiles, of the
// cluster-scoped rendered kinds and of the namespaces, follows the API server's ports and version,
// and watches the namespaced kinds in each namespace that a profile names. The watches of a
// namespace start when it exists and a profile names it. They end with the last such profile or
// with the namespace. Thread safe.
//
//   on_change(profile)       reconcile this profile
//   on_object(key, version)  the object changed; deleted if version is empty; before on_change
//   on_deleted(profile)      the profile was deleted; its last state
class ClusterView final : public ObservePort {
 public:
  struct Listener {
    std::function<void(const std::string& profile)> on_change;
    std::function<void(const ObjectKey& key, const std::string& version)> on_object;
    std::function<void(std::shared_ptr<const crds::SchedulerProfile> profile)> on_deleted;
  };

  // `own_namespace` is the namespace of the installation. It is always watched, and is the default
  // of spec.namespace. The listener is called on the informers' threads. Requires: client and clock
  // outlive this.
  ClusterView(client::Client& client, const Clock& clock, std::string own_namespace,
              Listener listener);
  ~ClusterView() override;

  void Start();
  void Stop();

  // Returns the watches that have not synced yet or are failing; empty: ready.
  std::vector<std::string> Errors() const;

  std::shared_ptr<const crds::SchedulerProfile> Profile(const std::string& name) override;
  Profiles AllProfiles() override;
  std::optional<Observed> Observe(const crds::SchedulerProfile& profile) override;
  std::optional<Leftovers> DeletedProfiles() override;

 private:
  // Returns the metadata and names of an unreadable profile; nullptr if they cannot be read either.
  std::shared_ptr<const crds::SchedulerProfile> OutlineOf(
      const client::UnreadableObject& object) const;
  void OnProfile(const api::Change<crds::SchedulerProfile>& change);
  void OnNamespace(const api::Change<api::Namespace>& change);
  void OnApiServer();
  bool KnowsCluster() const;
  KindWatch::Listener ObjectListener();
  bool Exists(const std::string& ns);
  // Reports whether the namespace is the operator's own, or exists and is named by a profile.
  bool IsNamed(const std::string& ns);
  // Returns the view of a namespace, and starts it if needed; nullptr if the namespace is not to be
  // watched.
  std::shared_ptr<NamespaceView> ViewOf(const std::string& ns);
  // Stops the view of a namespace that is no longer to be watched.
  void RetireUnnamed(const std::string& ns);

  client::Client& client_;
  const Clock& clock_;
  const std::string own_namespace_;
  const Listener listener_;
  client::Informer<crds::SchedulerProfile> profiles_;
  client::Informer<api::Namespace> namespaces_;
  ApiServerPorts ports_;
  ApiServerVersion version_;
  const KindWatches cluster_kinds_;
  Retirement retirement_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<NamespaceView>> views_;  // guarded by mutex_
  bool stopped_ = false;                                         // guarded by mutex_
};

}  // namespace berth::controllers
