// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "api/field_error.h"
#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

struct RandomArgs {
  int64_t seed = 0;

  static auto Fields() {
    return json::Object(json::Field("seed", &RandomArgs::seed)
                            .Default("0")
                            .Doc("Seed of the scores. The same seed gives the same scores on every "
                                 "machine; another seed gives other scores."));
  }

  std::vector<api::FieldError> Validate() const { return {}; }
};

// Random gives nodes pseudo-random, reproducible scores. A score depends only on the seed, the
// pod's namespace and name, and the node's name. The pod's UID is not used, so that a pod recreated
// under the same name gets the same scores. For experiments: as a baseline, or as noise next to
// other plugins.
//
// The score is h mod 101, where h is SplitMix64's finaliser applied to the 64-bit FNV-1a hash of:
// the seed (eight bytes, least significant first), "namespace/name", a zero byte, the node's name.
//
//   FNV-1a:     h = 0xcbf29ce484222325; for each byte: h = (h ^ byte) * 0x100000001b3
//   finaliser:  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9; h = (h ^ (h >> 27)) * 0x94d049bb133111eb;
//               h = h ^ (h >> 31)
class Random final : public ScorePlugin {
 public:
  using Args = RandomArgs;

  explicit Random(const Args& args) : seed_(static_cast<uint64_t>(args.seed)) {}
  static PluginDescriptor Descriptor();

  ResultKey KeyOf(const CycleContext& cycle) const override {
    return ResultKey::Of(cycle.pod.Key());
  }
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  void ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                  std::span<int64_t> out) const override;

 private:
  uint64_t HashOf(const PodInfo& pod) const;  // the hash state after the zero byte

  uint64_t seed_;
};

}  // namespace berth::scheduler
