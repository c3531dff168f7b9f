// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/strategic_list.h"

#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/patch/patch_failure.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Returns the index of `item` in `list`, by its key or by value; -1 if it is absent.
int IndexOf(const json& list, const json& item, const std::string& merge_key) {
  for (size_t i = 0; i < list.size(); ++i) {
    const json& other = list[i];
    const bool is_same = merge_key.empty()
                             ? other == item
                             : other.is_object() && item.is_object() && other.contains(merge_key) &&
                                   other[merge_key] == item.value(merge_key, json());
    if (is_same) return static_cast<int>(i);
  }
  return -1;
}

void SortBy(const json& order, const std::string& merge_key, std::vector<json>* items) {
  std::stable_sort(items->begin(), items->end(), [&](const json& a, const json& b) {
    const int left = IndexOf(order, a, merge_key), right = IndexOf(order, b, merge_key);
    return left >= 0 && right >= 0 && left < right;
  });
}

}  // namespace

Result<void> CheckEquivalent(const json& original, const json& patch) {
  const json* first = nullptr;
  for (const json* list : {&original, &patch}) {
    for (const json& item : *list) {
      if (item.is_array()) return PatchFailure("lists of lists are not supported");
      if (first == nullptr) first = &item;
      const bool is_alike =
          first->type() == item.type() || (first->is_number() && item.is_number());
      if (!is_alike)
        return PatchFailure("list element types are not identical: [" + DocumentText(original) +
                            " " + DocumentText(patch) + "]");
    }
  }
  return {};
}

Result<void> CheckOrder(const json& patch, const json& order, const std::string& merge_key) {
  if (patch.empty() || order.empty()) return {};
  size_t at = 0;
  for (const json& item : patch) {
    if (item.is_object() && item.contains(kPatchDirective)) continue;
    while (at < order.size() && IndexOf(json::array({order[at]}), item, merge_key) < 0) ++at;
    if (at == order.size())
      return PatchFailure("The order in patch list:\n" + DocumentText(patch) +
                          "\n doesn't match $setElementOrder list:\n" + DocumentText(order) + "\n");
    ++at;
  }
  return {};
}

Result<json> ArrangeItems(const json& merged, const json& order, const json& original,
                          const std::string& merge_key) {
  std::vector<json> named, others;
  for (const json& item : merged) {
    if (!merge_key.empty() && !(item.is_object() && item.contains(merge_key)))
      return PatchFailure("map: " + DocumentText(item) +
                          " does not contain declared merge key: " + merge_key);
    (IndexOf(order, item, merge_key) >= 0 ? named : others).push_back(item);
  }
  SortBy(order, merge_key, &named);
  SortBy(original, merge_key, &others);

  json arranged = json::array();
  size_t i = 0, j = 0;
  while (i < others.size() || j < named.size()) {
    bool takes_other = j == named.size();
    if (i < others.size() && j < named.size()) {
      const int left = IndexOf(original, others[i], merge_key);
      const int right = IndexOf(original, named[j], merge_key);
      takes_other = left >= 0 && right >= 0 && left < right;
    }
    arranged.push_back(std::move(takes_other ? others[i++] : named[j++]));
  }
  return arranged;
}

Result<int> FindByKey(const json& list, const std::string& merge_key, const json& value) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_object())
      return PatchFailure("value for key " + std::to_string(i) + " is not a map");
    const auto at = list[i].find(merge_key);
    if (at != list[i].end() && *at == value) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace berth::apiserver
