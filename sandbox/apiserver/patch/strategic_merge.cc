// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/strategic_merge.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/patch/merge_patch.h"
#include "sandbox/apiserver/patch/patch_failure.h"
#include "sandbox/apiserver/patch/strategic_list.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kRetainKeys = "$retainKeys";
constexpr const char* kDeleteFromList = "$deleteFromPrimitiveList/";

// Place is the schema and patch rule of a field; without a rule nothing is merged.
struct Place {
  const Schema* schema = &DeducedSchema();
  PatchRule rule;
};

Place PlaceOf(const Schema& schema, const std::string& key) {
  const Slot* slot = schema.SlotOf(key);
  if (slot == nullptr) return {};
  return {slot->schema, slot->patch};
}

Failure UnknownDirective(const json& directive, const json& patch) {
  return PatchFailure("unknown patch type: " + DocumentText(directive) +
                      " in map: " + DocumentText(patch));
}

void DiscardNulls(json* value) {
  if (value->is_object()) {
    for (auto at = value->begin(); at != value->end();)
      at = at->is_null() ? value->erase(at) : std::next(at);
  }
  if (value->is_structured())
    for (json& child : *value) DiscardNulls(&child);
}

// Drops every object with a directive; returns false if the value itself has one.
bool RemoveDirectives(json* value) {
  if (value->is_object()) {
    if (value->contains(kPatchDirective)) return false;
    for (auto at = value->begin(); at != value->end();)
      at = RemoveDirectives(&*at) ? std::next(at) : value->erase(at);
  } else if (value->is_array()) {
    for (auto at = value->begin(); at != value->end();)
      at = RemoveDirectives(&*at) ? std::next(at) : value->erase(at);
  }
  return true;
}

// Sets a value that replaces no value of the same type.
void PutNew(json value, const std::string& key, json* original) {
  DiscardNulls(&value);
  if (RemoveDirectives(&value)) {
    (*original)[key] = std::move(value);
  } else {
    original->erase(key);
  }
}

Result<json> MergeMap(const Schema& schema, json original, json patch);

Result<json> MergeKeyedList(const Place& place, json original, const json& patch) {
  const std::string& merge_key = place.rule.merge_key;
  const Schema& item_schema = place.schema->items ? *place.schema->items.schema : DeducedSchema();
  const auto key_of = [&](const json& item) -> Result<json> {
    const auto at = item.find(merge_key);
    if (at == item.end())
      return PatchFailure("map: " + DocumentText(item) +
                          " does not contain declared merge key: " + merge_key);
    return *at;
  };
  // Directives first: items to delete, or the whole list to replace.
  json plain = json::array();
  bool replaces = false;
  for (const json& item : patch) {
    const auto directive = item.find(kPatchDirective);
    if (directive == item.end()) {
      plain.push_back(item);
    } else if (*directive == "delete") {
      BERTH_TRY(const json key, key_of(item));
      while (true) {
        BERTH_TRY(const int at, FindByKey(original, merge_key, key));
        if (at < 0) break;
        original.erase(static_cast<size_t>(at));
      }
    } else if (*directive == "replace") {
      replaces = true;
    } else if (*directive == "merge") {
      return PatchFailure("merging lists cannot yet be specified in the patch");
    } else {
      return UnknownDirective(*directive, item);
    }
  }
  if (replaces) return plain;

  json merged = original;
  for (const json& item : plain) {
    BERTH_TRY(const json key, key_of(item));
    BERTH_TRY(const int at, FindByKey(merged, merge_key, key));
    if (at < 0) {
      merged.push_back(item);
    } else {
      BERTH_TRY(merged[static_cast<size_t>(at)],
                MergeMap(item_schema, merged[static_cast<size_t>(at)], item));
    }
  }
  return ArrangeItems(merged, plain, original, merge_key);
}

Result<json> MergeScalarList(const json& original, const json& patch) {
  json merged = json::array();
  for (const json* list : {&original, &patch})
    for (const json& item : *list)
      if (std::find(merged.begin(), merged.end(), item) == merged.end()) merged.push_back(item);
  return ArrangeItems(merged, patch, original, {});
}

Result<json> MergeList(const Place& place, const json& original, const json& patch) {
  if (!place.rule.merge) return patch;
  if (original.empty() && patch.empty()) return original;
  BERTH_TRY_VOID(CheckEquivalent(original, patch));
  const bool has_objects = (original.empty() ? patch : original)[0].is_object();
  if (!has_objects) return MergeScalarList(original, patch);
  if (place.rule.merge_key.empty())
    return PatchFailure("cannot merge lists without merge key for " + place.schema->name);
  return MergeKeyedList(place, original, patch);
}

