// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

// Type rules of plain scalars, shared by the reader and the writer in this directory.
namespace berth::yaml {

// Returns the value of a plain scalar by the table in yaml.h. .inf and .nan are returned as
// doubles, which JSON does not have.
nlohmann::json ResolvePlain(std::string_view text);

// Reports whether `text`, unquoted, is the same string in YAML 1.1 and 1.2. Stricter than
// necessary: accepts letters, digits and safe punctuation beginning with a letter, '/' or '_'.
bool IsPlainWord(std::string_view text);

}  // namespace berth::yaml
