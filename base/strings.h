// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// String utilities. All are pure. Text is bytes; letters are ASCII unless noted.
namespace berth {

// Returns the candidate that the user most likely meant, for error messages. Prefers one that
// differs only in case, then the one with the fewest edits (insert, delete, replace, swap of
// neighbours). At most a third of the longer word, and no more than 4, may be edited. The first
// candidate wins a tie. Returns nullopt if no candidate is close enough.
std::optional<std::string> NearestName(std::string_view word,
                                       std::span<const std::string> candidates);
std::optional<std::string> NearestName(std::string_view word,
                                       std::span<const std::string_view> candidates);

std::string Join(std::span<const std::string> parts, std::string_view separator);
std::string Join(std::span<const std::string_view> parts, std::string_view separator);

// Splits at each separator: n separators give n+1 parts, so "" gives one empty part. Parts point
// into `text`.
std::vector<std::string_view> Split(std::string_view text, char separator);

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Puts text in double quotes without escaping; use json::Quoted to escape.
std::string Quote(std::string_view text);

// Trims blanks, tabs, line ends, vertical tabs and form feeds from both ends.
std::string_view TrimSpace(std::string_view text);

std::string ToLower(std::string_view text);

bool IsValidUtf8(std::string_view text);

// Replaces each byte that is not part of a valid UTF-8 sequence (no surrogates, no overlong forms)
// with U+FFFD.
std::string ReplaceInvalidUtf8(std::string_view text);

}  // namespace berth
