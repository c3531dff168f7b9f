// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace berth {

// UniformRandom gives a function whose values lie evenly in [0, 1): for jitter, which keeps many
// processes from acting in step. Seeded by the machine; for one thread.
std::function<double()> UniformRandom();

}  // namespace berth
