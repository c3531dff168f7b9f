// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "http/headers.h"
#include "sandbox/apiserver/auth/user.h"
#include "sandbox/apiserver/kinds/status_error.h"

namespace berth::apiserver {

// WantedUser reads Impersonate-User, -Uid, -Group (several) and -Extra-KEY: whom a request wants to
// be from, as it says; nothing when it does not. Groups or the like without a user are a
// BadRequest.
Answer<std::optional<UserInfo>> WantedUser(const http::Headers& headers);

}  // namespace berth::apiserver
