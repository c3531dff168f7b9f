// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Strings are UTF-8 in memory; expressions count and index code points. An invalid byte counts as
// one code point, U+FFFD.
namespace berth::cel {

inline constexpr char32_t kReplacement = 0xFFFD;

size_t CountCodePoints(std::string_view text);

std::u32string ToCodePoints(std::string_view text);

std::string FromCodePoints(std::u32string_view points);

// Appends a code point. Surrogates and values above U+10FFFF become U+FFFD.
void AppendUtf8(char32_t point, std::string& out);

// Returns the position of the first occurrence of `wanted` at or after `from`, or npos. Always
// linear in the text, unlike std::string_view::find.
size_t FindText(std::string_view text, std::string_view wanted, size_t from = 0);

// Removes and returns the first code point. Requires: !text.empty().
char32_t NextCodePoint(std::string_view& text);

}  // namespace berth::cel
