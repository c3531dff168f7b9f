// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/patch/topology.h"
#include "sandbox/apiserver/patch/typed.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

std::optional<json> MergePlace(const Schema& schema, const json* live, const json* applied);

std::optional<json> MergeMaps(const Schema& schema, const json& live, const json& applied) {
  json merged = json::object();
  const auto merge = [&](const std::string& key, const json* left, const json* right) {
    const Schema* type = schema.TypeOf(key);
    if (type == nullptr) return;
    if (std::optional<json> value = MergePlace(*type, left, right)) merged[key] = std::move(*value);
  };
  for (auto at = live.begin(); at != live.end(); ++at) {
    const auto other = applied.find(at.key());
    merge(at.key(), &*at, other == applied.end() ? nullptr : &*other);
  }
  for (auto at = applied.begin(); at != applied.end(); ++at)
    if (!live.contains(at.key())) merge(at.key(), nullptr, &*at);
  if (merged.empty()) return std::nullopt;
  return merged;
}

// NamedItems holds the items of a list with their names, and each name's item; null for a duplicate
// name.
struct NamedItems {
  std::vector<std::pair<PathElement, const json*>> items;
  std::map<PathElement, const json*> by_name;

  NamedItems(const Schema& schema, const json& list) {
    for (const json& item : list) {
      const auto element = ItemElement(schema, item);
      if (!element) continue;
      items.emplace_back(*element, &item);
      if (const auto [at, is_new] = by_name.emplace(*element, &item); !is_new) at->second = nullptr;
    }
  }

  bool Has(const PathElement& element) const { return by_name.contains(element); }
  const json* Get(const PathElement& element) const {
    const auto at = by_name.find(element);
    return at == by_name.end() ? nullptr : at->second;
  }
};

// Walks both lists at once. Items that only `live` has keep their position between the shared
// items. If the shared items are ordered differently, the order of `applied` wins.
class ListMerge {
 public:
  ListMerge(const Schema& schema, const json& live, const json& applied)
      : schema_(schema), live_(schema, live), applied_(schema, applied) {
    for (const auto& [element, item] : applied_.items)
      if (live_.Has(element)) shared_.push_back(&element);
  }

  std::optional<json> Run() {
    size_t left = 0, right = 0;
    while (left < live_.items.size() || right < applied_.items.size()) {
      if (left < live_.items.size() && right < applied_.items.size()) {
        const PathElement& name = live_.items[left].first;
        if (name == applied_.items[right].first) {
          TakeApplied(right);
          ++left, ++right;
          ++next_shared_;
          continue;
        }
        if (applied_.Has(name) && next_shared_ < shared_.size() && *shared_[next_shared_] != name) {
          ++left;  // shared, and merged later
          continue;
        }
      }
      if (left < live_.items.size()) {
        const auto& [name, item] = live_.items[left];
        if (!applied_.Has(name)) {
          Take(item, nullptr);
          ++left;
          continue;
        }
        if (taken_.contains(name)) ++left;
      }
      if (right < applied_.items.size()) {
        const PathElement& name = applied_.items[right].first;
        TakeApplied(right);
        ++right;
        if (next_shared_ < shared_.size() && *shared_[next_shared_] == name) ++next_shared_;
      }
    }
    if (merged_.empty()) return std::nullopt;
    return std::move(merged_);
  }

 private:
  void TakeApplied(size_t at) {
    const auto& [name, item] = applied_.items[at];
    taken_.insert(name);
    Take(live_.Get(name), item);
  }

  void Take(const json* live, const json* applied) {
    if (std::optional<json> item = MergePlace(*schema_.items.schema, live, applied))
      merged_.push_back(std::move(*item));
  }

  const Schema& schema_;
  const NamedItems live_, applied_;
  std::vector<const PathElement*> shared_;  // of applied_, in its order
  size_t next_shared_ = 0;
  std::set<PathElement> taken_;
  json merged_ = json::array();
};

bool IsAbsent(const json* value) { return value == nullptr || value->is_null() || value->empty(); }

std::optional<json> MergePlace(const Schema& schema, const json* live, const json* applied) {
  const json& winner = applied != nullptr ? *applied : *live;
  const Shape shape = ShapeOf(schema, winner);
  if (IsAtomic(schema, shape) || (IsAbsent(live) && IsAbsent(applied))) return winner;
  if (live != nullptr && (ShapeOf(schema, *live) != shape || !HasShape(*live, shape)))
    return winner;
  const json nothing = shape == Shape::kMap ? json::object() : json::array();
  const json& left = IsAbsent(live) ? nothing : *live;
  const json& right = IsAbsent(applied) ? nothing : *applied;
  if (shape == Shape::kMap) return MergeMaps(schema, left, right);
  return ListMerge(schema, left, right).Run();
}

}  // namespace

json MergeTyped(const Schema& schema, const json& live, const json& applied) {
  return MergePlace(schema, &live, &applied).value_or(json::object());
}

}  // namespace berth::apiserver
