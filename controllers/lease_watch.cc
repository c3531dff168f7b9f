// SPDX-License-Identifier: Apache-2.0
#include "controllers/lease_watch.h"

#include <utility>

#include "crds/names.h"

namespace berth::controllers {
namespace {

client::ReflectorOptions OptionsFor(const std::string& ns) {
  client::ReflectorOptions options;
  options.ns = ns;
  return options;
}

// Compares the metadata that a renewal does not change: all but the resource version.
bool SameMetadata(const api::ObjectMeta& a, const api::ObjectMeta& b) {
  return a.labels == b.labels && a.annotations == b.annotations &&
         a.owner_references == b.owner_references && a.deletion_timestamp == b.deletion_timestamp;
}

}  // namespace

std::unique_ptr<KindWatch> LeaseWatch::Make(client::Client& client, const std::string& ns,
                                            const Clock& clock, Listener listener) {
  return std::make_unique<LeaseWatch>(client, ns, clock, std::move(listener));
}

LeaseWatch::LeaseWatch(client::Client& client, const std::string& ns, const Clock& clock,
                       Listener listener)
    : ns_(ns),
      clock_(clock),
      listener_(std::move(listener)),
      informer_(client, OptionsFor(ns), clock) {
  informer_.Listen([this](const api::Change<api::Lease>& change) { Take(change); });
}

std::vector<AnyObject> LeaseWatch::ObjectsOf(const std::string& profile) const {
  auto lease = informer_.store().Get(ns_, std::string(crds::kObjectPrefix) + profile);
  if (!lease) return {};
  return {AnyObject(std::move(lease))};
}

std::optional<std::chrono::nanoseconds> LeaseWatch::UnchangedFor(const std::string& name) const {
  std::lock_guard lock(mutex_);
  const auto found = changed_.find(name);
  if (found == changed_.end()) return std::nullopt;
  return clock_.Now() - found->second;
}

void LeaseWatch::Take(const api::Change<api::Lease>& change) {
  const api::ObjectMeta& metadata = change.newest().metadata;
  const std::string& name = metadata.name;
  const auto silence = UnchangedFor(name).value_or(std::chrono::nanoseconds::max());
  {
    std::lock_guard lock(mutex_);
    if (change.type == api::ChangeType::kDeleted) {
      changed_.erase(name);
    } else {
      changed_[name] = clock_.Now();
    }
  }
  if (!name.starts_with(crds::kObjectPrefix)) return;
  const bool is_renewal = change.type == api::ChangeType::kModified;
  if (is_renewal && !IsNews(*change.after, *change.before, silence)) return;
  listener_({&api::Lease::kResource, metadata.namespace_, name},
            change.after ? change.after->metadata.resource_version : "",
            name.substr(crds::kObjectPrefix.size()));
}

bool IsNews(const api::Lease& lease, const api::Lease& old, std::chrono::nanoseconds silence) {
  return !SameMetadata(lease.metadata, old.metadata) ||
         lease.spec.holder_identity != old.spec.holder_identity ||
         silence > std::chrono::seconds(old.spec.lease_duration_seconds.value_or(15));
}

}  // namespace berth::controllers
