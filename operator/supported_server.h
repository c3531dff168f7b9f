// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "client/server_version.h"

namespace berth::operator_ {

// Rejects an API server older than the oldest supported version. Errors (kConfig) name the version
// found, the required version and the reason.
Result<void> CheckServer(const client::ServerInfo& server);

}  // namespace berth::operator_
