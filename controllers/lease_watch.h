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

// LeaseWatch watches the Leases of a namespace, on which schedulers report, and when each last
// changed. It measures by the local clock, since the times in a Lease come from another machine.
// Schedulers renew every few seconds, so the listener is only called for relevant changes: a new
// holder, a new report, a renewal after a silence, and the operator's own writes. The Leases need
// no operator label: a scheduler may have created its own.
class LeaseWatch final : public KindWatch {
 public:
  static std::unique_ptr<KindWatch> Make(client::Client& client, const std::string& ns,
                                         const Clock& clock, Listener listener);

  LeaseWatch(client::Client& client, const std::string& ns, const Clock& clock, Listener listener);

  client::AnyInformer& informer() override { return informer_; }
  const api::ResourceInfo& resource() const override { return api::Lease::kResource; }
  std::vector<AnyObject> Objects() const override { return ObjectsIn(informer_); }
  std::vector<AnyObject> ObjectsOf(const std::string& profile) const override;
  std::optional<std::chrono::nanoseconds> UnchangedFor(const std::string& name) const override;

 private:
  void Take(const api::Change<api::Lease>& change);

  const std::string ns_;
  const Clock& clock_;
  const Listener listener_;
  mutable std::mutex mutex_;
  std::map<std::string, SteadyTime> changed_;  // guarded by mutex_
  client::Informer<api::Lease> informer_;      // last: its thread uses the other members
};

// Reports whether the change of a Lease is more than a renewal, so that the profile must be
// reconciled. `silence` is the time since the previous change.
bool IsNews(const api::Lease& lease, const api::Lease& old, std::chrono::nanoseconds silence);

}  // namespace berth::controllers
