// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/random.h"

namespace berth::scheduler {
namespace {

constexpr uint64_t kFnvBasis = 0xcbf29ce484222325;
constexpr uint64_t kFnvPrime = 0x100000001b3;

uint64_t Hash(uint64_t hash, unsigned char byte) { return (hash ^ byte) * kFnvPrime; }

uint64_t Hash(uint64_t hash, std::string_view text) {
  for (const char c : text) hash = Hash(hash, static_cast<unsigned char>(c));
  return hash;
}

// With FNV-1a alone, names that differ only in the last letter have similar hashes.
uint64_t Finalize(uint64_t hash) {
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

int64_t ScoreOf(uint64_t pod_hash, std::string_view node) {
  return static_cast<int64_t>(Finalize(Hash(pod_hash, node)) % (kMaxNodeScore + 1));
}

}  // namespace

PluginDescriptor Random::Descriptor() {
  return Describe<Random>({
      .name = "Random",
      .summary = "Gives nodes pseudo-random, reproducible scores; for experiments.",
      .depends_on = {Epoch::kNodeObject},
      .example = R"(plugins:
  score:
    enabled: [{name: Random, weight: 1}]
pluginConfig:
- name: Random
  args:
    seed: 42)",
  });
}

uint64_t Random::HashOf(const PodInfo& pod) const {
  uint64_t hash = kFnvBasis;
  for (int shift = 0; shift < 64; shift += 8) {
    hash = Hash(hash, static_cast<unsigned char>(seed_ >> shift));
  }
  return Hash(Hash(hash, pod.Key()), '\0');
}

int64_t Random::Score(const CycleContext& cycle, const NodeView& node) const {
  return ScoreOf(HashOf(cycle.pod), node.name());
}

void Random::ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                        std::span<int64_t> out) const {
  const uint64_t pod_hash = HashOf(cycle.pod);
  for (size_t i = 0; i < slots.size(); ++i) {
    out[i] = ScoreOf(pod_hash, cycle.snapshot.At(slots[i]).name.text());
  }
}

}  // namespace berth::scheduler
