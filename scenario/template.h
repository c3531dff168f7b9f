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

// Template is one object of a scenario as it was written: the shorthand, or a whole Kubernetes
// object under `manifest`, as JSON. Updates are merged into it, so it may say less than an object.
struct Template {
  std::string key;   // of a node its name, of a pod "namespace/name"
  std::string json;  // without `count`
};

// Expand checks what was written for one or, with `count`, for several like objects, and gives one
// Template for each. The i-th of several is called NAME-i; "$(i)" in any text stands for i, and
// "$(i%N)" for the remainder of i by N. Errors (kConfig) name the field below the template, what
// was found and the nearest name.
Result<std::vector<Template>> Expand(Kind kind, const json::Raw& written);

// Merge applies a patch, also a Template, by RFC 7386: given fields win, null removes, lists are
// replaced. Requires: both have the same key.
Result<Template> Merge(Kind kind, const Template& current, const Template& patch);

// PodKey is "namespace/name" of a name as scenarios have it, where a bare one is in the namespace
// default; ShortKey is the inverse.
std::string PodKey(std::string_view name);
std::string ShortKey(std::string_view key);

}  // namespace berth::scenario
