// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <random>

namespace berth {

std::function<double()> UniformRandom() {
  return [engine = std::mt19937_64(std::random_device{}()),
          unit = std::uniform_real_distribution<double>(0, 1)]() mutable { return unit(engine); };
}

}  // namespace berth
