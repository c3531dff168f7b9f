// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "api/apps.h"
#include "api/coordination.h"
#include "base/clock.h"
#include "client/informer.h"
#include "crds/scheduler_profile.h"

namespace berth::integration {

// StatusWatch records every state of the profiles, their Deployments and their Leases. Judge then
// checks each written status against the server's state at that time
// (tests/controllers/status_oracle.h): resource versions order the writes of the whole server.
class StatusWatch {
 public:
  // Throws if the kubeconfig cannot be used.
  explicit StatusWatch(const std::filesystem::path& kubeconfig);

  // Waits until all current objects were received, and fails the running test for each wrong
  // status.
  void Judge();

 private:
  // History holds the states of one kind, by object and version.
  template <class T>
  class History {
   public:
    History(client::Client& client, const Clock& clock);
    bool HasAllOf(client::Client& client) const;
    // Returns the states of the object with that name up to a version.
    std::vector<std::shared_ptr<const T>> Until(const std::string& name, uint64_t version) const;
    std::vector<std::string> Names() const;

   private:
    mutable std::mutex mutex_;
    std::map<std::string, std::map<uint64_t, std::shared_ptr<const T>>>
        states_;                    // guarded by mutex_
    client::Informer<T> informer_;  // last: its thread uses the other members
  };

  const SystemClock clock_;
  std::unique_ptr<client::Client> client_;
  std::unique_ptr<History<crds::SchedulerProfile>> profiles_;
  std::unique_ptr<History<api::Deployment>> deployments_;
  std::unique_ptr<History<api::Lease>> leases_;
};

}  // namespace berth::integration
