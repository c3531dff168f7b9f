// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "sandbox/apiserver/kinds/kind_registry.h"
#include "sandbox/apiserver/rest/handler.h"
#include "sandbox/apiserver/rest/request/request_info.h"

namespace berth::apiserver {

// Misrouted is the answer to a request about resources whose path or method nothing serves; nothing
// when it is served. `kind` is the one of the path, or null. A real server has routes for built-in
// kinds (go-restful) and one handler for all custom ones, which answer differently: built-in ones
// with a Status about the path or the method, custom ones with a plain page or a Status about the
// resource.
std::optional<Reply> Misrouted(const KindRegistry& kinds, const KindInfo* kind,
                               const RequestInfo& info, std::string_view method);

// IsCustomGroup says that everything in a group comes from CustomResourceDefinitions, or that there
// is no such group.
bool IsCustomGroup(const KindRegistry& kinds, std::string_view group);

}  // namespace berth::apiserver
