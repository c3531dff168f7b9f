// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace berth::api {

// Returns the condition of that type, or nullptr. Works for all condition types of the API.
template <class C>
const C* FindCondition(const std::vector<C>& conditions, std::string_view type) {
  const auto found = std::ranges::find(conditions, type, &C::type);
  return found == conditions.end() ? nullptr : &*found;
}

// Reports whether the condition of that type has the status "True".
template <class C>
bool IsTrue(const std::vector<C>& conditions, std::string_view type) {
  const C* condition = FindCondition(conditions, type);
  return condition != nullptr && condition->status == "True";
}

}  // namespace berth::api
