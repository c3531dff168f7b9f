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

// PathElement is one step into a document as server-side apply names it: a field, the item of a
// list whose keys have these values, the item of a set with this value, or a position. Source:
// structured-merge-diff, fieldpath.PathElement. A value.
class PathElement {
 public:
  enum class Kind : uint8_t { kField, kKey, kValue, kIndex };

  static PathElement Field(std::string name) { return {Kind::kField, std::move(name)}; }
  static PathElement Key(const nlohmann::json& keys);     // an object of scalars
  static PathElement Value(const nlohmann::json& value);  // a scalar

  // Parse reads the wire form: f:name, k:{"name":"a"}, v:"a", i:3. Nothing when it is none of
  // these.
  static std::optional<PathElement> Parse(std::string_view wire);
  std::string Wire() const;

  // As messages show it: .name, [name="a"], [="a"], [3].
  std::string ToString() const;

  Kind kind() const { return kind_; }
  const std::string& text() const { return text_; }

  bool operator==(const PathElement&) const = default;
  // Fields by name, then keys, then values, then positions; numbers before texts before booleans.
  std::weak_ordering operator<=>(const PathElement& other) const;

 private:
  PathElement(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}

  Kind kind_;
  // The name of a field; else canonical JSON: sorted keys, no blanks.
  std::string text_;
};

using FieldPath = std::vector<PathElement>;

// ToString writes a path: .spec.ports[port=80,protocol="TCP"].name
std::string ToString(const FieldPath& path);

}  // namespace berth::apiserver
