// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "tests/scheduler/testing/random.h"

namespace berth::conformance {

// Returns a copy of `pod` with one change that a plugin may read.
api::Pod PodVariant(api::Pod pod, const std::vector<std::shared_ptr<const api::Node>>& nodes,
                    scheduler::testing::Random& random);

// Returns a random small pod.
api::Pod UnrelatedPod(scheduler::testing::Random& random);

}  // namespace berth::conformance
