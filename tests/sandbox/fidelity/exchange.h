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

// Connection sends requests to one API server as they are: nothing is repeated, no answer is an
// error. Thread safe.
class Connection {
 public:
  // Open takes the address and the identity of admin from a kubeconfig. Errors: kConfig.
  static Result<std::unique_ptr<Connection>> Open(const std::filesystem::path& kubeconfig);

  // Send makes one request: with the credentials of the kubeconfig, or with none besides the
  // headers.
  enum class As { kAdmin, kBare };
  Result<http::Response> Send(As as, http::Request request) const;

  // Collect is a watch: it reads lines until there are `count`, the server ends it, or nothing came
  // for some seconds; then the body of the response is what was read.
  Result<http::Response> Collect(As as, http::Request request, int count) const;

 private:
  Connection() = default;
  http::Transport& TransportOf(As as, http::Request& request) const;

  client::ClientConfig config_;
  std::unique_ptr<http::Transport> admin_, bare_;
};

// ToAnswer is a response as it is recorded, before normalising: `code`; `type` where it is not
// application/json; `warnings`, `retryAfter` where there are any; and the body as `body`, a list
// `events`, or `text`.
enum class Form { kBody, kEvents };
Json ToAnswer(const http::Response& response, Form form);

}  // namespace berth::fidelity
