// SPDX-License-Identifier: Apache-2.0
// Whatever happens in a small world, however late and out of order: the scheduler converges to the
// state of the store, each pod that fits is bound once, and no pod stays gated for its victims.
#include "scenario/self_check.h"
#include "tests/scheduler/world.h"

namespace berth::scheduler {
namespace {

using std::chrono::seconds;
using ::testing::IsEmpty;
using testing::World;

class PropertyTest : public World, public ::testing::WithParamInterface<uint32_t> {};

TEST_P(PropertyTest, ConvergesToTheStateOfTheStore) {
  random_.seed(GetParam());
  script_.has_pre_bind = GetParam() % 2 == 0;
  script_.permit = [this](const PendingPod&) {
    return PermitResult{Chance(50) ? Status::Success() : Status::Wait(), seconds(5)};
  };
  gate_.no_event_helps = true;
  gate_.pre_enqueue = [this](const PendingPod& pod) {
    return scheduler_.evictor().IsPreempting(pod.uid())
               ? Status::UnschedulableAndUnresolvable("waits for victims")
               : Status::Success();
  };
  Serve("test", {&script_, &gate_});
  for (int step = 0; step < 4000; ++step) Step();
  EXPECT_GT(witness_.evictions.size(), 5u);
  EXPECT_GT(bound_.size(), 20u) << "too few pods were bound for a meaningful test";
  Settle();
  EXPECT_THAT(scenario::FindDifferences(scheduler_, Values(nodes_), Values(pods_)), IsEmpty());
  EXPECT_EQ(scheduler_.cache().assumed_count(), 0u);
  EXPECT_EQ(scheduler_.waiting().size(), 0u);
  ExpectAtRest();
  ExpectNoPodIsLeftThatFits();
  ExpectNoPodIsGated();
}

INSTANTIATE_TEST_SUITE_P(Seeds, PropertyTest, ::testing::Range(1u, 9u));

}  // namespace
}  // namespace berth::scheduler
