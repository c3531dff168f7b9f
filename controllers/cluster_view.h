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

// NamespaceView watches everything rendered into one namespace.
class NamespaceView;

// Retirement ends the watches of namespaces that no profile names any more, on a thread of its own:
// to stop a watch is to wait for it. Thread safe.
class Retirement {
 public:
  ~Retirement() { Stop(); }

  void Start();
  void Take(std::shared_ptr<NamespaceView> view) { views_.Post(std::move(view)); }
  void Stop();  // waits until all are stopped that were taken

 private:
  Mailbox<std::shared_ptr<NamespaceView>> views_;
  std::jthread thread_;
};

// ClusterView is the ObservePort of the real API server: informers of the profiles, of the
// cluster-scoped rendered kinds, of the namespaces, of the API server's ports and version, and, in
// each namespace that a profile names, of the other kinds. The watches of a namespace begin when it exists and a
// profile names it, and end with the last such profile or with the namespace. Thread safe.
//
//   on_change(profile)       something about that profile is new: look at it again
//   on_object(key, version)  that object changed, or is gone: no version; comes before on_change
//   on_deleted(profile)      that profile is gone; its last state
class ClusterView final : public ObservePort {
 public:
  struct Listener {
    std::function<void(const std::string& profile)> on_change;
    std::function<void(const ObjectKey& key, const std::string& version)> on_object;
    std::function<void(std::shared_ptr<const crds::SchedulerProfile> profile)> on_deleted;
  };

  // `own_namespace` is that of the installation: it is always watched, and profiles that name none
  // are there. Requires: client and clock outlive this. The listener is called on the informers'
  // threads.
  ClusterView(client::Client& client, const Clock& clock, std::string own_namespace,
              Listener listener);
  ~ClusterView() override;

  void Start();
  void Stop();

  // Problems names the watches that have not delivered yet or fail; empty: all is well.
  std::vector<std::string> Errors() const;

  std::shared_ptr<const crds::SchedulerProfile> Profile(const std::string& name) override;
  Profiles AllProfiles() override;
  std::optional<Observed> Observe(const crds::SchedulerProfile& profile) override;
  bool IsBound(const std::string& profile) override;

 private:
  // OutlineOf gives null where not even the metadata can be read.
  std::shared_ptr<const crds::SchedulerProfile> OutlineOf(
      const client::UnreadableObject& object) const;
  void OnProfile(const api::Change<crds::SchedulerProfile>& change);
  void OnNamespace(const api::Change<api::Namespace>& change);
  void OnApiServer();
  KindWatch::Listener ObjectListener();
  bool Exists(const std::string& ns);
  // IsNamed says that the namespace is ours, or exists and a profile names it.
  bool IsNamed(const std::string& ns);
  // ViewOf gives the view of a namespace and begins it; nullptr when it is not to be watched.
  std::shared_ptr<NamespaceView> ViewOf(const std::string& ns);
  // RetireUnnamed ends the view of a namespace that is not to be watched any more.
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
