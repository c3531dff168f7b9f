// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "base/error.h"

namespace berth::apiserver {

// Returns an error that a real server answers with code 500 and no reason.
inline Failure PatchFailure(std::string message) {
  return Fail(Error(Reason::kUnknown, std::move(message)).set_http_code(500));
}

}  // namespace berth::apiserver
