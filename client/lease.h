// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "api/coordination.h"
#include "base/error.h"
#include "client/client.h"

namespace berth::client {

// LeasePort is one Lease object as leader election sees it; an interface, so tests play the API
// server. The port knows namespace and name: those of the argument mean nothing.
class LeasePort {
 public:
  virtual ~LeasePort() = default;
  virtual Result<api::Lease> Get() = 0;
  virtual Result<api::Lease> Create(const api::Lease& lease) = 0;
  virtual Result<api::Lease> Update(const api::Lease& lease) = 0;
};

// ClientLeasePort is the real one. Calls block at most `timeout`, and go in the urgent lane. A server
// that asks for patience (Retry-After) has failed the attempt: who renews a Lease has a schedule of
// his own, and may lose it meanwhile. Who may not create the Lease finds it made by somebody else, or
// waits for that.
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
