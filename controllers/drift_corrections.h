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

// DriftCorrections remembers which fields were set back, and when. It limits the writes in a fight
// with another controller to one a minute: a field that was set back five times within a minute and
// changes again is contested. A contested field is set back once a minute, until it stays unchanged
// for a minute. The path "" is the object itself, deleted by another client. For one profile, and
// for one thread at a time.
class DriftCorrections {
 public:
  static constexpr int kOftenEnough = 5;
  static constexpr std::chrono::seconds kPeriod{60};

  // Contest is a field that another field manager changes again and again.
  struct Contest {
    std::string rival;              // the other field manager, as passed to Declare
    std::chrono::nanoseconds wait;  // until the field is checked again
  };

  // Records that the field was set back now.
  void Note(const ObjectKey& key, const std::string& path, SteadyTime now);

  // Reports whether the field, which has changed again, must not be set back yet.
  bool MustWait(const ObjectKey& key, const std::string& path, SteadyTime now) const;

  // Declare marks the field as contested by `rival`; call it once for each contest.
  bool IsDeclared(const ObjectKey& key, const std::string& path) const;
  void Declare(const ObjectKey& key, const std::string& path, std::string rival);

  // Forgets the fields of an object that have kept their value for a minute.
  void Review(const ObjectKey& key, const std::vector<Difference>& differences, SteadyTime now);

  // Returns the contested fields of an object by path.
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
