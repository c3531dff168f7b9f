// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "http/client/transport.h"

namespace berth::client {

constexpr std::chrono::seconds kLongestWait{30};

// Returns the Error of an unsuccessful response: reason, message, code and retryAfterSeconds of its
// Status object; without a Status, the code and the Retry-After header. A longer wait is cut to
// kLongestWait: it may be an error, and the server may recover sooner.
Error ErrorOf(const http::Response& response);

// Returns the Error of a Status object: the content of an ERROR frame.
Error ErrorOfStatus(std::string_view status_json);

// Returns the texts of a Warning header (RFC 7234, code 299): `299 - "a", 299 - "b"` yields a and
// b.
std::vector<std::string> WarningTexts(std::string_view header);

}  // namespace berth::client
