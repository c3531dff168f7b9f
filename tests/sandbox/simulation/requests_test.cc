// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/requests.h"

#include <gtest/gtest.h>

#include "sandbox/simulation/control_loop.h"

namespace berth::simulation {
namespace {

TEST(SelectorText, WritesAllOperators) {
  api::LabelSelector selector;
  selector.match_labels = {{"app", "web"}};
  selector.match_expressions = {{.key = "tier", .op = "In", .values = {"a", "b"}},
                                {.key = "zone", .op = "NotIn", .values = {"x"}},
                                {.key = "gpu", .op = "Exists", .values = {}},
                                {.key = "old", .op = "DoesNotExist", .values = {}}};
  EXPECT_EQ(SelectorText(selector), "app=web,tier in (a,b),zone notin (x),gpu,!old");
}

TEST(ObjectName, RoundTripsThroughKey) {
  api::ObjectMeta metadata;
  metadata.name = "web";
  EXPECT_EQ(ObjectName::FromKey(api::KeyOf(metadata)).name, "web");
  EXPECT_EQ(ObjectName::FromKey(api::KeyOf(metadata)).ns, "");
  metadata.namespace_ = "shop";
  EXPECT_EQ(ObjectName::FromKey(api::KeyOf(metadata)).ns, "shop");
  EXPECT_EQ(ObjectName::FromKey("shop/web").Key(), "shop/web");
}

}  // namespace
}  // namespace berth::simulation
