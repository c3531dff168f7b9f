// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "http/message.h"

namespace berth::http {

// HealthCheck is one named check of a process. `error` returns the reason of a failure, or nullopt;
// it runs on the server's thread and must not block.
struct HealthCheck {
  std::string name;
  std::function<std::optional<std::string>()> error;
};

// HealthEndpoint serves one path ("/readyz") like Kubernetes components: 200 and "ok", or 500 and a
// line for each check. `?verbose` always lists the checks, `?exclude=NAME` skips a check, and
// PATH/NAME runs one check. The response withholds the reasons, because anyone may read it; they
// belong in the log. Immutable; any thread may call Handle.
class HealthEndpoint {
 public:
  HealthEndpoint(std::string path, std::vector<HealthCheck> checks)
      : path_(std::move(path)), checks_(std::move(checks)) {}

  // Returns the response, or nullopt if the request is for another path.
  std::optional<Response> Handle(const Request& request) const;

 private:
  Response All(const std::string& query) const;
  Response One(const std::string& name) const;

  const std::string path_;  // begins with '/'
  const std::vector<HealthCheck> checks_;
};

}  // namespace berth::http
