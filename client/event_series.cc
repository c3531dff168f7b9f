// SPDX-License-Identifier: Apache-2.0
#include "client/event_series.h"

#include <algorithm>
#include <utility>

#include "base/names.h"

namespace berth::client {
namespace {

constexpr std::chrono::minutes kSeriesEndsAfter{6};
constexpr std::chrono::minutes kRefreshAfter{30};
constexpr size_t kMaxName = 253;

std::string_view ToString(EventKind kind) {
  return kind == EventKind::kNormal ? "Normal" : "Warning";
}

// Returns a key of the object without its resource version.
std::string ObjectKey(const api::ObjectReference& object) {
  return object.api_version + '\n' + object.kind + '\n' + object.namespace_ + '\n' + object.name +
         '\n' + object.uid + '\n' + object.field_path;
}

std::string VersionKey(const api::ObjectReference& object) {
  return ObjectKey(object) + '\n' + object.resource_version;
}

}  // namespace

EventSeries::EventSeries(const EventRecorderOptions& options, const Clock& clock)
    : controller_(options.controller),
      host_(options.host),
      max_series_(options.max_series),
      clock_(clock) {}

std::string_view EventSeries::ControllerOf(const Occurrence& occurrence) const {
  return occurrence.controller.empty() ? controller_ : occurrence.controller;
}

std::string EventSeries::KeyOf(const Occurrence& occurrence) const {
  std::string key(ToString(occurrence.kind));
  for (const std::string_view part : {ControllerOf(occurrence), std::string_view(occurrence.action),
                                      std::string_view(occurrence.reason)}) {
    key.append(1, '\n').append(part);
  }
  key += '\n' + VersionKey(occurrence.regarding);
  if (occurrence.related) key += '\n' + VersionKey(*occurrence.related);
  return key;
}

api::events::Event EventSeries::NewEvent(const Occurrence& occurrence, std::string_view key) const {
  const MicroTime now(clock_.Wall());
  // The name is unique per occurrence and stable over all attempts to post it.
  const std::string suffix = "." + HashHex(host_ + '\n' + std::string(key) + '\n' + now.ToString());
  const api::ObjectReference& regarding = occurrence.regarding;
  api::events::Event event;
  event.metadata.name = regarding.name.substr(0, kMaxName - suffix.size()) + suffix;
  event.metadata.namespace_ = regarding.namespace_.empty() ? "default" : regarding.namespace_;
  event.event_time = now;
  event.reporting_controller = ControllerOf(occurrence);
  event.reporting_instance = event.reporting_controller + "-" + host_;
  event.action = occurrence.action;
  event.reason = occurrence.reason;
  event.regarding = regarding;
  event.related = occurrence.related;
  event.note = api::events::CutNote(occurrence.note);
  event.type = ToString(occurrence.kind);
  return event;
}

bool EventSeries::HasEnded(const Entry& entry) const {
  return clock_.Now() - entry.seen >= kSeriesEndsAfter;
}

void EventSeries::Add(const Occurrence& occurrence, std::vector<EventWrite>& writes) {
  std::string key = KeyOf(occurrence);
  const auto known = by_key_.find(key);
  if (known != by_key_.end() && !HasEnded(*known->second)) return Repeat(known->second, writes);
  if (known != by_key_.end()) {
    Forget(known->second, writes);
  } else if (entries_.size() >= max_series_) {
    Forget(entries_.begin(), writes);
  }
  Begin(occurrence, std::move(key), writes);
}

void EventSeries::Begin(const Occurrence& occurrence, std::string key,
                        std::vector<EventWrite>& writes) {
  const SteadyTime now = clock_.Now();
  api::events::Event event = NewEvent(occurrence, key);
  writes.push_back({.what = EventWrite::What::kCreate, .event = event});
  entries_.push_back(
      {.key = std::move(key), .event = std::move(event), .seen = now, .written = now});
  by_key_.emplace(entries_.back().key, std::prev(entries_.end()));
}

void EventSeries::Repeat(Entries::iterator entry, std::vector<EventWrite>& writes) {
  entries_.splice(entries_.end(), entries_, entry);
  ++entry->count;
  entry->seen = clock_.Now();
  entry->event.series = api::events::EventSeries{.count = entry->count,
                                                 .last_observed_time = MicroTime(clock_.Wall())};
  if (entry->count == 2) WriteCount(*entry, writes);
}

void EventSeries::WriteCount(Entry& entry, std::vector<EventWrite>& writes) const {
  entry.written = clock_.Now();
  entry.written_count = entry.count;
  writes.push_back({.what = EventWrite::What::kSeries, .event = entry.event});
}

void EventSeries::Forget(Entries::iterator entry, std::vector<EventWrite>& writes) {
  if (entry->count > entry->written_count) WriteCount(*entry, writes);
  by_key_.erase(entry->key);
  entries_.erase(entry);
}

void EventSeries::Tick(std::vector<EventWrite>& writes) {
  while (!entries_.empty() && HasEnded(entries_.front())) Forget(entries_.begin(), writes);
  for (Entry& entry : entries_) {
    const bool is_stale = clock_.Now() - entry.written >= kRefreshAfter;
    if (is_stale && entry.count > entry.written_count) WriteCount(entry, writes);
  }
}

SpamFilter::SpamFilter(SpamLimit limit, size_t max_objects, const Clock& clock)
    : limit_(limit), max_objects_(max_objects), clock_(clock) {}

bool SpamFilter::Allow(const api::ObjectReference& regarding) {
  const SteadyTime now = clock_.Now();
  if (buckets_.size() >= max_objects_) {
    // A full bucket carries no information. If no bucket is full, drop them all.
    std::erase_if(buckets_, [&](const auto& entry) {
      const std::chrono::duration<double> age = now - entry.second.filled;
      return entry.second.tokens + age.count() * limit_.refill_per_second >= limit_.burst;
    });
    if (buckets_.size() >= max_objects_) buckets_.clear();
  }
  const Bucket full{static_cast<double>(limit_.burst), now};
  Bucket& bucket = buckets_.try_emplace(ObjectKey(regarding), full).first->second;
  const std::chrono::duration<double> age = now - bucket.filled;
  bucket.tokens =
      std::min<double>(limit_.burst, bucket.tokens + age.count() * limit_.refill_per_second);
  bucket.filled = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}

}  // namespace berth::client
