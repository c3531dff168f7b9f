// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

// The type rules of plain scalars; for the reader and the writer of this folder only.
namespace berth::yaml {

// ResolvePlain gives what a plain scalar stands for, by the table in yaml.h. .inf and .nan come
// back as such doubles, which JSON does not have.
nlohmann::json ResolvePlain(std::string_view text);

// IsPlainWord says that `text`, written without quotes, is the same string to every reader of
// YAML 1.1 and 1.2. It is stricter than it would have to be: words of letters, digits and harmless
// signs that begin with a letter, '/' or '_'.
bool IsPlainWord(std::string_view text);

}  // namespace berth::yaml
