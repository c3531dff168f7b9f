// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/vocabulary.h"

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

TEST(Vocabulary, GivesEachTextOneSymbolForEver) {
  Vocabulary words;
  const Symbol zone = words.Intern("zone");
  const std::string_view text = words.Text(zone);
  for (int i = 0; i < 1000; ++i) words.Intern("word-" + std::to_string(i));
  EXPECT_EQ(words.Intern(std::string("zone")), zone);
  EXPECT_EQ(words.Find("zone"), zone);
  EXPECT_EQ(words.Text(zone).data(), text.data()) << "text must not move as the table grows";
  EXPECT_EQ(words.Text(words.Find("word-999")), "word-999");
  EXPECT_EQ(words.size(), 1002u);
}

TEST(Vocabulary, HasNoSymbolForTheEmptyTextAndForUnknownOnes) {
  Vocabulary words;
  EXPECT_EQ(words.Intern(""), kNoSymbol);
  EXPECT_EQ(words.Find("never seen"), kNoSymbol);
  EXPECT_EQ(words.Text(kNoSymbol), "");
  EXPECT_EQ(words.size(), 1u) << "Find adds nothing";
}

}  // namespace
}  // namespace berth::scheduler
