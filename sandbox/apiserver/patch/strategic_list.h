// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"

namespace berth::apiserver {

// Lists in strategic merge patches. `merge_key` is empty for lists of scalars.

inline constexpr const char* kPatchDirective = "$patch";
inline constexpr const char* kSetElementOrder = "$setElementOrder/";

// Rejects lists with items that are not all objects or all scalars of one type, and lists of lists.
Result<void> CheckEquivalent(const nlohmann::json& original, const nlohmann::json& patch);

// Rejects a patch if its items are not in the order of `order`.
Result<void> CheckOrder(const nlohmann::json& patch, const nlohmann::json& order,
                        const std::string& merge_key);

// Sorts the items of `merged`: items in `order` by `order`, the other items as in `original`.
// Merges the two sequences so that the order of `original` holds where possible.
Result<nlohmann::json> ArrangeItems(const nlohmann::json& merged, const nlohmann::json& order,
                                    const nlohmann::json& original, const std::string& merge_key);

// Returns the index of the item with that key, or -1.
Result<int> FindByKey(const nlohmann::json& list, const std::string& merge_key,
                      const nlohmann::json& value);

}  // namespace berth::apiserver
