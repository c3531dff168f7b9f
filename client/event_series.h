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

// EventWrite is one pending request: a new Event, or the new count of a series.
struct EventWrite {
  enum class What { kCreate, kSeries };
  What what = What::kCreate;
  api::events::Event event;
};

// EventSeries aggregates occurrences into few writes. The first occurrence is written. A repeat
// within six minutes makes it a series, which is written at its second occurrence. Further repeats
// are only counted; the count is written after half an hour, when the series has ended, or when its
// entry is evicted. Occurrences belong to one series if all fields but note and time are equal,
// including the resource version of the regarded object: a changed pod shows its current reason. No
// I/O; for one thread. O(1) per occurrence.
// Source: client-go tools/events/event_broadcaster.go, getKey and recordToSink.
class EventSeries {
 public:
  // Requires: the clock outlives this.
  EventSeries(const EventRecorderOptions& options, const Clock& clock);

  // Appends the writes that an occurrence needs now: at most its own, and the last count of a
  // series evicted for it.
  void Add(const Occurrence& occurrence, std::vector<EventWrite>& writes);

  // Appends the writes that are due by time, and drops ended series. Call it about once a minute.
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

// SpamFilter is a token bucket of events per object. For one thread.
// Source: client-go tools/record/events_cache.go, EventSourceObjectSpamFilter.
class SpamFilter {
 public:
  // Requires: the clock outlives this. `max_objects` bounds the number of buckets.
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
