// SPDX-License-Identifier: Apache-2.0
#include "base/regex.h"

#include "base/check.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {

// A pattern in the first line, and a text to match.
void Regex(std::string_view input) {
  const size_t end = std::min(input.find('\n'), input.size());
  const auto regex = berth::Regex::Compile(input.substr(0, end));
  if (regex) {
    (*regex)->Matches(input.substr(end));
  } else {
    BERTH_CHECK(!regex.error().message().empty(), "an error without a message");
  }
}

}  // namespace berth::fuzz
