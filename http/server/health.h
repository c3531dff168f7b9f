// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "http/message.h"

namespace berth::http {

// HealthCheck is one named condition of a process. `problem` says why it does not hold, or nothing;
// it is called on the server's thread and must not block.
struct HealthCheck {
  std::string name;
  std::function<std::optional<std::string>()> error;
};

// HealthEndpoint answers for one path ("/readyz") as Kubernetes' components do: 200 and "ok", or
// 500 and a line for each check; `?verbose` gives the lines always,
// `?exclude=NAME` leaves a check out, and PATH/NAME asks one alone. Problems are withheld from the
// answer, which anybody may read; they belong in the log. Immutable; any thread may call Handle.
class HealthEndpoint {
 public:
  HealthEndpoint(std::string path, std::vector<HealthCheck> checks)
      : path_(std::move(path)), checks_(std::move(checks)) {}

  // Handle gives the answer, or nothing when the request is for another path.
  std::optional<Response> Handle(const Request& request) const;

 private:
  Response All(const std::string& query) const;
  Response One(const std::string& name) const;

  const std::string path_;  // begins with '/'
  const std::vector<HealthCheck> checks_;
};

}  // namespace berth::http
