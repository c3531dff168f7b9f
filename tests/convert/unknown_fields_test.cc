// SPDX-License-Identifier: Apache-2.0
#include "convert/unknown_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/old_scheduler_config.h"

namespace berth::convert {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(UnknownFields, AreFoundAtEveryDepth) {
  const json::Type& type = json::TypeOf<api::OldSchedulerConfiguration>();
  EXPECT_THAT(UnknownFields(R"({"kind":"x","profiles":[{"schedulerName":"a"}]})", type), IsEmpty());
  EXPECT_THAT(UnknownFields(R"({"a":1,"profiles":[{},{"b":{},"plugins":{"score":{"c":[],"enabled":)"
                            R"([{"name":"x","d":1}]}}}],"leaderElection":{"e":null}})",
                            type),
              ElementsAre("a", "leaderElection.e", "profiles[1].b", "profiles[1].plugins.score.c",
                          "profiles[1].plugins.score.enabled[0].d"));
  EXPECT_THAT(
      UnknownFields(R"({"profiles":null,"pluginConfig":[{"name":"x","args":{"any":1}}]})", type),
      IsEmpty());
}

}  // namespace
}  // namespace berth::convert
