// SPDX-License-Identifier: Apache-2.0
#include "engine/metric_source/credentials.h"

#include <algorithm>

#include "base/file.h"
#include "base/strings.h"

namespace berth::engine {
namespace {

Result<std::string> ReadIfThere(const std::string& path) {
  auto text = ReadFile(path);
  if (!text && text.error().Is(Reason::kNotFound)) return std::string();
  return text;
}

}  // namespace

Result<Credentials> ReadCredentials(const std::string& secret, const FileOf& file_of) {
  const std::string token_file = file_of(secret, "token");
  BERTH_TRY(const std::string token, ReadIfThere(token_file));
  Credentials credentials{.token = std::string(TrimSpace(token)), .tls = {}};
  if (!std::ranges::all_of(credentials.token, [](char c) { return c > ' ' && c < '\x7f'; })) {
    return ConfigError(token_file + ": expected a token: one line of ASCII without blanks");
  }
  BERTH_TRY(credentials.tls.certificate.data, ReadIfThere(file_of(secret, "tls.crt")));
  BERTH_TRY(credentials.tls.key.data, ReadIfThere(file_of(secret, "tls.key")));
  BERTH_TRY(credentials.tls.ca.data, ReadIfThere(file_of(secret, "ca.crt")));
  if (credentials.tls.certificate.empty() != credentials.tls.key.empty()) {
    const char* missing = credentials.tls.key.empty() ? "tls.key" : "tls.crt";
    return ConfigError(file_of(secret, missing) +
                       ": is missing; tls.crt and tls.key must be set together");
  }
  if (credentials.token.empty() && credentials.tls.key.empty() && credentials.tls.ca.empty()) {
    return ConfigError(token_file +
                       ": is missing, and so are tls.crt, tls.key and ca.crt: Secret " + secret +
                       " does not exist, or has none of these keys");
  }
  return credentials;
}

}  // namespace berth::engine
