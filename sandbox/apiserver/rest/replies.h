// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sandbox/apiserver/rest/handler.h"

namespace berth::apiserver {

Reply JsonReply(int code, std::string body);
Reply TextReply(int code, std::string body);
Reply ErrorReply(const StatusError& error);
// Returns the plain-text 404 for a path outside all groups; it is not a Status.
Reply PageNotFound();

// Adds a Warning header (RFC 7234, 299) for each text.
void AddWarnings(const std::vector<std::string>& warnings, Reply& reply);

// Returns the error for a method that the path does not support.
StatusError MethodNotAllowed();

}  // namespace berth::apiserver
