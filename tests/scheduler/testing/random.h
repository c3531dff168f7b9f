// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::scheduler::testing {

// Random makes the choices of a random test: equal seeds give equal choices with any compiler.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  // Returns a number from 0 to bound - 1. Requires: bound > 0.
  size_t Below(size_t bound) { return static_cast<size_t>(engine_() % bound); }
  bool Percent(unsigned chance) { return Below(100) < chance; }
  bool OneIn(size_t times) { return Below(times) == 0; }

  template <class T>
  T Pick(std::initializer_list<T> choices) {
    return *(choices.begin() + Below(choices.size()));
  }
  // Requires: not empty.
  template <class T>
  const T& Pick(const std::vector<T>& choices) {
    return choices[Below(choices.size())];
  }

  // Like std::shuffle, but with the same result in all standard libraries.
  template <class T>
  void Shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

// Returns a seed for a name (FNV-1a).
inline uint64_t SeedOf(std::string_view name) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

}  // namespace berth::scheduler::testing
