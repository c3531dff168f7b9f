// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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

// CutNote shortens a note to the 1024 bytes the API allows; what is cut is shown by " ...".
std::string CutNote(std::string note);

// EventSeries turns occurrences into as few writes as say the same. The first is written; a repeat
// within six minutes makes it a series, written at its second; then it is only counted, and written
// when half an hour passed or it has ended. Pure but for the clock; for one thread.
class EventSeries {
 public:
  EventSeries(EventRecorderOptions options, const Clock& clock);

  // Add gives the write that an occurrence needs now, if any.
  std::optional<EventWrite> Add(const Occurrence& occurrence);

  // Tick gives the writes that time alone asks for, and forgets series that have ended. Call it
  // every minute or so.
  std::vector<EventWrite> Tick();

  size_t size() const { return series_.size(); }

 private:
  struct Entry {
    api::events::Event event;
    int32_t count = 1;
    int32_t written_count = 1;
    SteadyTime seen;
    SteadyTime written;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  std::string KeyOf(const Occurrence& occurrence) const;
  api::events::Event NewEvent(const Occurrence& occurrence, std::string_view key) const;
  EventWrite WriteSeries(Entry& entry) const;
  void ForgetOldest();

  const EventRecorderOptions options_;
  const Clock& clock_;
  Entries series_;
};

// SpamFilter lets each object have a burst of events and then one now and then. For one thread.
class SpamFilter {
 public:
  SpamFilter(const EventRecorderOptions& options, const Clock& clock);

  bool Allow(const api::ObjectReference& regarding);

 private:
  struct Bucket {
    double tokens;
    SteadyTime filled;
  };

  const double burst_;
  const double refill_per_second_;
  const size_t max_buckets_;
  const Clock& clock_;
  std::map<std::string, Bucket> buckets_;
};

}  // namespace berth::client
