// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"

namespace berth::apiserver {

// Lists in strategic merge patches. `merge_key` is empty for lists of scalars.

inline constexpr const char* kPatchDirective = "$patch";
inline constexpr const char* kSetElementOrder = "$setElementOrder/";

// CheckEquivalent refuses lists whose items are not all objects or all scalars of one type, and lists of
// lists.
Result<void> CheckEquivalent(const nlohmann::json& original, const nlohmann::json& patch);

// CheckOrder refuses a patch whose items stand in another order than `order` says.
Result<void> CheckOrder(const nlohmann::json& patch, const nlohmann::json& order,
                        const std::string& merge_key);

// ArrangeItems orders the items of `merged`: those that `order` names as it says, the others as in
// `original`, woven together so that the order of `original` holds where it can.
Result<nlohmann::json> ArrangeItems(const nlohmann::json& merged, const nlohmann::json& order,
                                    const nlohmann::json& original, const std::string& merge_key);

// FindByKey gives the position of the item with that key, or -1.
Result<int> FindByKey(const nlohmann::json& list, const std::string& merge_key,
                      const nlohmann::json& value);

}  // namespace berth::apiserver