Result<void> RetainKeys(json* original, json* patch) {
  const auto at = patch->find(kRetainKeys);
  if (at == patch->end()) return {};
  const json retained = std::move(*at);
  patch->erase(at);
  const auto is_retained = [&](const std::string& key) {
    return std::find(retained.begin(), retained.end(), key) != retained.end();
  };
  bool fits = retained.is_array();
  for (const auto& [key, value] : patch->items()) {
    if (value.is_null() || key.starts_with(kDeleteFromList) || key.starts_with(kSetElementOrder))
      continue;
    fits = fits && is_retained(key);
  }
  if (!fits) return Fail(Reason::kBadRequest, "invalid patch format of retainKeys");
  for (auto field = original->begin(); field != original->end();)
    field = is_retained(field.key()) ? std::next(field) : original->erase(field);
  return {};
}

// Merges the lists with a stated order, and removes them from the patch.
Result<void> MergeOrderedLists(const Schema& schema, json* original, json* patch) {
  const json directives = *patch;
  for (const auto& [directive, order] : directives.items()) {
    if (!directive.starts_with(kSetElementOrder)) continue;
    const std::string key = directive.substr(std::string_view(kSetElementOrder).size());
    patch->erase(directive);
    const auto before = original->find(key);
    const auto after = patch->find(key);
    const bool has_before = before != original->end(), has_after = after != patch->end();
    if (!order.is_array() || (has_before && !before->is_array()) ||
        (has_after && !after->is_array()))
      return Fail(Reason::kBadRequest, "invalid patch format of setElementOrder list");
    const Place place = PlaceOf(schema, key);
    if (has_after) BERTH_TRY_VOID(CheckOrder(*after, order, place.rule.merge_key));
    if (!has_before && !has_after) continue;
    json merged;
    if (!has_after) {
      merged = *before;
    } else if (has_before) {
      BERTH_TRY(merged, MergeList(place, *before, *after));
    } else {
      merged = *after;
      RemoveDirectives(&merged);
    }
    const json standing = has_before ? *before : json::array();
    BERTH_TRY((*original)[key], ArrangeItems(merged, order, standing, place.rule.merge_key));
    patch->erase(key);
  }
  return {};
}

Result<void> MergeField(const Schema& schema, const std::string& key, const json& value,
                        json* original) {
  if (value.is_null()) {
    original->erase(key);
    return {};
  }
  const auto at = original->find(key);
  const bool is_alike = at != original->end() && at->is_object() == value.is_object() &&
                        at->is_array() == value.is_array();
  if (!is_alike || !value.is_structured()) {
    PutNew(value, key, original);
    return {};
  }
  const Place place = PlaceOf(schema, key);
  if (value.is_object()) {
    BERTH_TRY(*at, MergeMap(*place.schema, std::move(*at), value));
  } else {
    BERTH_TRY(*at, MergeList(place, *at, value));
  }
  return {};
}

Result<json> MergeMap(const Schema& schema, json original, json patch) {
  if (const auto directive = patch.find(kPatchDirective); directive != patch.end()) {
    if (*directive == "delete") return json::object();
    if (*directive != "replace") return UnknownDirective(*directive, patch);
    patch.erase(directive);
    return patch;
  }
  BERTH_TRY_VOID(RetainKeys(&original, &patch));
  BERTH_TRY_VOID(MergeOrderedLists(schema, &original, &patch));
  for (const auto& [key, value] : patch.items()) {
    if (!key.starts_with(kDeleteFromList)) {
      BERTH_TRY_VOID(MergeField(schema, key, value, &original));
      continue;
    }
    const auto list = original.find(key.substr(std::string_view(kDeleteFromList).size()));
    if (list == original.end() || !list->is_array() || !value.is_array()) continue;
    for (auto item = list->begin(); item != list->end();)
      item = std::find(value.begin(), value.end(), *item) == value.end() ? std::next(item)
                                                                         : list->erase(item);
  }
  return original;
}

}  // namespace

Result<json> ApplyStrategicMergePatch(const Schema& schema, json document, std::string_view patch) {
  BERTH_TRY(json decoded, DecodePatch(patch));
  if (!decoded.is_object())
    return Fail(Reason::kBadRequest, "error decoding patch: the body is not an object");
  return MergeMap(schema, std::move(document), std::move(decoded));
}

Error UnsupportedPatchType() {
  return Error(Reason::kUnsupportedMediaType,
               "the body of the request was in an unknown format - accepted media types include: "
               "application/json-patch+json, application/merge-patch+json, "
               "application/apply-patch+yaml")
      .set_http_code(415);
}

}  // namespace berth::apiserver
