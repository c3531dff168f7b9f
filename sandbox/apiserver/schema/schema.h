// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace berth::apiserver {

struct Schema;
struct SchemaRules;

// EmptyForm is the output form of an absent or empty value of a built-in kind. kAsIs for custom
// resources.
enum class EmptyForm : uint8_t {
  kAsIs,     // written if present
  kDropped,  // a zero value ("", 0, false, [], {}) is not written: Go's omitempty
  kNull,     // an absent value is written as null: a nil without omitempty
};

// PatchRule holds the strategic merge patch options of a field.
struct PatchRule {
  bool merge = false;        // lists are merged, by merge_key or as sets of scalars
  bool retain_keys = false;  // fields not named in $retainKeys are removed
  std::string merge_key;     // empty for lists of scalars and for maps
};

// Slot is a place for a value: a property, the items of a list, the entries of a map.
struct Slot {
  std::string name;                // of a property; empty for items and entries
  const Schema* schema = nullptr;  // null: there is no such place
  bool required = false;
  EmptyForm empty = EmptyForm::kAsIs;
  std::shared_ptr<const nlohmann::json> default_value;  // null without a default
  PatchRule patch;

  explicit operator bool() const { return schema != nullptr; }
};

enum class ValueType : uint8_t { kAny, kObject, kArray, kString, kInteger, kNumber, kBoolean };
enum class ListType : uint8_t { kAtomic, kSet, kMap };
enum class MapType : uint8_t { kGranular, kAtomic };

// Schema is one node of a structural schema: the type of a value and the granularity of its
// ownership. Nodes are parsed once (parse.h) and never change, so any thread may read them. A graph
// of nodes may have cycles (JSONSchemaProps). The parser's caller owns it.
struct Schema {
  std::string name;  // "io.k8s.api.core.v1.Pod"; empty for an inline node
  ValueType type = ValueType::kAny;
  std::string format;
  bool nullable = false;
  bool int_or_string = false;
  bool preserve_unknown = false;   // at this node: fields without a slot are kept
  bool embedded_resource = false;  // the value is an object with apiVersion, kind and metadata
  ListType list_type = ListType::kAtomic;
  MapType map_type = MapType::kGranular;
  std::vector<std::string> list_map_keys;  // of kMap, sorted
  std::vector<Slot> properties;            // sorted by name
  Slot items;
  Slot additional;  // entries other than the named properties
  // The topology of kept fields without a slot; null if none are kept.
  const Schema* unknown = nullptr;
  std::shared_ptr<const SchemaRules> rules;  // null when only the type is checked
  std::shared_ptr<const nlohmann::json>
      validations;                         // x-kubernetes-validations as written, or null
  const Schema* metadata_rules = nullptr;  // a custom resource's constraints on metadata.name

  const Slot* FindProperty(std::string_view key) const;
  // Returns the property, else the slot of map entries, else null.
  const Slot* SlotOf(std::string_view key) const;
  // Returns SlotOf's schema, else `unknown`, else null: the field is not declared.
  const Schema* TypeOf(std::string_view key) const;
};

// DeducedSchema is the topology of values without a schema: maps are granular, lists atomic. The
// values of OpaqueSchema are replaced as a whole.
const Schema& DeducedSchema();
const Schema& OpaqueSchema();

// GroupVersionKind identifies an API kind: {"apps", "v1", "Deployment"}; the core group is "".
struct GroupVersionKind {
  std::string group, version, kind;

  // Parses apiVersion and kind of a document.
  static GroupVersionKind Of(std::string_view api_version, std::string_view kind);

  // Returns "apps/v1", or "v1" for the core group.
  std::string ApiVersion() const;
  auto operator<=>(const GroupVersionKind&) const = default;
};

}  // namespace berth::apiserver
