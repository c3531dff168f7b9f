// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/tolerations.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "scheduler/model/key_text.h"

namespace berth::scheduler {
namespace {

// Entry holds the relevant fields of a toleration: key, operator, value, effect.
using Entry = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;

}  // namespace

bool Tolerates(const api::Toleration& toleration, const api::Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op.empty() || toleration.op == "Equal") return toleration.value == taint.value;
  return toleration.op == "Exists";
}

bool Tolerates(const std::vector<api::Toleration>& tolerations, const api::Taint& taint) {
  return std::any_of(
      tolerations.begin(), tolerations.end(),
      [&taint](const api::Toleration& toleration) { return Tolerates(toleration, taint); });
}

bool IsBlocking(const api::Taint& taint) {
  return taint.effect == "NoSchedule" || taint.effect == "NoExecute";
}

bool ToleratesAllBlocking(const std::vector<api::Toleration>& tolerations,
                          const std::vector<api::Taint>& taints) {
  return std::all_of(taints.begin(), taints.end(), [&tolerations](const api::Taint& taint) {
    return !IsBlocking(taint) || Tolerates(tolerations, taint);
  });
}

std::string TolerationsKey(const std::vector<api::Toleration>& tolerations) {
  constexpr size_t kUsualBytes = 100;  // size of a toleration that the API server adds to each pod
  std::vector<Entry> entries;
  entries.reserve(tolerations.size());
  for (const api::Toleration& toleration : tolerations) {
    const bool equal = toleration.op.empty() || toleration.op == "Equal";
    entries.emplace_back(toleration.key, equal ? "Equal" : std::string_view(toleration.op),
                         equal ? std::string_view(toleration.value) : std::string_view(),
                         toleration.effect);
  }
  std::sort(entries.begin(), entries.end());
  KeyText text(entries.size() * kUsualBytes);
  for (const auto& [key, op, value, effect] : entries) text.Add(key).Add(op).Add(value).Add(effect);
  return text.Take();
}

}  // namespace berth::scheduler
