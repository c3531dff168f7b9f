// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "sandbox/apiserver/kinds/kind_registry.h"
#include "sandbox/apiserver/rest/handler.h"
#include "sandbox/apiserver/rest/request/request_info.h"

namespace berth::apiserver {

// Returns the error for a resource request with a path or method that is not served; nullopt if it
// is served. `kind` is the kind of the path, or null. A real server has routes for built-in kinds
// (go-restful) and one handler for all custom ones, and their errors differ: a Status about the
// path or method for built-in kinds, a plain page or a Status about the resource for custom ones.
std::optional<Reply> RouteError(const KindRegistry& kinds, const KindInfo* kind,
                                const RequestInfo& info, std::string_view method);

// Reports whether all kinds of a group come from CustomResourceDefinitions, or the group does not
// exist.
bool IsCustomGroup(const KindRegistry& kinds, std::string_view group);

}  // namespace berth::apiserver
