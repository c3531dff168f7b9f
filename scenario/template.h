// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json/type.h"

namespace berth::scenario {

enum class Kind : uint8_t { kNode, kPod };

// Template is one object of a scenario as written: the shorthand, or a whole Kubernetes object
// under `manifest`, as JSON. A patch is a Template too, so it may have fewer fields than an object.
struct Template {
  std::string key;   // a node's name, or a pod's "namespace/name"
  std::string json;  // without `count`
};

// Validates an object and returns its Template. With `count` it returns that many: the i-th is
// called NAME-i, "$(i)" in any text is replaced with i, and "$(i%N)" with the remainder of i by N.
// Errors (kConfig) name the field below the template, the value found and the nearest name.
Result<std::vector<Template>> Expand(Kind kind, const json::Raw& written);

// Applies a patch by RFC 7386: given fields win, null removes, lists are replaced. Requires: both
// have the same key.
Result<Template> Merge(Kind kind, const Template& current, const Template& patch);

// PodKey returns "namespace/name" for a scenario name; a bare name is in the namespace default.
// ShortKey is the inverse.
std::string PodKey(std::string_view name);
std::string ShortKey(std::string_view key);

}  // namespace berth::scenario
