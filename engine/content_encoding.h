// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "http/message.h"

namespace berth::engine {

// Rejects a response with a content encoding, which was not requested: its decompressed size has no
// limit. Errors: kUnsupportedMediaType.
Result<void> RejectEncoding(const http::Response& response);

}  // namespace berth::engine
