// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/history.h"

#include <algorithm>

namespace berth::apiserver {

void History::PopFront() {
  floor_ = changes_.front().version;
  changes_.pop_front();
  ++first_;
}

void History::Trim(size_t window) {
  while (changes_.size() > window) PopFront();
}

void History::Compact(uint64_t version) {
  while (!changes_.empty() && changes_.front().version <= version) PopFront();
  floor_ = std::max(floor_, version);
}

uint64_t History::After(uint64_t version) const {
  const auto found = std::upper_bound(
      changes_.begin(), changes_.end(), version,
      [](uint64_t wanted, const Change& change) { return wanted < change.version; });
  return first_ + static_cast<uint64_t>(found - changes_.begin());
}

std::map<std::string, ObjectPtr, std::less<>> History::Undo(uint64_t version) const {
  std::map<std::string, ObjectPtr, std::less<>> then;
  // The oldest change of a key holds the state before all of them.
  for (uint64_t i = After(version); i < end(); ++i) {
    const Change& change = At(i);
    then.try_emplace(KeyOf(change.metadata()), change.before);
  }
  return then;
}

}  // namespace berth::apiserver
