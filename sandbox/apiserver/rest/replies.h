// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sandbox/apiserver/rest/handler.h"

namespace berth::apiserver {

Reply JsonReply(int code, std::string body);
Reply TextReply(int code, std::string body);
Reply ErrorReply(const StatusError& error);
// PageNotFound is the answer where not even a group is served; it is no Status.
Reply PageNotFound();

// AddWarnings puts each text into a Warning header (RFC 7234, 299).
void AddWarnings(const std::vector<std::string>& warnings, Reply& reply);

// MethodNotAllowed is the refusal of a path that does not know the method.
StatusError MethodNotAllowed();

}  // namespace berth::apiserver
