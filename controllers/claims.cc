// SPDX-License-Identifier: Apache-2.0
#include "controllers/claims.h"

#include <algorithm>
#include <tuple>

namespace berth::controllers {
namespace {

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsOlder(const crds::SchedulerProfile& a, const crds::SchedulerProfile& b) {
  return std::tie(a.metadata.creation_timestamp, a.metadata.name) <
         std::tie(b.metadata.creation_timestamp, b.metadata.name);
}

}  // namespace

std::vector<std::string> NamesOf(const crds::SchedulerProfile& profile) {
  std::vector<std::string> names = {profile.metadata.name};
  for (const std::string& alias : profile.spec.aliases) {
    if (!Contains(names, alias)) names.push_back(alias);
  }
  return names;
}

std::vector<TakenName> TakenNames(
    const crds::SchedulerProfile& profile,
    std::span<const std::shared_ptr<const crds::SchedulerProfile>> all) {
  std::vector<TakenName> taken;
  for (const std::string& name : NamesOf(profile)) {
    const crds::SchedulerProfile* holder = nullptr;
    for (const auto& other : all) {
      if (other->metadata.name == profile.metadata.name) continue;
      if (!IsOlder(*other, profile) || !Contains(NamesOf(*other), name)) continue;
      if (!holder || IsOlder(*other, *holder)) holder = other.get();
    }
    if (holder) taken.push_back({name, holder->metadata.name});
  }
  return taken;
}

bool ShareName(const crds::SchedulerProfile& a, const crds::SchedulerProfile& b) {
  const std::vector<std::string> names = NamesOf(b);
  return std::ranges::any_of(NamesOf(a),
                             [&names](const std::string& name) { return Contains(names, name); });
}

}  // namespace berth::controllers
