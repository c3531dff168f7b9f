// SPDX-License-Identifier: Apache-2.0
#include "controllers/admission_drift.h"

#include <algorithm>
#include <utility>

namespace berth::controllers {

std::vector<Difference> AdmissionDrift::Among(const RenderedObject& wanted, const AnyObject& live,
                                              std::vector<Difference> differences) {
  const auto found = known_.find(wanted.key);
  if (found == known_.end()) return differences;
  Known& known = found->second;
  const bool is_of_these = known.uid == live.metadata().uid && known.wanted_hash == wanted.hash;
  std::vector<Difference> kept, correctable;
  for (Difference& difference : differences) {
    const bool is_known =
        is_of_these && std::ranges::find(known.differences, difference) != known.differences.end();
    (is_known ? kept : correctable).push_back(std::move(difference));
  }
  known.differences = std::move(kept);
  if (known.differences.empty()) known_.erase(found);
  return correctable;
}

void AdmissionDrift::Set(const RenderedObject& wanted, const AnyObject& live,
                         std::vector<Difference> differences, std::vector<std::string> mutators) {
  if (differences.empty()) return Forget(wanted.key);
  known_[wanted.key] = {live.metadata().uid, wanted.hash, std::move(differences),
                        std::move(mutators)};
}

std::vector<Difference> AdmissionDrift::Of(const ObjectKey& key) const {
  const auto found = known_.find(key);
  return found == known_.end() ? std::vector<Difference>() : found->second.differences;
}

std::vector<std::string> AdmissionDrift::MutatorsOf(const ObjectKey& key) const {
  const auto found = known_.find(key);
  return found == known_.end() ? std::vector<std::string>() : found->second.mutators;
}

}  // namespace berth::controllers
