// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/custom/schema_path.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

Failure Bad(std::string why) { return Fail(Reason::kInvalid, std::move(why)); }

const json* Find(const json& schema, std::string_view keyword) {
  const auto at = schema.find(keyword);
  return at == schema.end() || !at->is_object() ? nullptr : &*at;
}

// Tokens are the delimiters `.`, `[` and `]`, quoted texts, and what stands between those.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  bool AtEnd() const { return at_ >= text_.size(); }

  std::string_view Next() {
    constexpr std::string_view kDelimiters = ".[]";
    const size_t begin = at_;
    if (text_[at_] == '\'') {
      while (++at_ < text_.size() && !(text_[at_] == '\'' && text_[at_ - 1] != '\\')) {
      }
      at_ = std::min(at_ + 1, text_.size());
    } else if (kDelimiters.find(text_[at_]) != kDelimiters.npos) {
      ++at_;
    } else {
      at_ = std::min(text_.find_first_of(kDelimiters, at_), text_.size());
    }
    return text_.substr(begin, at_ - begin);
  }

 private:
  const std::string_view text_;
  size_t at_ = 0;
};

Result<std::string> Unquote(std::string_view token) {
  if (token.size() < 2 || token.front() != '\'' || token.back() != '\'')
    return Bad("expected single quoted string but got " + std::string(token));
  constexpr std::string_view kLetters = "abfnrtv'\\";
  constexpr std::string_view kMeant = "\a\b\f\n\r\t\v'\\";
  std::string text;
  for (size_t i = 1; i + 1 < token.size(); ++i) {
    if (token[i] != '\\') {
      text += token[i];
      continue;
    }
    const size_t letter = kLetters.find(token[++i]);
    if (letter == kLetters.npos)
      return Bad(std::string("invalid string literal: invalid escape char \\") + token[i]);
    text += kMeant[letter];
  }
  return text;
}

// One step down, by name or by key.
Result<void> Descend(const std::string& name, SchemaPath* place) {
  if (const json* properties = Find(*place->schema, "properties")) {
    place->text += (place->text.empty() ? "" : ".") + name;
    place->schema = Find(*properties, name);
    if (place->schema == nullptr) return Bad("does not refer to a valid field");
    return {};
  }
  const json* entries = Find(*place->schema, "additionalProperties");
  if (entries == nullptr) return Bad("does not refer to a valid field");
  place->text += "[" + name + "]";
  place->schema = entries;
  return {};
}

Result<void> DescendByKey(Tokens* tokens, SchemaPath* place) {
  if (tokens->AtEnd()) return Bad("unexpected end of JSON path");
  BERTH_TRY(const std::string name, Unquote(tokens->Next()));
  BERTH_TRY_VOID(Descend(name, place));
  if (tokens->AtEnd()) return Bad("unexpected end of JSON path");
  if (const std::string_view end = tokens->Next(); end != "]")
    return Bad("expected ] but got " + std::string(end));
  return {};
}

}  // namespace

Result<SchemaPath> ResolveSchemaPath(const json& schema, std::string_view path,
                                     PathNotation notation) {
  SchemaPath place{"", &schema};
  for (Tokens tokens(path); !tokens.AtEnd();) {
    const std::string_view token = tokens.Next();
    if (token == ".") {
      if (tokens.AtEnd()) return Bad("unexpected end of JSON path");
      BERTH_TRY_VOID(Descend(std::string(tokens.Next()), &place));
    } else if (token == "[" && notation == PathNotation::kDots) {
      return Bad("array notation is not allowed");
    } else if (token == "[") {
      BERTH_TRY_VOID(DescendByKey(&tokens, &place));
    } else {
      return Bad("expected [ or . but got: " + std::string(token));
    }
  }
  return place;
}

}  // namespace berth::apiserver
