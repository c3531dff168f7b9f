// SPDX-License-Identifier: Apache-2.0
#include "controllers/lease_watch.h"

#include <utility>

namespace berth::controllers {
namespace {

client::ReflectorOptions OptionsFor(const std::string& ns) {
  client::ReflectorOptions options;
  options.ns = ns;
  return options;
}

}  // namespace

LeaseWatch::LeaseWatch(client::Client& client, const std::string& ns, const Clock& clock,
                       Listener listener)
    : ns_(ns),
      clock_(clock),
      listener_(std::move(listener)),
      informer_(client, OptionsFor(ns), clock) {
  informer_.Listen([this](const api::Change<api::Lease>& change) { Take(change); });
}

std::shared_ptr<const api::Lease> LeaseWatch::Get(const std::string& name) const {
  return informer_.store().Get(ns_, name);
}

std::optional<std::chrono::nanoseconds> LeaseWatch::UnchangedFor(const std::string& name) const {
  std::lock_guard lock(mutex_);
  const auto found = changed_.find(name);
  if (found == changed_.end()) return std::nullopt;
  return clock_.Now() - found->second;
}

void LeaseWatch::Take(const api::Change<api::Lease>& change) {
  const std::string& name = change.newest().metadata.name;
  const auto silence = UnchangedFor(name).value_or(std::chrono::nanoseconds::max());
  {
    std::lock_guard lock(mutex_);
    if (change.type == api::ChangeType::kDeleted) {
      changed_.erase(name);
    } else {
      changed_[name] = clock_.Now();
    }
  }
  const bool is_renewal = change.type == api::ChangeType::kModified;
  if (!is_renewal || IsNews(*change.after, *change.before, silence)) listener_(name);
}

bool IsNews(const api::Lease& lease, const api::Lease& old, std::chrono::nanoseconds silence) {
  return lease.metadata.annotations != old.metadata.annotations ||
         lease.spec.holder_identity != old.spec.holder_identity ||
         silence > std::chrono::seconds(old.spec.lease_duration_seconds.value_or(15));
}

}  // namespace berth::controllers
