// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text_error.h"

// YAML as Kubernetes' tools read and write it. Everything behind this header works on JSON text;
// YAML is a skin on it.
//
// Threads: all functions are pure and thread safe.
namespace berth::yaml {

inline constexpr int kMaxDepth = 100;
inline constexpr int kMaxNodes = 100'000;  // of one document, keys too, aliases expanded
// Of a text that is no JSON. yaml-cpp keeps some 240 bytes for each byte of a flow collection until
// that ends.
inline constexpr size_t kMaxYamlBytes = size_t{4} << 20;

// ToJson reads one document and gives it as compact JSON with sorted keys; an empty text is "null".
// Text that begins with '{' or '[' is read as JSON, and as YAML only if it is none.
//
// Plain scalars get the type that sigs.k8s.io/yaml (kubectl) gives them; quoted and block scalars
// are strings:
//   null     nothing, ~, null Null NULL
//   boolean  true false yes no on off y n, each as xx, Xx or XX
//   integer  12, +12, -12, 0x1F, 0b101, 0o17, 017 (octal), 1_000
//   number   1.5, .5, 1e+3, 1e-3, 1.5e3; whole numbers and those that do not fit 64 bits as well;
//   beyond a double: a string string   everything else, dates too
// A tag !!str, !!int, !!float, !!bool, !!null, !!map or !!seq settles the type; other tags are
// refused. Keys that are numbers or booleans become text. `<<` merges mappings: own keys win, then
// earlier ones.
//
// Errors (kConfig) begin with "line L, column C: ". Of text that is meant as JSON and neither JSON nor
// YAML they say what is wrong with the JSON. Refused: two documents, duplicate keys, a null
// or a collection as key, more than kMaxDepth levels or kMaxNodes nodes, .inf and .nan, and YAML
// of more than kMaxYamlBytes.
Result<std::string> ToJson(std::string_view text);

// DocumentsToJson reads a stream of documents, separated by "---"; empty ones are left out.
Result<std::vector<std::string>> DocumentsToJson(std::string_view text);

// ErrorIn is what DocumentsToJson would refuse, with its place; nothing for a text that it reads.
std::optional<TextError> ErrorIn(std::string_view text);

// FromJson writes canonical YAML: keys sorted bytewise, two spaces of indent, "- " at the indent of
// its key as kubectl prints, a line end at the end; same JSON, same bytes. A string stands plain
// only if readers of YAML 1.1 and 1.2 both take it for one; text of several lines is a literal
// block where that keeps every byte, all else is in double quotes. ToJson(FromJson(x)) is x.
//
// Requires: valid JSON, as json::Encode and ToJson give; anything else is a bug and aborts. Invalid
// UTF-8 becomes U+FFFD.
std::string FromJson(std::string_view json_text);

}  // namespace berth::yaml
