// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/tls.h"

namespace berth::engine {

// Credentials are the client credentials and CA bundle of a Secret.
struct Credentials {
  std::string token;  // for "Authorization: Bearer"; empty: none
  http::TlsOptions tls;
};

// Returns the path of a Secret's key: api::FileOfSecret, except in tests.
using FileOf = std::function<std::string(std::string_view secret, std::string_view key)>;

// Reads the current files of a Secret: token, tls.crt with tls.key, ca.crt, each optional. Errors
// (kConfig) name the file: all files are missing, one of the pair is missing, or the token is not
// valid in a header.
Result<Credentials> ReadCredentials(const std::string& secret, const FileOf& file_of);

}  // namespace berth::engine
