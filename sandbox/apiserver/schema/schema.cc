// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/schema.h"

#include <algorithm>

namespace berth::apiserver {

const Slot* Schema::FindProperty(std::string_view key) const {
  const auto at =
      std::lower_bound(properties.begin(), properties.end(), key,
                       [](const Slot& slot, std::string_view name) { return slot.name < name; });
  return at != properties.end() && at->name == key ? &*at : nullptr;
}

const Slot* Schema::SlotOf(std::string_view key) const {
  if (const Slot* property = FindProperty(key)) return property;
  return additional ? &additional : nullptr;
}

const Schema* Schema::TypeOf(std::string_view key) const {
  const Slot* slot = SlotOf(key);
  return slot != nullptr ? slot->schema : unknown;
}

const Schema& DeducedSchema() {
  // Nested values are deduced as well, so the node refers to itself.
  struct Deduced {
    Schema schema;
    Deduced() {
      schema.preserve_unknown = true;
      schema.items.schema = &OpaqueSchema();
      schema.unknown = &schema;
    }
  };
  static const Deduced kDeduced;
  return kDeduced.schema;
}

const Schema& OpaqueSchema() {
  // Nested values are opaque as well, so the node refers to itself, as in DeducedSchema.
  struct Opaque {
    Schema schema;
    Opaque() {
      schema.preserve_unknown = true;
      schema.map_type = MapType::kAtomic;
      schema.items.schema = &schema;
      schema.unknown = &schema;
    }
  };
  static const Opaque kOpaque;
  return kOpaque.schema;
}

GroupVersionKind GroupVersionKind::Of(std::string_view api_version, std::string_view kind) {
  const size_t slash = api_version.find('/');
  const bool core = slash == std::string_view::npos;
  return {std::string(core ? "" : api_version.substr(0, slash)),
          std::string(core ? api_version : api_version.substr(slash + 1)), std::string(kind)};
}

std::string GroupVersionKind::ApiVersion() const {
  return group.empty() ? version : group + "/" + version;
}

}  // namespace berth::apiserver
