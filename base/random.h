// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace berth {

// Returns a generator of uniform random values in [0, 1), for jitter. Seeded from the system; not
// thread safe.
std::function<double()> UniformRandom();

}  // namespace berth
