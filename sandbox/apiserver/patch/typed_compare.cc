// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/patch/topology.h"
#include "sandbox/apiserver/patch/typed.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// PlaceChanges is the comparison of one place: the changes below it, and whether the place itself
// changed.
struct PlaceChanges {
  FieldChanges below;
  bool added = false, modified = false, removed = false;

  void AppendTo(PathElement element, FieldChanges* changes) && {
    if (added || !below.added.Empty())
      changes->added.Append(element, added, std::move(below.added));
    if (modified || !below.modified.Empty())
      changes->modified.Append(element, modified, std::move(below.modified));
    if (removed || !below.removed.Empty())
      changes->removed.Append(std::move(element), removed, std::move(below.removed));
  }
};

// Either side may be null (absent), but not both.
PlaceChanges ComparePlace(const Schema& schema, const json* before, const json* after);

PlaceChanges CompareLeaf(const json* before, const json* after) {
  PlaceChanges changes;
  changes.added = before == nullptr;
  changes.removed = after == nullptr;
  changes.modified = before != nullptr && after != nullptr && *before != *after;
  return changes;
}

void CompareMaps(const Schema& schema, const json& before, const json& after,
                 FieldChanges* changes) {
  const auto compare = [&](const std::string& key, const json* left, const json* right) {
    if (const Schema* type = schema.TypeOf(key))
      ComparePlace(*type, left, right).AppendTo(PathElement::Field(key), changes);
  };
  // Objects are sorted by key, so the sets come out sorted.
  auto left = before.begin();
  auto right = after.begin();
  while (left != before.end() || right != after.end()) {
    const int order = left == before.end()   ? 1
                      : right == after.end() ? -1
                                             : left.key().compare(right.key());
    if (order < 0) {
      compare(left.key(), &*left, nullptr);
    } else if (order > 0) {
      compare(right.key(), nullptr, &*right);
    } else if (*left != *right) {
      compare(left.key(), &*left, &*right);
    }
    if (order <= 0) ++left;
    if (order >= 0) ++right;
  }
}

// Items of a list with the same name: a change of one is a change of all of them.
struct SameName {
  std::vector<const json*> before, after;
};

PlaceChanges CompareItems(const Schema& schema, const SameName& items) {
  const size_t before = items.before.size(), after = items.after.size();
  if (before <= 1 && after <= 1)
    return ComparePlace(schema, before == 0 ? nullptr : items.before[0],
                        after == 0 ? nullptr : items.after[0]);
  PlaceChanges changes;
  if (before >= 2 && after >= 2) {
    changes.modified =
        !std::equal(items.before.begin(), items.before.end(), items.after.begin(),
                    items.after.end(), [](const json* a, const json* b) { return *a == *b; });
  } else if (before >= 2) {
    if (after == 1) changes = ComparePlace(schema, nullptr, items.after[0]);
    changes.removed = true;
  } else {
    if (before == 1) changes = ComparePlace(schema, items.before[0], nullptr);
    changes.added = true;
  }
  return changes;
}

void CompareLists(const Schema& schema, const json& before, const json& after,
                  FieldChanges* changes) {
  std::map<PathElement, SameName> names;
  for (const json& item : before)
    if (const auto element = ItemElement(schema, item)) names[*element].before.push_back(&item);
  for (const json& item : after)
    if (const auto element = ItemElement(schema, item)) names[*element].after.push_back(&item);
  for (const auto& [element, items] : names)
    CompareItems(*schema.items.schema, items).AppendTo(element, changes);
}

bool IsEmpty(const json* value) { return value == nullptr || value->is_null() || value->empty(); }

PlaceChanges ComparePlace(const Schema& schema, const json* before, const json* after) {
  const Shape shape = ShapeOf(schema, after != nullptr ? *after : *before);
  // A value that changes its shape is a removed and an added leaf. So is a value that does not fit.
  const bool keeps_shape =
      (before == nullptr || (ShapeOf(schema, *before) == shape && HasShape(*before, shape))) &&
      (after == nullptr || HasShape(*after, shape));
  if (IsAtomic(schema, shape) || !keeps_shape || (IsEmpty(before) && IsEmpty(after)))
    return CompareLeaf(before, after);

  PlaceChanges changes;
  changes.added = before == nullptr;
  changes.removed = after == nullptr;
  const bool is_map = shape == Shape::kMap;
  const json nothing = is_map ? json::object() : json::array();
  const json& left = IsEmpty(before) ? nothing : *before;
  const json& right = IsEmpty(after) ? nothing : *after;
  (is_map ? CompareMaps : CompareLists)(schema, left, right, &changes.below);
  return changes;
}

}  // namespace

FieldChanges Compare(const Schema& schema, const json& before, const json& after) {
  return ComparePlace(schema, &before, &after).below;
}

}  // namespace berth::apiserver
