// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "api/node.h"
#include "api/pod.h"
#include "scenario/template.h"

namespace berth::scenario {

// MakeNode and MakePod give the object that a template stands for. Only what is written is set:
// neither uid nor resourceVersion, unless a manifest has them. A node has room for 110 pods unless
// it says so, a pod the scheduler name "default-scheduler". `now` is since when a pod is
// `deleting`.
Result<api::Node> MakeNode(const Template& written);
Result<api::Pod> MakePod(const Template& written, Time now);

// Identities gives objects what an API server makes up: a uid, other with every object and with
// another seed, the same in every run; and ever larger resource versions.
class Identities {
 public:
  explicit Identities(int64_t seed) : seed_(seed) {}

  // Give sets uid, unless there is one, creationTimestamp, resourceVersion and generation 1.
  void Give(std::string_view kind, api::ObjectMeta& metadata, Time now);
  std::string NextVersion() { return std::to_string(++version_); }

 private:
  int64_t seed_;
  int64_t version_ = 0;
  std::unordered_map<std::string, int64_t> made_;  // objects by kind and key
};

}  // namespace berth::scenario
