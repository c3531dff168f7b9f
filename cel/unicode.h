// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Strings are UTF-8 in memory; expressions count and index code points. A byte that belongs to no
// valid sequence counts as one code point, U+FFFD.
namespace berth::cel {

inline constexpr char32_t kReplacement = 0xFFFD;

size_t CountCodePoints(std::string_view text);

std::u32string ToCodePoints(std::string_view text);

std::string FromCodePoints(std::u32string_view points);

// AppendUtf8 appends a code point; surrogates and what lies beyond U+10FFFF become U+FFFD.
void AppendUtf8(char32_t point, std::string& out);

// FindText gives the byte at which `wanted` first stands at or behind the byte `from`, or npos. It
// takes time linear in the text whatever is wanted, which std::string_view::find does not.
size_t FindText(std::string_view text, std::string_view wanted, size_t from = 0);

// NextCodePoint takes one code point from the front. Requires: !text.empty().
char32_t NextCodePoint(std::string_view& text);

}  // namespace berth::cel
