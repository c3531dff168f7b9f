// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace berth::controllers {

// Returns the field manager other than `ours` that last set the field at `path` ("spec.replicas",
// "spec.containers[0].image"), from the managedFields of an object's text; "" if no manager owns
// it, as after a removal. managedFields identify list entries by key. If the path has a key
// ("spec.containers[name=main].image"), that entry is searched; if it has an index, any entry.
// Source: structured-merge-diff fieldpath/serialize.go and serialize-pe.go.
std::string RivalOf(std::string_view object, std::string_view path, std::string_view ours);

}  // namespace berth::controllers
