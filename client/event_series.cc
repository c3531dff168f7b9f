// SPDX-License-Identifier: Apache-2.0
#include "client/event_series.h"

#include <algorithm>
#include <utility>

#include "base/names.h"

namespace berth::client {
namespace {

constexpr std::chrono::minutes kSeriesEndsAfter{6};
constexpr std::chrono::minutes kRefreshAfter{30};
constexpr size_t kMaxNote = 1024;
constexpr size_t kMaxName = 253;

std::string_view ToString(EventKind kind) {
  return kind == EventKind::kNormal ? "Normal" : "Warning";
}

std::string KeyOf(const api::ObjectReference& object) {
  return object.api_version + '\n' + object.kind + '\n' + object.namespace_ + '\n' + object.name +
         '\n' + object.uid + '\n' + object.field_path;
}

}  // namespace

std::string CutNote(std::string note) {
  constexpr std::string_view kCut = " ...";
  if (note.size() <= kMaxNote) return note;
  size_t end = kMaxNote - kCut.size();
  while (end > 0 && (static_cast<unsigned char>(note[end]) & 0xC0) == 0x80) --end;
  note.resize(end);
  note += kCut;
  return note;
}

EventSeries::EventSeries(EventRecorderOptions options, const Clock& clock)
    : options_(std::move(options)), clock_(clock) {}

std::string EventSeries::KeyOf(const Occurrence& occurrence) const {
  std::string key(ToString(occurrence.kind));
  for (const std::string* part : {&occurrence.action, &occurrence.reason}) key += '\n' + *part;
  key += '\n' + client::KeyOf(occurrence.regarding);
  if (occurrence.related) key += '\n' + client::KeyOf(*occurrence.related);
  return key;
}

api::events::Event EventSeries::NewEvent(const Occurrence& occurrence, std::string_view key) const {
  const MicroTime now(clock_.Wall());
  // The same name however often it is posted, another one for each occurrence.
  const std::string suffix =
      "." + HashHex(options_.instance + '\n' + std::string(key) + '\n' + now.ToString());
  const api::ObjectReference& regarding = occurrence.regarding;
  api::events::Event event;
  event.metadata.name = regarding.name.substr(0, kMaxName - suffix.size()) + suffix;
  event.metadata.namespace_ = regarding.namespace_.empty() ? "default" : regarding.namespace_;
  event.event_time = now;
  event.reporting_controller = options_.controller;
  event.reporting_instance = options_.instance;
  event.action = occurrence.action;
  event.reason = occurrence.reason;
  event.regarding = regarding;
  event.related = occurrence.related;
  event.note = CutNote(occurrence.note);
  event.type = ToString(occurrence.kind);
  return event;
}

std::optional<EventWrite> EventSeries::Add(const Occurrence& occurrence) {
  const std::string key = KeyOf(occurrence);
  const SteadyTime now = clock_.Now();
  const auto found = series_.find(key);
  if (found == series_.end() || now - found->second.seen >= kSeriesEndsAfter) {
    if (found == series_.end() && series_.size() >= options_.max_series) ForgetOldest();
    api::events::Event event = NewEvent(occurrence, key);
    series_.insert_or_assign(key, Entry{.event = event, .seen = now, .written = now});
    return EventWrite{.what = EventWrite::What::kCreate, .event = std::move(event)};
  }
  Entry& entry = found->second;
  ++entry.count;
  entry.seen = now;
  entry.event.series = api::events::EventSeries{.count = entry.count,
                                                .last_observed_time = MicroTime(clock_.Wall())};
  if (entry.count > 2) return std::nullopt;
  return WriteSeries(entry);
}

EventWrite EventSeries::WriteSeries(Entry& entry) const {
  entry.written = clock_.Now();
  entry.written_count = entry.count;
  return {.what = EventWrite::What::kSeries, .event = entry.event};
}

std::vector<EventWrite> EventSeries::Tick() {
  const SteadyTime now = clock_.Now();
  std::vector<EventWrite> writes;
  for (auto it = series_.begin(); it != series_.end();) {
    Entry& entry = it->second;
    const bool ended = now - entry.seen >= kSeriesEndsAfter;
    const bool stale = now - entry.written >= kRefreshAfter;
    if ((ended || stale) && entry.count > entry.written_count) writes.push_back(WriteSeries(entry));
    it = ended ? series_.erase(it) : std::next(it);
  }
  return writes;
}

void EventSeries::ForgetOldest() {
  series_.erase(std::min_element(series_.begin(), series_.end(), [](const auto& a, const auto& b) {
    return a.second.seen < b.second.seen;
  }));
}

SpamFilter::SpamFilter(const EventRecorderOptions& options, const Clock& clock)
    : burst_(options.burst),
      refill_per_second_(options.refill_per_second),
      max_buckets_(options.max_series),
      clock_(clock) {}

bool SpamFilter::Allow(const api::ObjectReference& regarding) {
  const SteadyTime now = clock_.Now();
  if (buckets_.size() >= max_buckets_) {
    // A bucket that is full again says nothing; if none is, all of them begin again.
    std::erase_if(buckets_, [&](const auto& entry) {
      const std::chrono::duration<double> age = now - entry.second.filled;
      return entry.second.tokens + age.count() * refill_per_second_ >= burst_;
    });
    if (buckets_.size() >= max_buckets_) buckets_.clear();
  }
  Bucket& bucket =
      buckets_.try_emplace(client::KeyOf(regarding), Bucket{burst_, now}).first->second;
  const std::chrono::duration<double> age = now - bucket.filled;
  bucket.tokens = std::min(burst_, bucket.tokens + age.count() * refill_per_second_);
  bucket.filled = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}

}  // namespace berth::client
