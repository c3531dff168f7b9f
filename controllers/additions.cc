// SPDX-License-Identifier: Apache-2.0
#include "controllers/additions.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "api/coordination.h"
#include "base/json/document.h"
#include "base/strings.h"
#include "controllers/server_defaults.h"

namespace berth::controllers {
namespace {

using json::Type;
using Json = nlohmann::json;
using Kind = json::Type::Kind;

// Comparison walks a live document beside the wanted one, guided by the kind's description.
class Comparison {
 public:
  // Decides about an addition, a value of the live document; true: it is removed there.
  using Visit = std::function<bool(const std::string& path, const Json& value)>;

  explicit Comparison(Visit visit) : visit_(std::move(visit)) {}

  void Run(const Type& type, const Json& wanted, Json& live) {
    CompareObjects(type, /*whole=*/false, wanted, live, "");
  }

 private:
  void Compare(const Type& type, const json::FieldOptions& options, const Json& wanted, Json& live,
               const std::string& path);
  void CompareObjects(const Type& type, bool whole, const Json& wanted, Json& live,
                      const std::string& path);
  // Returns true if the member is removed.
  bool CompareMember(const Type::Field* field, bool whole, const Json* wanted, Json& value,
                     const std::string& path);
  void CompareMaps(const Json& wanted, Json& live, const std::string& path);
  void CompareAtomicLists(const Type& type, const Json& wanted, Json& live,
                          const std::string& path);
  void CompareMergedLists(const Type& type, const json::FieldOptions& options, const Json& wanted,
                          Json& live, const std::string& path);

