// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace berth::apiserver {

// PathElement is one step into a document in server-side apply: a field, the item of a list with
// these keys, the item of a set with this value, or an index. Source: structured-merge-diff,
// fieldpath.PathElement. A value type.
class PathElement {
 public:
  enum class Kind : uint8_t { kField, kKey, kValue, kIndex };

  static PathElement Field(std::string name) { return {Kind::kField, std::move(name)}; }
  static PathElement Key(const nlohmann::json& keys);     // an object of scalars
  static PathElement Value(const nlohmann::json& value);  // a scalar

  // Parses the wire form: f:name, k:{"name":"a"}, v:"a", i:3. Returns nullopt for other text.
  static std::optional<PathElement> Parse(std::string_view wire);
  std::string Wire() const;

  // Returns the form in messages: .name, [name="a"], [="a"], [3].
  std::string ToString() const;

  Kind kind() const { return kind_; }
  const std::string& text() const { return text_; }

  bool operator==(const PathElement&) const = default;
  // Orders fields by name, then keys, then values, then indexes; numbers before strings before
  // booleans.
  std::weak_ordering operator<=>(const PathElement& other) const;

 private:
  PathElement(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}

  Kind kind_;
  // The name of a field; otherwise canonical JSON: sorted keys, no whitespace.
  std::string text_;
};

using FieldPath = std::vector<PathElement>;

// Formats a path: .spec.ports[port=80,protocol="TCP"].name
std::string ToString(const FieldPath& path);

}  // namespace berth::apiserver
