// SPDX-License-Identifier: Apache-2.0
#include "controllers/drift_corrections.h"

#include <gtest/gtest.h>

#include "api/apps.h"
#include "base/fake_clock.h"

namespace berth::controllers {
namespace {

using std::chrono::seconds;

const ObjectKey kKey{&api::Deployment::kResource, "n", "berth-a"};
constexpr const char* kField = "spec.replicas";

class DriftCorrectionsTest : public testing::Test {
 protected:
  void RepairEvery(seconds interval, int times) {
    for (int i = 0; i < times; ++i) {
      EXPECT_FALSE(MustWait()) << "correction " << i;
      corrections_.Note(kKey, kField, clock_.Now());
      clock_.Advance(interval);
    }
  }
  bool MustWait() const { return corrections_.MustWait(kKey, kField, clock_.Now()); }
  void Review(const std::vector<Difference>& differences) {
    corrections_.Review(kKey, differences, clock_.Now());
  }

  FakeClock clock_;
  DriftCorrections corrections_;
};

TEST_F(DriftCorrectionsTest, SixthCorrectionWithinAMinuteWaits) {
  RepairEvery(seconds(2), 5);
  EXPECT_TRUE(MustWait());
  EXPECT_FALSE(corrections_.MustWait(kKey, "spec.paused", clock_.Now())) << "another field";
  clock_.Advance(seconds(58));
  EXPECT_FALSE(MustWait()) << "once a minute";
}

TEST_F(DriftCorrectionsTest, SlowCorrectionsNeverWait) {
  RepairEvery(seconds(16), 20);
  EXPECT_FALSE(MustWait());
}

TEST_F(DriftCorrectionsTest, ContestedFieldIsCorrectedOnceAMinute) {
  RepairEvery(seconds(1), 5);
  corrections_.Declare(kKey, kField, "field manager keda");
  ASSERT_EQ(corrections_.ContestsOf(kKey, clock_.Now()).at(kField).rival, "field manager keda");
  EXPECT_EQ(corrections_.ContestsOf(kKey, clock_.Now()).at(kField).wait, seconds(59));
  for (int i = 0; i < 3; ++i) {
    clock_.Advance(seconds(60));
    Review({{kField, "3"}});
    RepairEvery(seconds(1), 1);
    EXPECT_TRUE(MustWait());
    Review({});
    EXPECT_TRUE(corrections_.IsDeclared(kKey, kField)) << "a second is too short";
  }
  clock_.Advance(seconds(60));
  Review({});
  EXPECT_FALSE(corrections_.IsDeclared(kKey, kField));
  EXPECT_TRUE(corrections_.ContestsOf(kKey, clock_.Now()).empty());
}

}  // namespace
}  // namespace berth::controllers
