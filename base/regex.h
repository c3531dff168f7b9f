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

// Regex is a regular expression in RE2 syntax, which Go also uses. Matching takes linear time for
// every pattern. Immutable; any thread may use it.
class Regex {
 public:
  // Errors (kInvalid) describe the error in the pattern. Patterns that compile to more than 8 MiB
  // are rejected.
  static Result<std::shared_ptr<const Regex>> Compile(std::string_view pattern);

  explicit Regex(std::unique_ptr<const re2::RE2> compiled);
  ~Regex();

  // Reports whether any part of the text matches.
  bool Matches(std::string_view text) const;

 private:
  std::unique_ptr<const re2::RE2> compiled_;
};

}  // namespace berth
