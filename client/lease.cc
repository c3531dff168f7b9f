// SPDX-License-Identifier: Apache-2.0
#include "client/lease.h"

#include <utility>

namespace berth::client {

CallOptions ClientLeasePort::Options() const {
  return {.lane = http::Lane::kUrgent, .timeout = timeout_, .max_wait = CallOptions::kNoWaiting};
}

Result<api::Lease> ClientLeasePort::Get() { return client_.Get<api::Lease>(ns_, name_, Options()); }

Result<api::Lease> ClientLeasePort::Create(const api::Lease& lease) {
  auto created = client_.Create(Named(lease), Options());
  if (created || !created.error().Is(Reason::kForbidden)) return created;
  return Fail(created.error().With("Lease " + ns_ + "/" + name_ +
                                   " does not exist yet, and this account may not create it"));
}

Result<api::Lease> ClientLeasePort::Update(const api::Lease& lease) {
  return client_.Update(Named(lease), {}, Options());
}

api::Lease ClientLeasePort::Named(api::Lease lease) const {
  lease.metadata.namespace_ = ns_;
  lease.metadata.name = name_;
  return lease;
}

}  // namespace berth::client
