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

// ApiAnswer is what the API server says to one request.
struct ApiAnswer {
  int code = 0;  // 0: there was no answer
  std::string body;
};

// ApiAccess reads and writes objects as a kubeconfig says. A call takes a few milliseconds, where
// kubectl takes a hundred: what is polled and what only prepares a test goes this way, what a user
// types goes through kubectl.
class ApiAccess {
 public:
  // Throws when the kubeconfig cannot be read. No connection is made yet.
  explicit ApiAccess(const std::filesystem::path& kubeconfig);

  // Send makes one request. Methods with a body take JSON; PATCH is a merge patch.
  ApiAnswer Send(const std::string& method, const std::string& path, const Json& body = {}) const;

  // Apply is server-side apply with force, as `kubectl apply --server-side` sends it.
  ApiAnswer Apply(const Json& object) const;

  // PathOf gives the path of an object, or of its collection when `name` is empty. `kind` is a
  // short name of kubectl ("sprof") or a singular ("configmap"); an unknown one throws.
  static std::string PathOf(const std::string& kind, const std::string& name,
                            const std::string& ns);

 private:
  ApiAnswer Call(http::Request request) const;

  std::unique_ptr<http::Transport> transport_;
  std::string authorization_;  // empty: a certificate says who comes
};

}  // namespace berth::integration
