// SPDX-License-Identifier: Apache-2.0
// Compiles and evaluates the expressions of the case files and reproducible mutations of them, as a
// fast substitute for libFuzzer.
#include <random>

#include <gtest/gtest.h>

#include "tests/cel/case_file.h"
#include "tests/cel/compile_and_evaluate.h"

namespace berth::cel {
namespace {

class Mutator {
 public:
  explicit Mutator(const std::vector<Case>& seeds) : seeds_(seeds) {}

  std::string Next() {
    std::string text = Seed();
    for (size_t edits = 1 + Below(4); edits > 0; --edits) Edit(text);
    return text;
  }

 private:
  size_t Below(size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  const std::string& Seed() { return seeds_[Below(seeds_.size())].expression; }

  void Edit(std::string& text) {
    constexpr std::string_view kAlphabet =
        "()[]{}.,?:!&|+-*/%<>='\"\\rb0123456789uxe \n_aselfin\xc3\xff";
    const size_t at = Below(text.size() + 1);
    const size_t length = Below(std::min<size_t>(text.size() - at, 12) + 1);
    switch (Below(5)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, 1, kAlphabet[Below(kAlphabet.size())]);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3: {
        const std::string& other = Seed();
        const size_t from = Below(other.size());
        text.replace(at, length, other.substr(from, Below(20)));
        break;
      }
      default:
        text = "(" + text + ")" + (Below(2) == 0 ? " + " : " == ") + Seed();
    }
  }

  const std::vector<Case>& seeds_;
  std::mt19937_64 random_{20260101};  // NOLINT: the same numbers each time
};

TEST(CompileAndEvaluate, HandlesSeedsAndTheirMutations) {
  const std::vector<Case> seeds = ReadCases();
  ASSERT_FALSE(seeds.empty());
  for (const Case& seed : seeds) CompileAndEvaluate(seed.expression);
  Mutator mutator(seeds);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = mutator.Next();
    SCOPED_TRACE(text);
    CompileAndEvaluate(text);
  }
}

}  // namespace
}  // namespace berth::cel