  const Visit visit_;
};

std::string PathBelow(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

// Metadata is shared with other field managers: the object's own, and that of a pod template.
bool IsShared(std::string_view path) {
  return path == "apiVersion" || path == "kind" || path == "metadata" || path == "status" ||
         path == "spec.template.metadata";
}

const Type& ContentOf(const Type& type) {
  return type.kind == Kind::kOptional ? ContentOf(type.element()) : type;
}

const Json* MemberOf(const Json& object, const std::string& key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

// Returns what a field without value is compared with, so that additions are named entry by entry;
// nullptr for a field that is added as a whole.
const Json* EmptyOf(const Type& type, const json::FieldOptions& options) {
  static const Json kEmptyList = Json::array();
  static const Json kEmptyMap = Json::object();
  if (type.kind == Kind::kList && options.list_type != json::ListType::kAtomic) return &kEmptyList;
  if (type.kind == Kind::kMap && !options.atomic) return &kEmptyMap;
  return nullptr;
}

// Returns the entry's key as "name=x" or "port=1,protocol=TCP".
std::string EntryKeyOf(const Json& entry, std::string_view keys) {
  std::vector<std::string> parts;
  for (const std::string_view key : Split(keys, ',')) {
    const auto found = entry.find(key);
    if (found == entry.end()) continue;
    const std::string value =
        found->is_string() ? found->get<std::string>() : json::DocumentText(*found);
    parts.push_back(std::string(key) + "=" + value);
  }
  return Join(parts, ",");
}

// Compares the keys of two entries. The server may fill in a key that the wanted entry leaves out.
bool HasKeysOf(const Json& wanted, const Json& live, std::string_view keys) {
  if (keys.empty()) return wanted == live;
  return std::ranges::all_of(Split(keys, ','), [&](std::string_view key) {
    const auto found = wanted.find(key);
    if (found == wanted.end()) return true;
    const auto there = live.find(key);
    return there != live.end() && *there == *found;
  });
}

void Comparison::Compare(const Type& declared, const json::FieldOptions& options,
                         const Json& wanted, Json& live, const std::string& path) {
  const Type& type = ContentOf(declared);
  if (wanted.type() != live.type()) return;  // a change, or a number in another form
  if (type.kind == Kind::kObject) {
    return CompareObjects(type, type.atomic || options.atomic, wanted, live, path);
  }
  if (type.kind == Kind::kMap && !options.atomic) return CompareMaps(wanted, live, path);
  if (type.kind != Kind::kList) return;
  if (options.list_type == json::ListType::kAtomic) {
    return CompareAtomicLists(type, wanted, live, path);
  }
  CompareMergedLists(type, options, wanted, live, path);
}

// Of an object that is compared as a whole, Differences sees all fields but the unknown ones.
void Comparison::CompareObjects(const Type& type, bool whole, const Json& wanted, Json& live,
                                const std::string& path) {
  for (auto member = live.begin(); member != live.end();) {
    const std::string below = PathBelow(path, member.key());
    const bool is_removed = !IsShared(below) && !member->is_null() &&
                            CompareMember(type.FindField(member.key()), whole,
                                          MemberOf(wanted, member.key()), *member, below);
    member = is_removed ? live.erase(member) : std::next(member);
  }
}

bool Comparison::CompareMember(const Type::Field* field, bool whole, const Json* wanted,
                               Json& value, const std::string& path) {
  if (!field) return wanted == nullptr && visit_(path, value);
  if (!wanted) wanted = EmptyOf(ContentOf(field->type()), field->options);
  if (wanted) {
    Compare(field->type(), field->options, *wanted, value, path);
    return false;
  }
  return !whole && visit_(path, value);
}

void Comparison::CompareMaps(const Json& wanted, Json& live, const std::string& path) {
  for (auto entry = live.begin(); entry != live.end();) {
    const bool is_removed =
        !wanted.contains(entry.key()) && visit_(PathBelow(path, entry.key()), *entry);
    entry = is_removed ? live.erase(entry) : std::next(entry);
  }
}

void Comparison::CompareAtomicLists(const Type& type, const Json& wanted, Json& live,
                                    const std::string& path) {
  if (wanted.size() != live.size()) return;  // a change
  for (size_t i = 0; i < wanted.size(); ++i) {
    Compare(type.element(), {}, wanted[i], live[i], path + "[" + std::to_string(i) + "]");
  }
}

// A key may occur several times, as in the variables of a container: each wanted entry matches one
// live entry.
void Comparison::CompareMergedLists(const Type& type, const json::FieldOptions& options,
                                    const Json& wanted, Json& live, const std::string& path) {
  std::vector<bool> is_matched(wanted.size());
  for (auto entry = live.begin(); entry != live.end();) {
    const std::string below = path + "[" + EntryKeyOf(*entry, options.map_keys) + "]";
    size_t at = 0;
    while (at < wanted.size() &&
           (is_matched[at] || !HasKeysOf(wanted[at], *entry, options.map_keys))) {
      ++at;
    }
    if (at == wanted.size()) {
      entry = visit_(below, *entry) ? live.erase(entry) : std::next(entry);
      continue;
    }
    is_matched[at] = true;
    Compare(type.element(), {}, wanted[at], *entry, below);
    ++entry;
  }
}

// Reports whether the path is that of the entry, or below it. An entry with a trailing * matches
// any suffix.
bool Covers(std::string_view entry, std::string_view kind, std::string_view path) {
  if (!entry.starts_with(kind) || entry.substr(kind.size(), 1) != ".") return false;
  entry.remove_prefix(kind.size() + 1);
  if (entry.ends_with('*')) return path.starts_with(entry.substr(0, entry.size() - 1));
  if (!path.starts_with(entry)) return false;
  path.remove_prefix(entry.size());
  return path.empty() || path.front() == '.' || path.front() == '[';
}

// Walks `live` beside the wanted object. The scheduler writes all of a Lease but its metadata.
void Walk(const RenderedObject& wanted, Json& live, Comparison::Visit visit) {
  if (wanted.key.resource->kind == api::Lease::kResource.kind || !live.is_object()) return;
  const Json rendered = json::ReadDocument(wanted.object.Json());
  Comparison(std::move(visit)).Run(wanted.object.type(), rendered, live);
}

// Returns the Merge Patch for the members and entries that `after` lacks.
Json PatchBetween(const Json& before, const Json& after) {
  Json patch = Json::object();
  for (const auto& [key, value] : before.items()) {
    const auto left = after.find(key);
    if (left == after.end()) {
      patch[key] = nullptr;
    } else if (*left != value) {
      patch[key] = value.is_object() ? PatchBetween(value, *left) : *left;
    }
  }
  return patch;
}

}  // namespace

std::vector<Difference> Additions(const RenderedObject& wanted, const AnyObject& live,
                                  std::span<const std::string> allowed) {
  std::vector<Difference> found;
  if (live.text().empty()) return found;
  Json document = json::ReadDocument(live.text());
  Walk(wanted, document, [&](const std::string& path, const Json& value) {
    std::string text = json::DocumentText(value);
    const auto covers = [&](std::string_view entry) {
      return Covers(entry, wanted.key.resource->kind, path);
    };
    if (!IsMadeByServer(wanted.key, path, text) && std::ranges::none_of(allowed, covers)) {
      found.push_back({.path = path, .found = std::move(text), .is_addition = true});
    }
    return false;
  });
  return found;
}

std::string RemovalPatch(const RenderedObject& wanted, const AnyObject& live,
                         const std::vector<Difference>& additions) {
  const Json before = json::ReadDocument(live.text());
  Json after = before;
  Walk(wanted, after, [&](const std::string& path, const Json& value) {
    return std::ranges::any_of(additions, [&](const Difference& removed) {
      return removed.path == path && removed.found == json::DocumentText(value);
    });
  });
  Json patch = PatchBetween(before, after);
  patch["metadata"] = {{"resourceVersion", live.metadata().resource_version},
                       {"uid", live.metadata().uid}};
  return json::DocumentText(patch);
}

}  // namespace berth::controllers
