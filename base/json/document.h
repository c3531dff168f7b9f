// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

// Documents of any shape, as text and back. Both give what the library's own parse() and dump()
// give, several times faster: most of what an API server does with an object is this.
namespace berth::json {

// ReadDocument gives a discarded value for text that is no JSON. Of equal keys the last counts.
nlohmann::json ReadDocument(std::string_view text);

// ReadPlainDocument gives a document that all readers understand alike: valid JSON and UTF-8, no
// object with a key twice, nested less than kPlainDepth times. Nothing for other text, of which a
// slower reader may find out what is wrong with it, if anything is.
inline constexpr size_t kPlainDepth = 1000;
std::optional<nlohmann::json> ReadPlainDocument(std::string_view text);

// AppendDocument appends compact text; what is no UTF-8 is replaced by U+FFFD.
void AppendDocument(const nlohmann::json& document, std::string& out);
std::string DocumentText(const nlohmann::json& document);

}  // namespace berth::json
