// SPDX-License-Identifier: Apache-2.0
#include "sandbox/demo/narrator.h"

#include <csignal>
#include <sstream>

#include <gmock/gmock.h>

#include "base/fake_clock.h"
#include "operator/commands/signals.h"

namespace berth::sandbox {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class NarratorTest : public ::testing::Test {
 protected:
  operator_::TerminationSignal signal_;
  FakeClock clock_;
  std::ostringstream out_;
};

TEST_F(NarratorTest, WritesPlainTextWithoutTerminal) {
  Narrator narrator(out_, signal_, clock_, false);
  narrator.Heading("Title");
  int asked = 0;
  ASSERT_TRUE(narrator.Await("it", std::chrono::seconds(9), [&]() -> Result<std::string> {
    return ++asked < 3 ? "not yet" : "";
  }));
  narrator.Line("line");
  EXPECT_EQ(out_.str(), "\nTitle\n  line\n");
}

TEST_F(NarratorTest, ShowsTransientProgressOnTerminal) {
  Narrator narrator(out_, signal_, clock_, true);
  int asked = 0;
  ASSERT_TRUE(narrator.Await("it", std::chrono::seconds(9), [&]() -> Result<std::string> {
    return ++asked < 2 ? "not yet" : "";
  }));
  EXPECT_THAT(out_.str(), HasSubstr("it: not yet"));
  EXPECT_TRUE(out_.str().ends_with("\r\033[K")) << out_.str();
}

TEST_F(NarratorTest, TimeoutNamesMissingPart) {
  Narrator narrator(out_, signal_, clock_, false);
  const auto outcome =
      narrator.Await("the pod", std::chrono::seconds(9), [&]() -> Result<std::string> {
        clock_.Advance(std::chrono::seconds(5));
        return "phase Pending";
      });
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(outcome.error().Is(Reason::kTimeout));
  EXPECT_EQ(outcome.error().message(), "the pod: not within 9 s: phase Pending");
  EXPECT_EQ(narrator.Elapsed(), "10.0 s");
}

TEST_F(NarratorTest, InterruptEndsAwait) {
  Narrator narrator(out_, signal_, clock_, false);
  raise(SIGINT);
  const auto outcome = narrator.Await("it", std::chrono::seconds(9),
                                      []() -> Result<std::string> { return "not yet"; });
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(outcome.error().Is(Reason::kCanceled));
}

TEST_F(NarratorTest, AwaitReturnsErrorOfCheck) {
  Narrator narrator(out_, signal_, clock_, false);
  const auto outcome = narrator.Await("it", std::chrono::seconds(9), []() -> Result<std::string> {
    return Fail(Reason::kForbidden, "no");
  });
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(outcome.error().Is(Reason::kForbidden));
  EXPECT_THAT(out_.str(), Not(HasSubstr("no")));
}

}  // namespace
}  // namespace berth::sandbox
