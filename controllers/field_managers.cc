// SPDX-License-Identifier: Apache-2.0
#include "controllers/field_managers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/json/json.h"

namespace berth::controllers {
namespace {

// FieldSet is a level of fieldsV1: what each key ("f:spec", "k:{...}", "v:...", ".") holds.
using FieldSet = std::map<std::string, json::Raw>;

struct ManagedFields {
  std::string manager, time;
  FieldSet fields;

  static auto Fields() {
    return json::Object(json::Field("manager", &ManagedFields::manager),
                        json::Field("time", &ManagedFields::time),
                        json::Field("fieldsV1", &ManagedFields::fields));
  }
};

struct ManagedMeta {
  std::vector<ManagedFields> managed_fields;
  static auto Fields() {
    return json::Object(json::Field("managedFields", &ManagedMeta::managed_fields));
  }
};

struct ManagedObject {
  ManagedMeta metadata;
  static auto Fields() { return json::Object(json::Field("metadata", &ManagedObject::metadata)); }
};

// After gives what is left of the path below `key`; nothing when it leads elsewhere. Keys of maps
// may hold dots.
std::optional<std::string_view> After(std::string_view path, std::string_view key) {
  if (path.starts_with('[')) {
    if (!key.starts_with("k:") && !key.starts_with("v:")) return std::nullopt;
    path.remove_prefix(std::min(path.find(']') + 1, path.size()));
  } else {
    if (!key.starts_with("f:") || !path.starts_with(key.substr(2))) return std::nullopt;
    path.remove_prefix(key.size() - 2);
    if (!path.empty() && path.front() != '.' && path.front() != '[') return std::nullopt;
  }
  if (path.starts_with('.')) path.remove_prefix(1);
  return path;
}

// A set without members is a field that is owned as a whole.
bool Owns(const FieldSet& set, std::string_view path) {
  if (path.empty() || set.empty()) return true;
  return std::ranges::any_of(set, [path](const auto& entry) {
    const auto rest = After(path, entry.first);
    if (!rest) return false;
    const auto below = json::Decode<FieldSet>(entry.second.text);
    return below && Owns(*below, *rest);
  });
}

}  // namespace

std::string RivalOf(std::string_view object, std::string_view path, std::string_view ours) {
  const auto decoded = json::Decode<ManagedObject>(object);
  if (!decoded) return "";
  const ManagedFields* newest = nullptr;
  for (const ManagedFields& entry : decoded->metadata.managed_fields) {
    const bool is_rival = entry.manager != ours && Owns(entry.fields, path);
    // Times are RFC 3339 in UTC, which sort as text.
    if (is_rival && (!newest || entry.time > newest->time)) newest = &entry;
  }
  return newest ? newest->manager : "";
}

}  // namespace berth::controllers
