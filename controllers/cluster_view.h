// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "client/client.h"
#include "client/informer.h"
#include "controllers/kind_watch.h"
#include "controllers/port.h"

namespace berth::controllers {

using KindWatches = std::vector<std::unique_ptr<KindWatch>>;

// NamespaceView watches everything rendered into one namespace.
class NamespaceView;

// ClusterView is the ObservePort of the real API server: informers of the profiles, of the
// cluster-scoped rendered kinds, and, in each namespace that a profile names, of the others. The
// watches of a namespace begin when a profile first names it. Thread safe.
//
//   on_change(profile)       something about that profile is new: look at it again
//   on_object(key)           that object changed; comes before on_change
//   on_deleted(profile)      that profile is gone; its last state
class ClusterView final : public ObservePort {
 public:
  struct Listener {
    std::function<void(const std::string& profile)> on_change;
    std::function<void(const ObjectKey& key)> on_object;
    std::function<void(std::shared_ptr<const crds::SchedulerProfile> profile)> on_deleted;
  };

  // Requires: client and clock outlive this. The listener is called on the informers' threads.
  ClusterView(client::Client& client, const Clock& clock, Listener listener);
  ~ClusterView() override;

  void Start();
  void Stop();

  // Problems names the watches that have not delivered yet or fail; empty: all is well.
  std::vector<std::string> Problems() const;

  std::shared_ptr<const crds::SchedulerProfile> Profile(const std::string& name) override;
  Profiles AllProfiles() override;
  std::optional<Observed> Observe(const crds::SchedulerProfile& profile) override;
  bool IsBound(const std::string& profile) override;

 private:
  void OnProfile(const api::Change<crds::SchedulerProfile>& change);
  KindWatch::Listener ObjectListener();
  NamespaceView& ViewOfNamespace(const std::string& ns);

  client::Client& client_;
  const Clock& clock_;
  const Listener listener_;
  client::Informer<crds::SchedulerProfile> profiles_;
  const KindWatches cluster_kinds_;
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<NamespaceView>> namespaces_;  // guarded by mutex_
};

}  // namespace berth::controllers
