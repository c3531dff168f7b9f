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

// MakeNode and MakePod return the object of a template. They set only the given fields: neither uid
// nor resourceVersion, unless a manifest has them. Defaults: a node has room for 110 pods, a pod
// has the scheduler name "default-scheduler". `now` is the deletion timestamp of a `deleting` pod.
Result<api::Node> MakeNode(const Template& written);
Result<api::Pod> MakePod(const Template& written, Time now);

// Identities sets the fields that an API server generates: uids and increasing resource versions.
// Each object has its own uid; it is the same in every run and changes with the seed.
class Identities {
 public:
  explicit Identities(int64_t seed) : seed_(seed) {}

  // Sets creationTimestamp, resourceVersion, generation 1, and uid unless it is set.
  void Give(std::string_view kind, api::ObjectMeta& metadata, Time now);
  std::string NextVersion() { return std::to_string(++version_); }

 private:
  int64_t seed_;
  int64_t version_ = 0;
  std::unordered_map<std::string, int64_t> made_;  // number of objects by kind and key
};

}  // namespace berth::scenario
