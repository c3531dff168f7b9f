// SPDX-License-Identifier: Apache-2.0
#include "controllers/name_registry.h"

#include <gmock/gmock.h>

#include "tests/controllers/profiles.h"

namespace berth::controllers {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class NameRegistryTest : public testing::Test {
 protected:
  std::vector<std::string> Store(const crds::SchedulerProfile& profile,
                                 std::vector<std::string> in_use) {
    NameRegistry::Planning planning(registry_);
    return planning.Store(profile, {.in_use = std::move(in_use), .given_up = {}});
  }

  NameRegistry registry_;
  crds::SchedulerProfile profile_ = MakeProfile("a", "{aliases: [x]}");
};

TEST_F(NameRegistryTest, FirstPlanFreesNamesOfTheStatus) {
  profile_.status.scheduler.names = {"a", "x", "old"};
  EXPECT_THAT(Store(profile_, {"a", "x"}), ElementsAre("old"));
}

TEST_F(NameRegistryTest, LaterPlansFreeNamesOfThePlanBefore) {
  Store(profile_, {"a", "x"});
  profile_.status.scheduler.names = {"a", "x", "old"};
  EXPECT_THAT(Store(profile_, {"a", "x"}), IsEmpty());
  EXPECT_THAT(Store(profile_, {"a"}), ElementsAre("x"));
}

TEST_F(NameRegistryTest, ReleaseReturnsTheNamesOnce) {
  Store(profile_, {"a", "x"});
  EXPECT_THAT(registry_.Release("a"), ElementsAre("a", "x"));
  EXPECT_THAT(registry_.Release("a"), IsEmpty());
}

TEST_F(NameRegistryTest, HasOwnerIfAProfileCanServeTheName) {
  const Profiles all = {std::make_shared<const crds::SchedulerProfile>(profile_)};
  EXPECT_TRUE(registry_.HasOwner("x", all));
  EXPECT_FALSE(registry_.HasOwner("y", all));
  EXPECT_FALSE(registry_.HasOwner("x", {}));
}

}  // namespace
}  // namespace berth::controllers
