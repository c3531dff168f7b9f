// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "client/client.h"

namespace berth::client {

// ServerVersion is the release of Kubernetes that an API server is, compared by number.
struct ServerVersion {
  unsigned major = 0;
  unsigned minor = 0;

  std::string ToString() const;  // "1.36"
  auto operator<=>(const ServerVersion&) const = default;
};

// ParseServerVersion reads the beginning of what servers call themselves: "v1.36.3",
// "v1.31.0+rke2r1", "1.29+". nullopt: no version.
std::optional<ServerVersion> ParseServerVersion(std::string_view text);

// ServerInfo is what a server says of itself at /version.
struct ServerInfo {
  std::string text;  // as it says it: "v1.30.2-gke.1"
  ServerVersion version;
};

// AskVersion asks for it. Errors: those of Client; kConfig with what was found when that is no
// version.
Result<ServerInfo> AskVersion(Client& client, CallOptions options = {});

}  // namespace berth::client
