// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "client/client_config.h"
#include "http/client/transport.h"
#include "tests/sandbox/fidelity/case.h"

namespace berth::fidelity {

// Connection sends requests to one API server unchanged: without retries, and every response is a
// success. Thread safe.
class Connection {
 public:
  // Reads the address and the admin's identity from a kubeconfig. Errors: kConfig.
  static Result<std::unique_ptr<Connection>> Open(const std::filesystem::path& kubeconfig);

  // Sends one request, with the credentials of the kubeconfig or with only the given headers.
  enum class As { kAdmin, kBare };
  Result<http::Response> Send(As as, http::Request request) const;

  // Runs a watch: reads lines until there are `count`, the server ends it, or nothing has come for
  // some seconds. The body of the response holds the lines.
  Result<http::Response> Collect(As as, http::Request request, int count) const;

 private:
  Connection() = default;
  http::Transport& TransportOf(As as, http::Request& request) const;

  client::ClientConfig config_;
  std::unique_ptr<http::Transport> admin_, bare_;
};

// Returns the recorded form of a response, before normalization: `code`; `type` unless it is
// application/json; `warnings` and `retryAfter` if there are any; and the body as `body`, a list
// `events`, or `text`.
enum class Form { kBody, kEvents };
Json ToAnswer(const http::Response& response, Form form);

}  // namespace berth::fidelity
