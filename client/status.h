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

// ErrorOf makes the Error of an answer that is not a success: reason, message, code and
// retryAfterSeconds of its Status object; what the code and the Retry-After header say where the
// body is none. Who asks for a longer wait than kLongestWait is asked again after that: it may be a
// mistake, or over sooner.
Error ErrorOf(const http::Response& response);

// ErrorOfStatus is the same for a Status object alone: the content of an ERROR frame.
Error ErrorOfStatus(std::string_view status_json);

// WarningTexts gives the texts of a Warning header (RFC 7234, code 299): `299 - "a", 299 - "b"` is
// a and b.
std::vector<std::string> WarningTexts(std::string_view header);

}  // namespace berth::client
