// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text_error.h"

// YAML as Kubernetes' tools read and write it. The functions convert YAML from and to JSON text;
// all other code works on JSON.
//
// Threads: all functions are pure and thread safe.
namespace berth::yaml {

inline constexpr int kMaxDepth = 100;
inline constexpr int kMaxNodes = 100'000;  // per document, including keys and expanded aliases
// Maximum size of YAML that is not JSON. yaml-cpp uses about 240 bytes per byte of a flow
// collection until the collection ends.
inline constexpr size_t kMaxYamlBytes = size_t{4} << 20;

// Converts one document to compact JSON with sorted keys; an empty text becomes "null". Text that
// begins with '{' or '[' is parsed as JSON first, then as YAML.
//
// Plain scalars get the same type as in sigs.k8s.io/yaml (kubectl); quoted and block scalars are
// strings:
//   null     nothing, ~, null Null NULL
//   boolean  true false yes no on off y n, each as xx, Xx or XX
//   integer  12, +12, -12, 0x1F, 0b101, 0o17, 017 (octal), 1_000
//   number   1.5, .5, 1e+3, 1e-3, 1.5e3; also integers beyond 64 bits; beyond a double: a string
//   string   everything else, also dates
// The tags !!str, !!int, !!float, !!bool, !!null, !!map and !!seq set the type; other tags are
// rejected. Number and boolean keys become text. `<<` merges mappings; own keys win, then earlier
// ones.
//
// Errors (kConfig) begin with "line L, column C: ". If the text is neither JSON nor YAML and looks
// like JSON, they describe the JSON error. Rejected: two documents, duplicate keys, a null or a
// collection as key, more than kMaxDepth levels or kMaxNodes nodes, .inf and .nan, and YAML of more
// than kMaxYamlBytes.
Result<std::string> ToJson(std::string_view text);

// Converts a stream of documents separated by "---". Empty documents are omitted.
Result<std::vector<std::string>> DocumentsToJson(std::string_view text);

// Returns the error DocumentsToJson would report, with its position, or nullopt.
std::optional<TextError> ErrorIn(std::string_view text);

// Writes canonical YAML: keys sorted bytewise, two spaces of indent, "- " at the indent of its key
// as in kubectl, a final line end. Equal JSON gives equal bytes. A string is plain only if YAML 1.1
// and 1.2 both read it as a string. Multi-line text is a literal block if that keeps every byte;
// all other strings are double-quoted. ToJson(FromJson(x)) is x.
//
// Requires: valid JSON, as returned by json::Encode and ToJson; other input is a bug and aborts.
// Invalid UTF-8 becomes U+FFFD.
std::string FromJson(std::string_view json_text);

}  // namespace berth::yaml
