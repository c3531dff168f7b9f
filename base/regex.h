// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace re2 {
class RE2;
}

namespace berth {

// Regex is a regular expression in RE2's syntax, which Go's is as well: matching takes time linear
// in the text, whatever the pattern. Immutable; any thread may use it.
class Regex {
 public:
  // Errors (kInvalid) say what is wrong with the pattern. Patterns that would need more than 8 MiB
  // compiled are refused.
  static Result<std::shared_ptr<const Regex>> Compile(std::string_view pattern);

  explicit Regex(std::unique_ptr<const re2::RE2> compiled);
  ~Regex();

  // Matches says whether some part of the text matches.
  bool Matches(std::string_view text) const;

 private:
  std::unique_ptr<const re2::RE2> compiled_;
};

}  // namespace berth
