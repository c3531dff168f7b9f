// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "client/server_version.h"

namespace berth::operator_ {

// CheckServer refuses a server that is older. Errors (kConfig) say what it is, what is needed and
// why.
Result<void> CheckServer(const client::ServerInfo& server);

}  // namespace berth::operator_
