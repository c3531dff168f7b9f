// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "api/coordination.h"
#include "base/clock.h"
#include "client/informer.h"
#include "controllers/kind_watch.h"

namespace berth::controllers {

// LeaseWatch keeps the Leases of a namespace, on which schedulers report, and when each was last
// seen to change: by our own clock, since the times written in a Lease are those of another
// machine. Schedulers renew every few seconds; the listener hears only of what matters: another
// holder, another report, a Lease that changes again after it was silent, and what the operator
// itself wrote. The Leases need not bear the operator's label: a scheduler may have made its own.
class LeaseWatch final : public KindWatch {
 public:
  static std::unique_ptr<KindWatch> Make(client::Client& client, const std::string& ns,
                                         const Clock& clock, Listener listener);

  LeaseWatch(client::Client& client, const std::string& ns, const Clock& clock, Listener listener);

  client::AnyInformer& informer() override { return informer_; }
  std::vector<AnyObject> ObjectsOf(const std::string& profile) const override;
  std::optional<std::chrono::nanoseconds> UnchangedFor(const std::string& name) const override;

 private:
  void Take(const api::Change<api::Lease>& change);

  const std::string ns_;
  const Clock& clock_;
  const Listener listener_;
  mutable std::mutex mutex_;
  std::map<std::string, SteadyTime> changed_;  // guarded by mutex_
  client::Informer<api::Lease> informer_;      // last: its thread uses the rest
};

// IsNews says whether the change of a Lease is worth looking at the profile again: more than a
// renewal. `silence` is how long it had not changed before.
bool IsNews(const api::Lease& lease, const api::Lease& old, std::chrono::nanoseconds silence);

}  // namespace berth::controllers
