// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "api/coordination.h"
#include "base/error.h"
#include "client/client.h"

namespace berth::client {

// LeasePort accesses the one Lease object of an election; an interface, so that tests can fake the
// API server. The port knows the namespace and the name; those of the argument are ignored.
class LeasePort {
 public:
  virtual ~LeasePort() = default;
  virtual Result<api::Lease> Get() = 0;
  virtual Result<api::Lease> Create(const api::Lease& lease) = 0;
  virtual Result<api::Lease> Update(const api::Lease& lease) = 0;
};

// ClientLeasePort accesses the Lease through a Client. Calls block for at most `timeout` and use
// the urgent lane. Retry-After fails the attempt: the elector has its own schedule and must not
// lose the Lease while it waits. Without the permission to create the Lease, election waits until
// it exists.
class ClientLeasePort final : public LeasePort {
 public:
  ClientLeasePort(Client& client, std::string ns, std::string name,
                  std::chrono::milliseconds timeout = std::chrono::seconds(3))
      : client_(client), ns_(std::move(ns)), name_(std::move(name)), timeout_(timeout) {}

  Result<api::Lease> Get() override;
  Result<api::Lease> Create(const api::Lease& lease) override;
  Result<api::Lease> Update(const api::Lease& lease) override;

 private:
  CallOptions Options() const;
  api::Lease Named(api::Lease lease) const;

  Client& client_;
  const std::string ns_;
  const std::string name_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace berth::client
