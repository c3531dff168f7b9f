// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/reuse.h"

namespace berth::scheduler {

Reuse::Reuse(size_t max_bytes) : max_bytes_(max_bytes) {}
Reuse::~Reuse() = default;
void Reuse::Clear() {}
ReuseStatistics Reuse::statistics() const { return {}; }

}  // namespace berth::scheduler
