// SPDX-License-Identifier: Apache-2.0
#include "controllers/drift_corrections.h"

#include <algorithm>

namespace berth::controllers {

void DriftCorrections::Note(const ObjectKey& key, const std::string& path, SteadyTime now) {
  std::deque<SteadyTime>& times = histories_[key][path].times;
  times.push_back(now);
  if (times.size() > kOftenEnough) times.pop_front();
}

bool DriftCorrections::MustWait(const ObjectKey& key, const std::string& path,
                                SteadyTime now) const {
  const History* history = Find(key, path);
  if (!history || now - history->times.back() >= kPeriod) return false;
  const bool often = history->times.size() == kOftenEnough &&
                     history->times.back() - history->times.front() <= kPeriod;
  return history->rival || often;
}

bool DriftCorrections::IsDeclared(const ObjectKey& key, const std::string& path) const {
  const History* history = Find(key, path);
  return history && history->rival;
}

void DriftCorrections::Declare(const ObjectKey& key, const std::string& path, std::string rival) {
  histories_[key][path].rival = std::move(rival);
}

void DriftCorrections::Review(const ObjectKey& key, const std::vector<Difference>& differences,
                              SteadyTime now) {
  const auto found = histories_.find(key);
  if (found == histories_.end()) return;
  std::erase_if(found->second, [&](const auto& entry) {
    const auto& [path, history] = entry;
    return now - history.times.back() >= kPeriod &&
           std::ranges::find(differences, path, &Difference::path) == differences.end();
  });
  if (found->second.empty()) histories_.erase(found);
}

std::map<std::string, DriftCorrections::Contest> DriftCorrections::ContestsOf(
    const ObjectKey& key, SteadyTime now) const {
  std::map<std::string, Contest> contests;
  const auto found = histories_.find(key);
  if (found == histories_.end()) return contests;
  for (const auto& [path, history] : found->second) {
    if (history.rival) contests[path] = {*history.rival, history.times.back() + kPeriod - now};
  }
  return contests;
}

const DriftCorrections::History* DriftCorrections::Find(const ObjectKey& key,
                                                        const std::string& path) const {
  const auto object = histories_.find(key);
  if (object == histories_.end()) return nullptr;
  const auto field = object->second.find(path);
  return field == object->second.end() ? nullptr : &field->second;
}

}  // namespace berth::controllers
