// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/vocabulary.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

TEST(Vocabulary, EachHeldStringHasOneSymbol) {
  Vocabulary words;
  const Word zone = words.Intern("zone");
  const std::string* text = &zone.text();
  std::vector<Word> others;
  for (int i = 0; i < 1000; ++i) others.push_back(words.Intern("word-" + std::to_string(i)));
  EXPECT_EQ(words.Intern(std::string("zone")), zone);
  EXPECT_EQ(words.Find("zone"), zone.symbol());
  EXPECT_EQ(&words.Text(zone), text)
      << "the address of a string must not change as the table grows";
  EXPECT_EQ(words.Text(words.Find("word-999")), "word-999");
  EXPECT_EQ(words.size(), 1002u);
}

TEST(Vocabulary, ReturnsNoSymbolForEmptyAndUnknownStrings) {
  Vocabulary words;
  EXPECT_EQ(words.Intern("").symbol(), kNoSymbol);
  EXPECT_EQ(words.Intern("").text(), "");
  EXPECT_EQ(words.Find(""), kNoSymbol);
  EXPECT_EQ(words.Find("never seen"), kNoSymbol);
  EXPECT_EQ(words.Text(kNoSymbol), "");
  EXPECT_EQ(words.size(), 1u) << "Find adds nothing";
}

TEST(Vocabulary, ReusesTheSymbolAfterTheLastHolder) {
  Vocabulary words;
  Word first = words.Intern("zone");
  const Symbol symbol = first;
  Word copy = first;
  Word moved = std::move(first);
  copy = Word();
  EXPECT_EQ(words.Find("zone"), symbol);
  moved = words.Intern("other");
  EXPECT_EQ(words.Find("zone"), kNoSymbol);
  EXPECT_EQ(words.size(), 2u);
  const Word next = words.Intern("next");
  EXPECT_EQ(next.symbol(), symbol);
  EXPECT_EQ(words.Text(symbol), "next");
  EXPECT_EQ(words.Find("next"), symbol);
}

TEST(Vocabulary, SelfAssignmentKeepsTheString) {
  Vocabulary words;
  Word zone = words.Intern("zone");
  const Word& same = zone;
  zone = same;
  EXPECT_EQ(zone.text(), "zone");
}

TEST(Vocabulary, CapacityIsTheHighestNumberOfHeldStrings) {
  Vocabulary words;
  for (int i = 0; i < 100'000; ++i) {
    const Word a = words.Intern("a-" + std::to_string(i));
    const Word b = words.Intern("b-" + std::to_string(i));
    ASSERT_NE(a.symbol(), b.symbol());
  }
  EXPECT_EQ(words.size(), 1u);
  EXPECT_EQ(words.capacity(), 3u);
}

TEST(Vocabulary, SymbolsStayValidThroughReuse) {
  Vocabulary words;
  std::mt19937 random(1);
  std::map<std::string, std::vector<Word>> held;
  for (int step = 0; step < 100'000; ++step) {
    const std::string text = "text-" + std::to_string(random() % 500);
    std::vector<Word>& holders = held[text];
    if (random() % 2 == 0) {
      holders.push_back(words.Intern(text));
    } else if (!holders.empty()) {
      holders.pop_back();
    }
    ASSERT_EQ(words.Find(text) == kNoSymbol, holders.empty()) << text;
    if (holders.empty()) continue;
    ASSERT_EQ(words.Find(text), holders.front().symbol());
  }
  std::map<Symbol, std::string> texts;
  for (const auto& [text, holders] : held) {
    for (const Word& word : holders) EXPECT_EQ(word.text(), text);
    if (holders.empty()) continue;
    EXPECT_TRUE(texts.emplace(holders.front().symbol(), text).second) << text;
  }
  EXPECT_EQ(words.size(), texts.size() + 1);
  EXPECT_LE(words.capacity(), 501u);
}

TEST(VocabularyDeathTest, MustOutliveItsHolders) {
  EXPECT_DEATH(
      {
        auto words = std::make_unique<Vocabulary>();
        const Word zone = words->Intern("zone");
        words.reset();
      },
      "\"zone\" is still held");
}

}  // namespace
}  // namespace berth::scheduler
