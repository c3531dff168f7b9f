// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "apiserver/auth/user.h"
#include "apiserver/kinds/status_error.h"
#include "http/headers.h"

namespace berth::apiserver {

// WantedUser reads Impersonate-User, -Uid, -Group (several) and -Extra-KEY: whom a request wants to
// be from, as it says; nothing when it does not. Groups or the like without a user are a
// BadRequest.
Answer<std::optional<UserInfo>> WantedUser(const http::Headers& headers);

}  // namespace berth::apiserver
