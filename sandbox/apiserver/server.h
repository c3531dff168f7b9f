// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "http/tls.h"
#include "sandbox/apiserver/auth/user.h"
#include "sandbox/apiserver/rest/faults.h"

namespace berth::apiserver {

struct State;

struct ServerOptions {
  std::string address = "127.0.0.1";          // IPv4 or IPv6 literal
  uint16_t port = 0;                          // 0: any free port, see Server::port()
  std::optional<http::ServerTlsOptions> tls;  // without: plain text

  uint64_t seed = 1;               // of uids, generated names and faults
  size_t history_window = 10'000;  // number of changes per resource that a watch can go back
  // Anonymous requests may do everything. kubectl sends no credentials over plain text, so a server
  // without TLS is of little use without this.
  bool anonymous_admin = false;
  bool serves_faults = false;              // /berth-faults, open to any client: on loopback only
  std::map<std::string, UserInfo> tokens;  // fixed bearer tokens
  std::string signing_key;                 // PEM; empty: a new key for ServiceAccount tokens

  // The feature gate WatchList, on by default since 1.34: a watch may begin with the existing
  // objects.
  bool watch_list = true;

  size_t max_connections = 1024;
  size_t max_header_bytes = 64 << 10;
  size_t max_body_bytes = 3 << 20;  // as upstream
  std::chrono::milliseconds request_timeout = std::chrono::seconds(60);
  std::chrono::milliseconds bookmark_period = std::chrono::seconds(60);
};

// Server is an in-memory Kubernetes API server. Its state is lost when it is destroyed. One thread
// of its own does all work.
class Server {
 public:
  // Starts the server; it accepts requests when Start returns. Errors (kConfig) name the address, a
  // certificate or the key. `clock` must outlive the server.
  static Result<std::unique_ptr<Server>> Start(ServerOptions options, const Clock& clock);

  virtual ~Server() = default;

  virtual uint16_t port() const = 0;
  virtual std::string url() const = 0;

  // Runs a function on the server's thread, between two requests, and waits for it. Must not be
  // called on that thread.
  virtual void Run(const std::function<void(State&)>& function) = 0;

  // Add and remove faults. Callable on any thread except the server's; in effect on return.
  virtual void AddFault(FaultRule rule) = 0;
  virtual void ClearFaults() = 0;
  // Terminates the watches of a resource ("pods"); empty: all.
  virtual void CutWatches(const std::string& resource) = 0;
  // Drops old versions: watches that begin there get 410.
  virtual void CompactHistory() = 0;
};

}  // namespace berth::apiserver
