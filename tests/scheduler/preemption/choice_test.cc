// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/choice.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/scheduler/preemption/preemption_world.h"

namespace berth::scheduler {
namespace {

using testing::MakeNode;
using testing::MakePod;
using testing::Started;
using testing::TestCluster;

constexpr int64_t kNotStarted = -1;

struct Victim {
  int32_t priority;
  int64_t started = kNotStarted;
};

struct Offer {
  std::vector<Victim> victims;
  int violations = 0;
};

// Same cases as upstream's TestPickOneNodeForPreemption and TestSelectBestCandidate, with other
// numbers.
struct Case {
  const char* rule;
  std::vector<Offer> offers;  // of the nodes n0, n1, ...
  size_t best;
};

const std::vector<Case> kCases = {
    {"the only one", {{{{0}}}}, 0},
    {"fewest violations, whatever the priorities", {{{{0}}, 1}, {{{100}, {100}}, 0}}, 1},
    {"lowest of the most important victims", {{{{20}}}, {{{10}, {10}, {10}}}, {{{30}}}}, 1},
    {"smallest sum of priorities", {{{{20}, {10}}}, {{{20}, {5}}}}, 1},
    {"few pods of negative priority rather than many", {{{{-5}, {-5}, {-5}}}, {{{-5}, {-5}}}}, 1},
    {"fewer pods, where each costs as much as any", {{{{0}, {0}}}, {{{0}}}}, 1},
    {"a sum of priorities goes before the number of pods", {{{{20}, {-2147483648}}}, {{{20}}}}, 1},
    {"latest start", {{{{20, 5}}}, {{{20, 9}}}, {{{20, 7}}}}, 1},
    {"the earliest start of a node counts", {{{{20, 9}, {20, 2}}}, {{{20, 4}, {20, 3}}}}, 1},
    {"starts of less important victims do not count",
     {{{{20, 4}, {10, 9}}}, {{{20, 5}, {10, 1}}}},
     1},
    {"pods that have not started count as started last", {{{{20, 100}}}, {{{20}}}}, 1},
    {"the first of equals", {{{{20, 5}}}, {{{20, 5}}}}, 0},
};

TEST(BestCandidate, HasTheLowestCost) {
  for (const Case& each : kCases) {
    TestCluster cluster;
    std::vector<Candidate> candidates;
    for (size_t i = 0; i < each.offers.size(); ++i) {
      const std::string name = "n" + std::to_string(i);
      cluster.Add(MakeNode(name));
      Candidate candidate{.node = NodeRef(cluster.View(name).info()),
                          .violations = each.offers[i].violations};
      for (const Victim& victim : each.offers[i].victims) {
        auto pod = MakePod("p").Priority(victim.priority);
        if (victim.started != kNotStarted) Started(pod, victim.started);
        candidate.victims.push_back(pod.Info(cluster.words()));
      }
      candidates.push_back(std::move(candidate));
    }
    EXPECT_EQ(BestCandidate(candidates).node.name(), "n" + std::to_string(each.best)) << each.rule;
  }
}

}  // namespace
}  // namespace berth::scheduler
