// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/label_matcher.h"

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

api::Requirement Require(api::Requirement::Operator op, std::vector<std::string> values) {
  return {.key = "app", .op = op, .values = std::move(values)};
}

class LabelMatcherTest : public ::testing::Test {
 protected:
  LabelSet App(const std::string& value) { return LabelSet({{"app", value}}, words_); }

  Vocabulary words_;
};

TEST_F(LabelMatcherTest, LastingMatcherMatchesStringsInternedLater) {
  api::Selector selector = api::Selector::Everything();
  selector.Add(Require(api::Requirement::Operator::kIn, {"web", "db", "web"}));
  const LabelMatcher matcher = LabelMatcher::Lasting(selector, words_);
  EXPECT_TRUE(matcher.Matches(App("web")));
  EXPECT_TRUE(matcher.Matches(App("db")));
  EXPECT_FALSE(matcher.Matches(App("cache")));
  EXPECT_FALSE(matcher.Matches(App("")));
  EXPECT_FALSE(matcher.Matches({}));
  EXPECT_EQ(matcher.requirements()[0].values.size(), 2u) << "values are unique";
}

TEST_F(LabelMatcherTest, NothingMatchesNoLabelsAndEverythingMatchesAny) {
  EXPECT_FALSE(LabelMatcher::Lasting(api::Selector::Nothing(), words_).Matches(App("web")));
  EXPECT_TRUE(LabelMatcher::Lasting(api::Selector::Everything(), words_).Matches({}));
}

TEST_F(LabelMatcherTest, PassingInternsNoStrings) {
  const std::vector<api::Requirement> requirements = {
      Require(api::Requirement::Operator::kNotIn, {"unheard", ""})};
  const LabelSet web = App("web");
  const size_t words = words_.size();
  const LabelMatcher matcher = LabelMatcher::Passing(requirements, words_);
  EXPECT_EQ(words_.size(), words);
  EXPECT_TRUE(matcher.Matches(web));
  EXPECT_TRUE(matcher.Matches({}));
  EXPECT_FALSE(matcher.Matches(App(""))) << "the empty string is a value";
}

}  // namespace
}  // namespace berth::scheduler
