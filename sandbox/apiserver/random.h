// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace berth::apiserver {

// Random generates uids and names. The same seed yields the same values.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  std::string Uid();                  // RFC 4122, version 4
  std::string Suffix(size_t length);  // letters and digits that form no words, like generateName
  uint64_t Below(uint64_t bound) { return engine_() % bound; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace berth::apiserver
