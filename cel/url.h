// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::cel {

// Url is an absolute URL or an absolute path, in parts. Source: Go's net/url, ParseRequestURI.
struct Url {
  std::string text;    // as it was written
  std::string scheme;  // lower case
  std::string host;    // with the port
  std::string path;    // escaped
  std::string query;   // without the question mark, escaped

  std::string Hostname() const;  // without port and brackets
  std::string Port() const;      // digits, or empty
};

// ParseUrl errors (kInvalid) are worded as Go's: `parse "x": invalid URI for request`.
Result<Url> ParseUrl(std::string_view text);

// DecodeQueryPart undoes %XX and `+`. False at a malformed escape.
bool DecodeQueryPart(std::string_view text, std::string& out);

}  // namespace berth::cel
