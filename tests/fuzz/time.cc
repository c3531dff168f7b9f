// SPDX-License-Identifier: Apache-2.0
#include "base/time.h"

#include "base/check.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

// Prints a parsed value, and parses and prints the result again.
template <class T>
void CheckText(std::string_view input) {
  const auto value = T::Parse(input);
  if (!value) {
    BERTH_CHECK(!value.error().message().empty(), "an error without a message");
    return;
  }
  const std::string text = value->ToString();
  const auto again = T::Parse(text);
  BERTH_CHECK(again.has_value(), "a printed value does not parse");
  BERTH_CHECK(again->ToString() == text, "a value has two forms");
}

}  // namespace

void TimeText(std::string_view input) {
  CheckText<Time>(input);
  CheckText<MicroTime>(input);
  CheckText<Duration>(input);
  const auto length = Duration::Parse(input);
  if (!length) return;
  BERTH_CHECK(Duration::Parse(length->ToString()).value_or(Duration()) == *length,
              "precision was lost");
}

}  // namespace berth::fuzz
