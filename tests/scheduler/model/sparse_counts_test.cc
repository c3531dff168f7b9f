// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/sparse_counts.h"

#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Entry = SparseCounts::Entry;

TEST(SparseCounts, ListsTheDomainsWithACount) {
  SparseCounts counts;
  counts.Increase(7);
  counts.Increase(3);
  counts.Increase(7);
  EXPECT_EQ(counts.At(7), 2u);
  EXPECT_EQ(counts.At(5), 0u);
  EXPECT_THAT(counts.Entries(), UnorderedElementsAre(Entry{7, 2}, Entry{3, 1}));
  counts.Decrease(3);
  EXPECT_THAT(counts.Entries(), UnorderedElementsAre(Entry{7, 2}));
  counts.Decrease(7);
  counts.Decrease(7);
  EXPECT_THAT(counts.Entries(), IsEmpty());
}

// Grows and shrinks through all sizes at which the look-up method changes.
TEST(SparseCounts, AgreesWithAMap) {
  std::mt19937 random(1);
  SparseCounts counts;
  std::map<Domain, uint32_t> expected;
  for (int step = 0; step < 40000; ++step) {
    const Domain domain = random() % 300 * 64;
    // The counts rise for a while, then fall.
    const bool grow = random() % 10 < (step / 2000 % 2 == 0 ? 7u : 2u);
    if (grow) {
      counts.Increase(domain);
      ++expected[domain];
    } else if (const auto found = expected.find(domain); found != expected.end()) {
      counts.Decrease(domain);
      if (--found->second == 0) expected.erase(found);
    }
    const auto found = expected.find(domain);
    ASSERT_EQ(counts.At(domain), found == expected.end() ? 0 : found->second) << step;
    ASSERT_EQ(counts.Entries().size(), expected.size()) << step;
  }
  for (const auto& [domain, count] : counts.Entries()) EXPECT_EQ(expected[domain], count);
}

}  // namespace
}  // namespace berth::scheduler
