// SPDX-License-Identifier: Apache-2.0
#include "base/regex.h"

#include <re2/re2.h>

namespace berth {

Result<std::shared_ptr<const Regex>> Regex::Compile(std::string_view pattern) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(8 << 20);
  auto compiled =
      std::make_unique<const RE2>(re2::StringPiece(pattern.data(), pattern.size()), options);
  if (!compiled->ok()) {
    return Fail(Reason::kInvalid, "error parsing regexp: " + compiled->error());
  }
  return std::make_shared<const Regex>(std::move(compiled));
}

Regex::Regex(std::unique_ptr<const re2::RE2> compiled) : compiled_(std::move(compiled)) {}
Regex::~Regex() = default;

bool Regex::Matches(std::string_view text) const {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *compiled_);
}

}  // namespace berth
