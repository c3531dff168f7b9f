// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "controllers/object_key.h"

namespace berth::controllers {

// Reports whether the value of a field that is not rendered comes from Kubernetes itself: a default
// of the API server for a rendered object, or a field that a cluster's own controllers fill in. A
// path that is not known here costs one write after each start of the operator, which changes
// nothing (docs/design/0035). `value` is JSON text.
bool IsMadeByServer(const ObjectKey& key, std::string_view path, std::string_view value);

}  // namespace berth::controllers
