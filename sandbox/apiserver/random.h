// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace berth::apiserver {

// Random makes uids and names; the same seed gives the same ones.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  std::string Uid();                  // RFC 4122, version 4
  std::string Suffix(size_t length);  // of letters and digits that make no words, as generateName
  uint64_t Below(uint64_t bound) { return engine_() % bound; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace berth::apiserver
