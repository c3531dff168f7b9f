// SPDX-License-Identifier: Apache-2.0
#include "client/server_version.h"

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

}  // namespace

Result<ServerInfo> AskVersion(Client& client, CallOptions options) {
  ApiRequest request{.target = "/version"};
  request.options = std::move(options);
  BERTH_TRY(const VersionDocument said, client.CallAs<VersionDocument>(std::move(request)));
  const std::string numbers = said.major + "." + said.minor;
  for (const std::string& text : {said.git_version, numbers}) {
    if (const auto version = api::ParseKubernetesVersion(text)) return ServerInfo{text, *version};
  }
  return ConfigError("/version: found gitVersion \"" + said.git_version + "\" and \"" + numbers +
                     "\", expected a version such as v1.37.2");
}

}  // namespace berth::client
