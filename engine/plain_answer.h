// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "http/message.h"

namespace berth::engine {

// CheckPlain refuses an answer in an encoding, for which nobody asked: what it unpacks to has no limit.
// Errors: kUnsupportedMediaType.
Result<void> CheckPlain(const http::Response& response);

}  // namespace berth::engine
