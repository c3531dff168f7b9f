// SPDX-License-Identifier: Apache-2.0
#include "cel/regex.h"

#include <re2/re2.h>

#include "cel/unicode.h"

namespace berth::cel {

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

std::vector<std::string_view> Regex::FindAll(std::string_view text, size_t limit) const {
  std::vector<std::string_view> found;
  const re2::StringPiece whole(text.data(), text.size());
  re2::StringPiece match;
  size_t at = 0;
  size_t last_end = std::string_view::npos;
  while (at <= text.size() && found.size() < limit &&
         compiled_->Match(whole, at, text.size(), RE2::UNANCHORED, &match, 1)) {
    const auto begin = static_cast<size_t>(match.data() - text.data());
    const size_t end = begin + match.size();
    // As in Go, an empty match right behind a match does not count.
    if (!match.empty() || begin != last_end) found.push_back(text.substr(begin, match.size()));
    last_end = end;
    if (!match.empty()) {
      at = end;
      continue;
    }
    std::string_view rest = text.substr(end);
    if (rest.empty()) break;
    NextCodePoint(rest);
    at = text.size() - rest.size();
  }
  return found;
}

}  // namespace berth::cel
