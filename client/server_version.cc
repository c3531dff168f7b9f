// SPDX-License-Identifier: Apache-2.0
#include "client/server_version.h"

#include <charconv>
#include <utility>

#include "base/json/json.h"

namespace berth::client {
namespace {

// Source: apimachinery pkg/version/types.go, Info.
struct VersionDocument {
  std::string major;
  std::string minor;
  std::string git_version;

  static auto Fields() {
    return json::Object(json::Field("major", &VersionDocument::major),
                        json::Field("minor", &VersionDocument::minor),
                        json::Field("gitVersion", &VersionDocument::git_version));
  }
};

// TakeNumber takes the digits off the beginning of a text.
std::optional<unsigned> TakeNumber(std::string_view& text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

}  // namespace

std::string ServerVersion::ToString() const {
  return std::to_string(major) + "." + std::to_string(minor);
}

std::optional<ServerVersion> ParseServerVersion(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const auto major = TakeNumber(text);
  if (!major || !text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  const auto minor = TakeNumber(text);
  if (!minor) return std::nullopt;
  return ServerVersion{*major, *minor};
}

Result<ServerInfo> AskVersion(Client& client, CallOptions options) {
  ApiRequest request{.target = "/version"};
  request.options = std::move(options);
  BERTH_TRY(const VersionDocument said, client.CallAs<VersionDocument>(std::move(request)));
  const std::string numbers = said.major + "." + said.minor;
  for (const std::string& text : {said.git_version, numbers}) {
    if (const auto version = ParseServerVersion(text)) return ServerInfo{text, *version};
  }
  return ConfigError("/version: found gitVersion \"" + said.git_version + "\" and \"" + numbers +
                     "\", expected a version such as v1.36.3");
}

}  // namespace berth::client
