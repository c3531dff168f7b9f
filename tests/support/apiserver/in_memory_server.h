// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/clock.h"
#include "client/client.h"
#include "sandbox/apiserver/server.h"

namespace berth::apiserver {

// InMemoryServer is the in-memory API server on its own port, without TLS, and an administrator's
// client for it. Throws if it cannot start.
class InMemoryServer {
 public:
  explicit InMemoryServer(ServerOptions options = {});

  Server& server() { return *server_; }
  client::Client& client() { return *client_; }
  // The clock of server and client.
  const Clock& clock() const { return clock_; }

  // Injects faults into requests. `rule` is JSON, see sandbox/apiserver/rest/README.md.
  void Inject(std::string_view rule);

 private:
  const SystemClock clock_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<client::Client> client_;
};

}  // namespace berth::apiserver
