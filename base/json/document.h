// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

// Fast parsing and printing of untyped JSON documents. The results equal parse() and dump() of
// nlohmann::json, several times faster. An API server spends most of its time per object here.
namespace berth::json {

// Parses a document. Returns a discarded value for invalid JSON. The last of duplicate keys wins.
nlohmann::json ReadDocument(std::string_view text);

// Parses a document that all JSON parsers read alike: valid JSON and UTF-8, no duplicate keys,
// nesting below kPlainDepth. Returns nullopt otherwise; a slower parser can then find the error, if
// there is one.
inline constexpr size_t kPlainDepth = 1000;
std::optional<nlohmann::json> ReadPlainDocument(std::string_view text);

// Appends compact text. Invalid UTF-8 is replaced by U+FFFD.
void AppendDocument(const nlohmann::json& document, std::string& out);
std::string DocumentText(const nlohmann::json& document);

// Returns a value as a line shows it. The first 40 characters of a text with more than 200, and
// nothing of a list or an object with as many. Requires: `value` is JSON, or empty.
std::string ShownText(std::string_view value);

}  // namespace berth::json
