// SPDX-License-Identifier: Apache-2.0
#include "controllers/difference.h"

#include <algorithm>
#include <array>
#include <span>

#include <nlohmann/json.hpp>

namespace berth::controllers {
namespace {

using Json = nlohmann::json;

// The lists of our objects that server-side apply merges entry by entry, with the fields that
// identify an entry. All other lists are replaced whole.
struct MergedList {
  std::string_view field;
  std::array<std::string_view, 2> keys;  // the second may be empty
};
constexpr MergedList kMergedLists[] = {
    {"containers", {"name", ""}},
    {"env", {"name", ""}},
    {"finalizers", {"", ""}},
    {"imagePullSecrets", {"name", ""}},
    {"ownerReferences", {"uid", ""}},
    {"topologySpreadConstraints", {"topologyKey", "whenUnsatisfiable"}},
    {"volumeMounts", {"mountPath", ""}},
    {"volumes", {"name", ""}},
};

// The maps of our objects that have one owner as a whole: server-side apply replaces them, so a key
// that somebody adds is drift. In all other maps it is a field of theirs.
constexpr std::string_view kWholeMaps[] = {"labelSelector", "nodeSelector", "podSelector",
                                           "selector"};

const MergedList* FindMerged(std::string_view field) {
  const auto found = std::ranges::find(kMergedLists, field, &MergedList::field);
  return found == std::end(kMergedLists) ? nullptr : &*found;
}

bool SameEntry(const MergedList& list, const Json& a, const Json& b) {
  if (!a.is_object() || !b.is_object()) return a == b;
  return std::ranges::all_of(list.keys, [&](std::string_view key) {
    const std::string name(key);
    return key.empty() || (a.contains(name) && b.contains(name) && a.at(name) == b.at(name));
  });
}

std::optional<std::string> Differs(const Json& desired, const Json& live, const std::string& path,
                                   std::string_view field);

std::optional<std::string> ObjectDiffers(const Json& desired, const Json& live,
                                         const std::string& path) {
  for (const auto& [key, value] : desired.items()) {
    const std::string below = path.empty() ? key : path + "." + key;
    const auto found = live.find(key);
    if (found == live.end()) return below;
    if (auto difference = Differs(value, *found, below, key)) return difference;
  }
  return std::nullopt;
}

std::optional<std::string> MergedListDiffers(const MergedList& list, const Json& desired,
                                             const Json& live, const std::string& path) {
  for (size_t i = 0; i < desired.size(); ++i) {
    const std::string below = path + "[" + std::to_string(i) + "]";
    const auto found = std::ranges::find_if(
        live, [&](const Json& entry) { return SameEntry(list, desired[i], entry); });
    if (found == live.end()) return below;
    if (auto difference = Differs(desired[i], *found, below, "")) return difference;
  }
  return std::nullopt;
}

std::optional<std::string> Differs(const Json& desired, const Json& live, const std::string& path,
                                   std::string_view field) {
  if (desired.type() != live.type()) {
    return desired.is_number() && live.is_number() && desired == live
               ? std::nullopt
               : std::optional<std::string>(path);
  }
  if (desired.is_object() && std::ranges::find(kWholeMaps, field) != std::end(kWholeMaps)) {
    return desired == live ? std::nullopt : std::optional<std::string>(path);
  }
  if (desired.is_object()) return ObjectDiffers(desired, live, path);
  if (!desired.is_array()) return desired == live ? std::nullopt : std::optional<std::string>(path);
  if (const MergedList* list = FindMerged(field)) {
    return MergedListDiffers(*list, desired, live, path);
  }
  if (desired.size() != live.size()) return path;
  for (size_t i = 0; i < desired.size(); ++i) {
    const std::string below = path + "[" + std::to_string(i) + "]";
    if (auto difference = Differs(desired[i], live[i], below, "")) return difference;
  }
  return std::nullopt;
}

Json PatchFrom(const Json& from, const Json& to) {
  Json patch = Json::object();
  for (const auto& [key, value] : from.items()) {
    if (!to.contains(key)) patch[key] = nullptr;
  }
  for (const auto& [key, value] : to.items()) {
    const auto old = from.find(key);
    if (old == from.end()) {
      patch[key] = value;
    } else if (old->is_object() && value.is_object()) {
      Json below = PatchFrom(*old, value);
      if (!below.empty()) patch[key] = std::move(below);
    } else if (*old != value) {
      patch[key] = value;
    }
  }
  return patch;
}

}  // namespace

std::optional<std::string> FirstDifference(std::string_view desired, std::string_view live) {
  return Differs(Json::parse(desired), Json::parse(live), "", "");
}

std::string MergePatch(std::string_view from, std::string_view to) {
  return PatchFrom(Json::parse(from), Json::parse(to)).dump();
}

}  // namespace berth::controllers
