// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/clock.h"
#include "client/client.h"
#include "sandbox/apiserver/server.h"

namespace berth::apiserver {

// InMemoryServer is the in-memory API server on a port of its own, plain, and an administrator's
// client of it. Throws when it cannot start.
class InMemoryServer {
 public:
  explicit InMemoryServer(ServerOptions options = {});

  Server& server() { return *server_; }
  client::Client& client() { return *client_; }
  // The time of both.
  const Clock& clock() const { return clock_; }

  // Inject makes requests go wrong: `rule` is JSON, see sandbox/apiserver/rest/README.md.
  void Inject(std::string_view rule);

 private:
  const SystemClock clock_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<client::Client> client_;
};

}  // namespace berth::apiserver
