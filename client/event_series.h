// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/events.h"
#include "base/clock.h"
#include "client/event.h"

namespace berth::client {

// EventWrite is one request to be made: a new Event, or the new count of a series.
struct EventWrite {
  enum class What { kCreate, kSeries };
  What what = What::kCreate;
  api::events::Event event;
};

// EventSeries turns occurrences into as few writes as say the same. The first is written; a repeat
// within six minutes makes it a series, written at its second; then it is only counted, and written
// when half an hour passed, it has ended, or there is no room to remember it. Occurrences are alike
// when all but note and time are: also the version of the object they regard, so that a pod which
// changed shows the reason of now. Pure but for the clock; for one thread. O(1) an occurrence.
// Source: client-go tools/events/event_broadcaster.go, getKey and recordToSink.
class EventSeries {
 public:
  // Requires: the clock outlives this.
  EventSeries(const EventRecorderOptions& options, const Clock& clock);

  // Add appends the writes that an occurrence needs now: at most its own, and the last count of
  // another that is forgotten for it.
  void Add(const Occurrence& occurrence, std::vector<EventWrite>& writes);

  // Tick appends the writes that time alone asks for, and forgets series that have ended. Call it
  // every minute or so.
  void Tick(std::vector<EventWrite>& writes);

  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string key;
    api::events::Event event;
    int32_t count = 1;
    int32_t written_count = 1;
    SteadyTime seen;
    SteadyTime written;
  };
  using Entries = std::list<Entry>;

  bool HasEnded(const Entry& entry) const;
  void Begin(const Occurrence& occurrence, std::string key, std::vector<EventWrite>& writes);
  void Repeat(Entries::iterator entry, std::vector<EventWrite>& writes);
  void Forget(Entries::iterator entry, std::vector<EventWrite>& writes);
  void WriteCount(Entry& entry, std::vector<EventWrite>& writes) const;
  std::string_view ControllerOf(const Occurrence& occurrence) const;
  std::string KeyOf(const Occurrence& occurrence) const;
  api::events::Event NewEvent(const Occurrence& occurrence, std::string_view key) const;

  const std::string controller_;
  const std::string host_;
  const size_t max_series_;
  const Clock& clock_;
  Entries entries_;                                                 // least recently seen first
  std::unordered_map<std::string_view, Entries::iterator> by_key_;  // the entries' own keys
};

// SpamFilter lets each object have a burst of events and then one now and then. For one thread.
// Source: client-go tools/record/events_cache.go, EventSourceObjectSpamFilter.
class SpamFilter {
 public:
  // Requires: the clock outlives this. `max_objects` bounds what is remembered.
  SpamFilter(SpamLimit limit, size_t max_objects, const Clock& clock);

  bool Allow(const api::ObjectReference& regarding);

 private:
  struct Bucket {
    double tokens;
    SteadyTime filled;
  };

  const SpamLimit limit_;
  const size_t max_objects_;
  const Clock& clock_;
  std::map<std::string, Bucket> buckets_;
};

}  // namespace berth::client
