// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "base/json/json.h"

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

// MakeNode and MakePod give the object that a template stands for. Only what is written is set:
// neither uid nor resourceVersion, unless a manifest has them. A node has room for 110 pods unless
// it says so, a pod the scheduler name "default-scheduler". `now` is since when a pod is
// `deleting`.
Result<api::Node> MakeNode(const Template& written);
Result<api::Pod> MakePod(const Template& written, Time now);

// PodKey is "namespace/name" of a name as scenarios have it, where a bare one is in the namespace
// default; ShortKey is the inverse.
std::string PodKey(std::string_view name);
std::string ShortKey(std::string_view key);

// Identities gives objects what an API server makes up: a uid, other with every object and with
// another seed, the same in every run; and ever larger resource versions.
class Identities {
 public:
  explicit Identities(int64_t seed) : seed_(seed) {}

  // Give sets uid, unless there is one, creationTimestamp, resourceVersion and generation 1.
  void Give(Kind kind, api::ObjectMeta& metadata, Time now);
  std::string NextVersion() { return std::to_string(++version_); }

 private:
  int64_t seed_;
  int64_t version_ = 0;
  std::unordered_map<std::string, int64_t> made_;  // objects by kind and key
};

}  // namespace berth::scenario
