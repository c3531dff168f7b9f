// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace berth::controllers {

// RivalOf names the field manager, not `ours`, that set the field at `path` ("spec.replicas",
// "spec.containers[0].image") last, by the managedFields of an object's text; "" when none claims
// it, as after a removal. The records tell the entries of a list by their keys: where the path does,
// too ("spec.containers[name=main].image"), that entry counts, where it has a place, any does.
// Source: structured-merge-diff fieldpath/serialize.go and serialize-pe.go.
std::string RivalOf(std::string_view object, std::string_view path, std::string_view ours);

}  // namespace berth::controllers
