// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "http/client/transport.h"

namespace berth::integration {

using Json = nlohmann::json;

// ApiAnswer is the response of the API server to one request.
struct ApiAnswer {
  int code = 0;  // 0: no response
  std::string body;
};

// ApiAccess reads and writes objects with a kubeconfig. A call takes a few milliseconds, kubectl a
// hundred. Tests use ApiAccess for polling and setup, and kubectl for the commands of a user.
class ApiAccess {
 public:
  // Throws if the kubeconfig cannot be read. Does not connect yet.
  explicit ApiAccess(const std::filesystem::path& kubeconfig);

  // Sends one request. Methods with a body take JSON; PATCH is a merge patch.
  ApiAnswer Send(const std::string& method, const std::string& path, const Json& body = {}) const;

  // Sends a server-side apply with force, like `kubectl apply --server-side`.
  ApiAnswer Apply(const Json& object) const;

  // Returns the path of an object, or of its collection if `name` is empty. `kind` is a kubectl
  // short name ("sprof") or a singular name ("configmap"), with its group if two kinds have that
  // name; throws if it is unknown.
  static std::string PathOf(const std::string& kind, const std::string& name,
                            const std::string& ns);

 private:
  ApiAnswer Call(http::Request request) const;

  std::unique_ptr<http::Transport> transport_;
  std::string authorization_;  // empty: the client certificate authenticates
};

}  // namespace berth::integration
