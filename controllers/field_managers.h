// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace berth::controllers {

// RivalOf names the field manager, not `ours`, that set the field at `path` ("spec.replicas",
// "spec.containers[0].image") last, by the managedFields of an object's text; "" when none claims
// it, as after a removal. An entry of a list is told by its place in the path and by its keys in the
// records, so any entry counts.
// Source: structured-merge-diff fieldpath/serialize.go and serialize-pe.go.
std::string RivalOf(std::string_view object, std::string_view path, std::string_view ours);

}  // namespace berth::controllers
