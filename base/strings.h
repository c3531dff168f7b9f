// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Small functions on text. All are pure; text is bytes, letters are ASCII unless said.
namespace berth {

// NearestName is the candidate the user most likely meant: one that differs only in case, else the
// one with the fewest edits (insert, delete, replace, swap of neighbours), if these are at most a
// third of the longer word and no more than 4. Of equals the first. Nothing when none is that near.
std::optional<std::string> NearestName(std::string_view word,
                                       std::span<const std::string> candidates);
std::optional<std::string> NearestName(std::string_view word,
                                       std::span<const std::string_view> candidates);

std::string Join(std::span<const std::string> parts, std::string_view separator);
std::string Join(std::span<const std::string_view> parts, std::string_view separator);

// Split cuts at each separator: n separators give n+1 parts, so "" gives one empty part. Parts
// point into `text`.
std::vector<std::string_view> Split(std::string_view text, char separator);

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Quote puts text between double quotes as it is; json::Quoted escapes what needs it.
std::string Quote(std::string_view text);

// TrimSpace removes blanks, tabs, line ends, vertical tabs and form feeds at both ends.
std::string_view TrimSpace(std::string_view text);

std::string ToLower(std::string_view text);

bool IsValidUtf8(std::string_view text);

// ReplaceInvalidUtf8 puts U+FFFD for each byte that is not part of a valid sequence (no surrogates,
// no overlong forms).
std::string ReplaceInvalidUtf8(std::string_view text);

}  // namespace berth
