// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/tls.h"

namespace berth::engine {

// Credentials are what a Secret gives to ask a server with: whom to trust, and who we are.
struct Credentials {
  std::string token;  // for "Authorization: Bearer"; empty: none
  http::TlsOptions tls;
};

// FileOf is where the mounted Secret has a key: api::FileOfSecret, but in tests.
using FileOf = std::function<std::string(std::string_view secret, std::string_view key)>;

// ReadCredentials reads the files of a Secret as they are now: token, tls.crt with tls.key, ca.crt,
// of which it may lack some. Errors (kConfig) name the file: it lacks all of them, or one of the pair, or
// the token cannot be a header.
Result<Credentials> ReadCredentials(const std::string& secret, const FileOf& file_of);

}  // namespace berth::engine
