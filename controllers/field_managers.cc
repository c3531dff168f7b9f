// SPDX-License-Identifier: Apache-2.0
#include "controllers/field_managers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/json/json.h"
#include "base/strings.h"

namespace berth::controllers {
namespace {

// FieldSet is one level of fieldsV1, by key ("f:spec", "k:{...}", "v:...", ".").
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

// Reports whether the key may belong to the entry in brackets, which has a key (name=a, or
// port=1,protocol=TCP) or an index. managedFields have no indexes, so every key matches an index.
bool IsEntry(std::string_view entry, std::string_view key) {
  if (entry.find('=') == entry.npos) return key.starts_with("k:") || key.starts_with("v:");
  if (!key.starts_with("k:")) return false;
  const auto parts = json::Decode<std::map<std::string, json::Raw>>(key.substr(2));
  const std::vector<std::string_view> wanted = Split(entry, ',');
  return parts && parts->size() == wanted.size() &&
         std::ranges::all_of(wanted, [&parts](std::string_view pair) {
           const size_t sign = std::min(pair.find('='), pair.size());
           const auto part = parts->find(std::string(pair.substr(0, sign)));
           if (part == parts->end()) return false;
           const std::string_view value = pair.substr(std::min(sign + 1, pair.size()));
           return part->second.text == value || part->second.text == json::Quoted(value);
         });
}

// Returns the rest of the path below `key`; nullopt if the path leads elsewhere. Keys of maps may
// contain dots.
std::optional<std::string_view> After(std::string_view path, std::string_view key) {
  if (path.starts_with('[')) {
    const size_t end = std::min(path.find(']'), path.size() - 1);
    if (!IsEntry(path.substr(1, end - 1), key)) return std::nullopt;
    path.remove_prefix(end + 1);
  } else {
    if (!key.starts_with("f:") || !path.starts_with(key.substr(2))) return std::nullopt;
    path.remove_prefix(key.size() - 2);
    if (!path.empty() && path.front() != '.' && path.front() != '[') return std::nullopt;
  }
  if (path.starts_with('.')) path.remove_prefix(1);
  return path;
}

// Reports whether the path contains an entry with a key.
bool HoldsEntry(std::string_view path) {
  const size_t sign = path.find('=');
  return sign != path.npos && path.substr(0, sign).find('[') != path.npos;
}

// An empty set is a field owned as a whole, or an empty object or list. It does not own an entry
// with a key, since such entries have their own owners.
bool Owns(const FieldSet& set, std::string_view path) {
  if (path.empty()) return true;
  if (set.empty()) return !HoldsEntry(path);
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
