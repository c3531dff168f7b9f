// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/tolerations.h"

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

const api::Taint kGpu{.key = "gpu", .value = "a100", .effect = "NoSchedule"};

TEST(Tolerations, CompareEffectKeyAndOperator) {
  const struct {
    api::Toleration toleration;
    bool tolerates;
  } cases[] = {
      {{.key = "gpu", .op = "Equal", .value = "a100", .effect = "NoSchedule"}, true},
      {{.key = "gpu", .value = "a100"}, true},  // no operator means Equal, no effect means all
      {{.key = "gpu", .op = "Exists"}, true},
      {{.key = "gpu", .op = "Exists", .value = "ignored"}, true},
      {{.op = "Exists"}, true},
      {{.op = "Equal", .value = "a100"}, true},  // an empty key still compares the value
      {{.op = "Equal"}, false},
      {{.key = "gpu", .op = "Equal", .value = "h100"}, false},
      {{.key = "gpu", .op = "Exists", .effect = "NoExecute"}, false},
      {{.key = "tpu", .op = "Exists"}, false},
      {{.key = "gpu", .op = "Gt", .value = "1"}, false},
      {{.key = "gpu", .op = "exists"}, false},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(Tolerates(test.toleration, kGpu), test.tolerates) << &test - cases;
  }
}

TEST(Tolerations, OnlyBlockingTaintsCount) {
  const api::Taint soft{.key = "slow", .effect = "PreferNoSchedule"};
  const api::Taint evict{.key = "gone", .effect = "NoExecute"};
  EXPECT_TRUE(ToleratesAllBlocking({}, {soft}));
  EXPECT_FALSE(ToleratesAllBlocking({}, {soft, evict}));
  EXPECT_FALSE(ToleratesAllBlocking({{.key = "gone", .op = "Exists"}}, {evict, kGpu}));
  EXPECT_TRUE(ToleratesAllBlocking(
      {{.key = "gone", .op = "Exists"}, {.key = "gpu", .op = "Exists"}}, {evict, kGpu}));
}

TEST(Tolerations, KeyIgnoresOrderAndSpelling) {
  const api::Toleration a{.key = "a", .op = "Exists"};
  const api::Toleration b{.key = "b", .value = "1", .toleration_seconds = 30};
  const api::Toleration same_b{.key = "b", .op = "Equal", .value = "1"};
  EXPECT_EQ(TolerationsKey({a, b}), TolerationsKey({same_b, a}));
  EXPECT_EQ(TolerationsKey({}), "");
}

TEST(Tolerations, DifferentListsHaveDifferentKeys) {
  const std::vector<std::vector<api::Toleration>> lists = {
      {},
      {{}},
      {{}, {}},
      {{.key = "a"}},
      {{.value = "a"}},
      {{.effect = "a"}},
      {{.key = "a", .op = "Exists"}},
      {{.key = "a", .value = "b"}},
      {{.key = "ab"}},
      {{.key = "a"}, {.key = "b"}},
      {{.key = "1:a"}},
  };
  for (const auto& one : lists) {
    for (const auto& other : lists) {
      EXPECT_EQ(TolerationsKey(one) == TolerationsKey(other), &one == &other)
          << &one - lists.data() << " " << &other - lists.data();
    }
  }
}

}  // namespace
}  // namespace berth::scheduler
