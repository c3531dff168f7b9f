// SPDX-License-Identifier: Apache-2.0
#include "base/time.h"

#include "base/check.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

// CheckText prints what was read, and reads and prints that.
template <class T>
void CheckText(std::string_view input) {
  const auto value = T::Parse(input);
  if (!value) {
    BERTH_CHECK(!value.error().message().empty(), "a mistake without a text");
    return;
  }
  const std::string text = value->ToString();
  const auto again = T::Parse(text);
  BERTH_CHECK(again.has_value(), "what was printed is not read");
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
              "a part is lost");
}

}  // namespace berth::fuzz
