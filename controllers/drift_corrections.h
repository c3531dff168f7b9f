// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "controllers/difference.h"
#include "controllers/object_key.h"

namespace berth::controllers {

// Repairs remembers which fields were set back, and when, so that a fight with another controller
// costs a write a minute: a field that was set back five times within a minute and changed again is
// contested, and is set back once a minute until it stays for that long. The path "" is the object
// itself, which others removed. For one thread at a time and profile.
class DriftCorrections {
 public:
  static constexpr int kOftenEnough = 5;
  static constexpr std::chrono::seconds kPeriod{60};

  // Contest is a field that others change again and again.
  struct Contest {
    std::string rival;              // who does, as it was told
    std::chrono::nanoseconds wait;  // until the field is looked at again
  };

  // Note says that the field was set back now.
  void Note(const ObjectKey& key, const std::string& path, SteadyTime now);

  // MustWait says that the field, changed once more, is to be left for now.
  bool MustWait(const ObjectKey& key, const std::string& path, SteadyTime now) const;

  // Declare makes the field a contested one, against `rival`; it is asked for once for each contest.
  bool IsDeclared(const ObjectKey& key, const std::string& path) const;
  void Declare(const ObjectKey& key, const std::string& path, std::string rival);

  // Review forgets the fields of an object that stayed as they were set back, for long enough.
  void Review(const ObjectKey& key, const std::vector<Difference>& differences, SteadyTime now);

  // ContestsOf gives the contested fields of an object, by path.
  std::map<std::string, Contest> ContestsOf(const ObjectKey& key, SteadyTime now) const;

 private:
  struct History {
    std::deque<SteadyTime> times;  // the last kOftenEnough
    std::optional<std::string> rival;
  };
  const History* Find(const ObjectKey& key, const std::string& path) const;

  std::map<ObjectKey, std::map<std::string, History>> histories_;  // by path
};

}  // namespace berth::controllers
