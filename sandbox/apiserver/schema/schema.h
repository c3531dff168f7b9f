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

// EmptyForm says how an absent or empty value of a built-in kind is written. kAsIs for custom
// resources.
enum class EmptyForm : uint8_t {
  kAsIs,     // written if it is there
  kDropped,  // a zero value ("", 0, false, [], {}) is not written: Go's omitempty
  kNull,     // an absent value is written as null: a nil without omitempty
};

// PatchRule is what strategic merge patch knows of a field.
struct PatchRule {
  bool merge = false;        // lists are merged, by merge_key or as sets of scalars
  bool retain_keys = false;  // fields not named in $retainKeys go
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

// Schema is one node of a structural schema: what a value may be and how writers share it. Nodes
// are made once (parse.h) and never change, so any thread may read them; a graph of nodes may have
// cycles (JSONSchemaProps) and is owned by what parsed it.
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
  Slot additional;  // entries that no property names
  // The topology of fields that have no slot but are kept; null where none are.
  const Schema* unknown = nullptr;
  std::shared_ptr<const SchemaRules> rules;  // null when nothing but the type is checked
  std::shared_ptr<const nlohmann::json>
      validations;                         // x-kubernetes-validations as written, or null
  const Schema* metadata_rules = nullptr;  // what a custom resource's schema asks of metadata.name

  const Slot* FindProperty(std::string_view key) const;
  // SlotOf is the property, else the slot of map entries, else null.
  const Slot* SlotOf(std::string_view key) const;
  // TypeOf is SlotOf's schema, else `unknown`, else null: the field is not declared.
  const Schema* TypeOf(std::string_view key) const;
};

// DeducedSchema is the topology of values nobody described: maps are granular, lists atomic.
// OpaqueSchema is one whose values are replaced whole.
const Schema& DeducedSchema();
const Schema& OpaqueSchema();

// GroupVersionKind names a type of object: {"apps", "v1", "Deployment"}; the core group is "".
struct GroupVersionKind {
  std::string group, version, kind;

  // Of reads apiVersion and kind as documents have them.
  static GroupVersionKind Of(std::string_view api_version, std::string_view kind);

  // ApiVersion is "apps/v1", or "v1" in the core group.
  std::string ApiVersion() const;
  auto operator<=>(const GroupVersionKind&) const = default;
};

}  // namespace berth::apiserver
