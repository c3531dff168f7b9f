// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/proportional_scaling.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <tuple>

namespace berth::simulation {
namespace {

using Sets = std::vector<const ReplicaSet*>;

std::optional<int32_t> AnnotationOf(const ReplicaSet& set, const char* annotation) {
  const auto found = set.metadata.annotations.find(annotation);
  if (found == set.metadata.annotations.end()) return std::nullopt;
  const std::string& text = found->second;
  int32_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return whole && number >= 0 ? std::optional(number) : std::nullopt;
}

// Reports whether the ReplicaSet was last scaled for another number of replicas.
bool IsStale(const ReplicaSet& set, const DeploymentSpec& spec) {
  const auto desired = AnnotationOf(set, kDesiredAnnotation);
  return desired && *desired != spec.replicas;
}

// Reports whether all pods of the new ReplicaSet are available, so that the old ones are not
// needed.
bool IsSaturated(const DeploymentSpec& spec, const ReplicaSet* newest) {
  return newest != nullptr && newest->spec.replicas == spec.replicas &&
         AnnotationOf(*newest, kDesiredAnnotation) == spec.replicas &&
         newest->status.available_replicas == spec.replicas;
}

// Returns how many pods a ReplicaSet gains or loses if it keeps its proportion.
int32_t Share(const Deployment& deployment, const ReplicaSet& set) {
  const DeploymentSpec& spec = deployment.spec;
  if (spec.replicas == 0) return -set.spec.replicas;
  const int32_t noted = AnnotationOf(set, kMaxAnnotation).value_or(0);
  const int32_t before = noted > 0 ? noted : deployment.status.replicas;
  if (before == 0) return 0;
  const int32_t now = spec.replicas + AllowanceOf(spec).max_surge;
  const double size = static_cast<double>(set.spec.replicas) * now / before;
  return static_cast<int32_t>(std::lround(size)) - set.spec.replicas;
}

// Largest first. Of equal ones, the newer one first when growing, the older one when shrinking.
void SortBySize(Sets& sets, bool growing) {
  std::sort(sets.begin(), sets.end(), [growing](const ReplicaSet* a, const ReplicaSet* b) {
    if (a->spec.replicas != b->spec.replicas) return a->spec.replicas > b->spec.replicas;
    const bool older = std::tie(a->metadata.creation_timestamp, a->metadata.name) <
                       std::tie(b->metadata.creation_timestamp, b->metadata.name);
    return older != growing;
  });
}

Scales ShareOut(const Deployment& deployment, Sets active) {
  const DeploymentSpec& spec = deployment.spec;
  int32_t total = 0;
  for (const ReplicaSet* set : active) total += set->spec.replicas;
  const int32_t allowed = spec.replicas > 0 ? spec.replicas + AllowanceOf(spec).max_surge : 0;
  const int32_t to_add = allowed - total;
  SortBySize(active, to_add > 0);
  Scales sizes;
  int32_t added = 0;
  for (const ReplicaSet* set : active) {
    const int32_t left = to_add - added;
    const int32_t share = Share(deployment, *set);
    const int32_t more = to_add > 0 ? std::min(share, left) : std::max(share, left);
    const int32_t change = left == 0 ? 0 : more;
    sizes[set->metadata.name] = set->spec.replicas + change;
    added += change;
  }
  int32_t& largest = sizes[active.front()->metadata.name];
  largest = std::max(0, largest + to_add - added);
  return sizes;
}

}  // namespace

std::map<std::string, std::string> SizeNotes(const DeploymentSpec& spec) {
  return {{kDesiredAnnotation, std::to_string(spec.replicas)},
          {kMaxAnnotation, std::to_string(spec.replicas + AllowanceOf(spec).max_surge)}};
}

bool WasScaled(const DeploymentSpec& spec, const Sets& sets) {
  return std::any_of(sets.begin(), sets.end(), [&](const ReplicaSet* set) {
    return set->spec.replicas > 0 && IsStale(*set, spec);
  });
}

Scales ScaleToFit(const Deployment& deployment, const ReplicaSet* newest, const Sets& old) {
  const DeploymentSpec& spec = deployment.spec;
  Sets all = old;
  if (newest != nullptr) all.push_back(newest);
  if (all.empty()) return {};
  Sets active;
  std::copy_if(all.begin(), all.end(), std::back_inserter(active),
               [](const ReplicaSet* set) { return set->spec.replicas > 0; });
  Scales sizes;
  if (active.size() <= 1) {
    sizes[(active.empty() ? all.back() : active.front())->metadata.name] = spec.replicas;
  } else if (IsSaturated(spec, newest)) {
    for (const ReplicaSet* set : old) {
      if (set->spec.replicas > 0) sizes[set->metadata.name] = 0;
    }
  } else if (spec.strategy.type != "Recreate") {
    sizes = ShareOut(deployment, active);
  }
  for (const ReplicaSet* set : all) {
    const auto size = sizes.find(set->metadata.name);
    if (size == sizes.end()) continue;
    if (size->second == set->spec.replicas && !IsStale(*set, spec)) sizes.erase(size);
  }
  return sizes;
}

}  // namespace berth::simulation
