// SPDX-License-Identifier: Apache-2.0
#include "client/event_recorder.h"

#include <algorithm>
#include <utility>

#include "base/doubling.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/random.h"

namespace berth::client {
namespace {

constexpr std::chrono::seconds kTickEvery{30};
constexpr std::chrono::seconds kWriteTimeout{10};
constexpr std::chrono::seconds kLastChance{2};

using What = EventWrite::What;

// SeriesPatch is the part of an Event that a repeat changes.
struct SeriesPatch {
  std::optional<api::events::EventSeries> series;
  static auto Fields() { return json::Object(json::Field("series", &SeriesPatch::series)); }
};

ApiRequest ToRequest(const EventWrite& write) {
  const api::events::Event& event = write.event;
  const api::ResourceInfo& resource = api::events::Event::kResource;
  const std::string& ns = event.metadata.namespace_;
  if (write.what == What::kCreate) return CreateRequest(resource, ns, json::Encode(event));
  return PatchRequest(resource, ns, event.metadata.name, json::Encode(SeriesPatch{event.series}),
                      {.type = PatchType::kMerge});
}

EventRecorderOptions WithRandom(EventRecorderOptions options) {
  if (!options.random) options.random = UniformRandom();
  return options;
}

std::optional<SpamFilter> MakeSpamFilter(const EventRecorderOptions& options, const Clock& clock) {
  if (!options.spam_limit) return std::nullopt;
  return SpamFilter(*options.spam_limit, options.max_series, clock);
}

// Verdict is the result of a write attempt.
enum class Verdict { kWritten, kAtOnce, kLater, kRejected };

// Returns the verdict of a response, and may convert the write: a series whose Event is gone
// becomes a new Event. An Event that already exists was posted twice, which counts as written,
// unless it has repeated meanwhile: then the write becomes a series.
Verdict Judge(const Result<std::string>& answer, EventWrite& write) {
  if (answer) return Verdict::kWritten;
  if (write.what == What::kSeries && answer.error().Is(Reason::kNotFound)) {
    write.what = What::kCreate;
    return Verdict::kAtOnce;
  }
  if (write.what == What::kCreate && answer.error().Is(Reason::kAlreadyExists)) {
    if (!write.event.series) return Verdict::kWritten;
    write.what = What::kSeries;
    return Verdict::kAtOnce;
  }
  return answer.error().IsTransient() ? Verdict::kLater : Verdict::kRejected;
}

}  // namespace

Counter& AddDroppedEvents(MetricsRegistry& metrics) {
  return metrics.AddCounter("berth_events_dropped_total",
                            "Events that were not written, because there were too many at once, "
                            "the API server rejected them, or the process ended.");
}

EventRecorder::Sender SendWith(Client& client) {
  return [&client](ApiRequest request, Callback<std::string> done) {
    client.Send(std::move(request), std::move(done));
  };
}

EventRecorder::EventRecorder(Sender send, EventRecorderOptions options, const Clock& clock)
    : send_(std::move(send)),
      options_(WithRandom(std::move(options))),
      clock_(clock),
      series_(options_, clock),
      spam_(MakeSpamFilter(options_, clock)),
      next_tick_(clock.Now() + kTickEvery),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

EventRecorder::~EventRecorder() {
  Flush(kLastChance);
  thread_.request_stop();
  thread_.join();
  give_up_.request_stop();
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return in_flight_ == 0; });
  Drop(recorded_.size() + ready_.size() + later_.size());
  if (dropped_ > 0) log::Info("Some events were not written", {{"count", dropped_}});
}

void EventRecorder::Record(Occurrence occurrence) {
  const std::lock_guard lock(mutex_);
  if (recorded_.size() + ready_.size() + later_.size() >= options_.max_pending) return Drop(1);
  recorded_.push_back(std::move(occurrence));
  Wake();
}

// The functions below require that mutex_ is held, unless noted.

void EventRecorder::Drop(size_t count) {
  dropped_ += count;
  if (options_.dropped != nullptr) options_.dropped->Increment(static_cast<double>(count));
}

void EventRecorder::Wake() {
  woken_ = true;
  changed_.notify_one();
}

bool EventRecorder::IsIdleUntil(SteadyTime time) const {
  return recorded_.empty() && ready_.empty() && in_flight_ == 0 && !working_ &&
         (later_.empty() || later_.begin()->first > time);
}

bool EventRecorder::Flush(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  for (auto& [due, attempt] : later_) ready_.push_back(std::move(attempt));
  later_.clear();
  Wake();
  const SteadyTime deadline = clock_.Now() + timeout;
  idle_.wait_for(lock, timeout, [&] { return IsIdleUntil(deadline); });
  return IsIdleUntil(SteadyTime::max());
}

uint64_t EventRecorder::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

void EventRecorder::Run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    TakeDue();
    if (Work(lock)) continue;
    idle_.notify_all();
    const SteadyTime wake =
        later_.empty() ? next_tick_ : std::min(next_tick_, later_.begin()->first);
    changed_.wait_for(lock, stop, wake - clock_.Now(), [this] { return woken_; });
    woken_ = false;
  }
}

void EventRecorder::TakeDue() {
  const auto end = later_.upper_bound(clock_.Now());
  for (auto it = later_.begin(); it != end; ++it) ready_.push_back(std::move(it->second));
  later_.erase(later_.begin(), end);
}

bool EventRecorder::Work(std::unique_lock<std::mutex>& lock) {
  if (clock_.Now() >= next_tick_) {
    next_tick_ = clock_.Now() + kTickEvery;
    MakeWrites(lock, [this](auto& writes) { series_.Tick(writes); });
    return true;
  }
  if (in_flight_ >= options_.max_in_flight) return false;
  if (!ready_.empty()) {
    Attempt attempt = std::move(ready_.front());
    ready_.pop_front();
    ++in_flight_;
    lock.unlock();
    Send(std::move(attempt));
    lock.lock();
    return true;
  }
  if (recorded_.empty()) return false;
  const Occurrence occurrence = std::move(recorded_.front());
  recorded_.pop_front();
  if (spam_ && !spam_->Allow(occurrence.regarding)) {
    Drop(1);
  } else {
    MakeWrites(lock, [&](auto& writes) { series_.Add(occurrence, writes); });
  }
  return true;
}

void EventRecorder::MakeWrites(std::unique_lock<std::mutex>& lock,
                               const std::function<void(std::vector<EventWrite>&)>& make) {
  std::vector<EventWrite> writes;
  working_ = true;
  lock.unlock();
  make(writes);
  lock.lock();
  working_ = false;
  for (EventWrite& write : writes) ready_.push_back({.write = std::move(write)});
}

// Without the lock.
void EventRecorder::Send(Attempt attempt) {
  ++attempt.tries;
  ApiRequest request = ToRequest(attempt.write);
  request.options.stop = give_up_.get_token();
  request.options.timeout = kWriteTimeout;
  send_(std::move(request),
        [this, attempt = std::move(attempt)](const Result<std::string>& answer) mutable {
          OnAnswer(std::move(attempt), answer);
        });
}

// Without the lock.
void EventRecorder::OnAnswer(Attempt attempt, const Result<std::string>& answer) {
  const Verdict verdict = Judge(answer, attempt.write);
  const bool again = attempt.tries < options_.max_tries && !give_up_.stop_requested();

  const std::lock_guard lock(mutex_);
  --in_flight_;
  if (verdict == Verdict::kAtOnce && again) {
    ready_.push_front(std::move(attempt));
  } else if (verdict == Verdict::kLater && again) {
    const SteadyTime due = RetryTime(attempt.tries);
    later_.emplace(due, std::move(attempt));
  } else if (verdict != Verdict::kWritten) {
    Drop(1);
    log::V(2).Info("Could not write an event", {{"event", attempt.write.event.metadata.name},
                                                {"reason", attempt.write.event.reason},
                                                {"err", answer.error()}});
  }
  Wake();
  if (in_flight_ == 0) idle_.notify_all();
}

// Doubles the delay with each attempt. Half of it is random, so that writes that failed together
// are not retried together.
SteadyTime EventRecorder::RetryTime(int tries) {
  const auto delay = Doubled(options_.first_retry_delay, tries - 1, options_.max_retry_delay);
  return clock_.Now() + delay / 2 +
         std::chrono::duration_cast<std::chrono::nanoseconds>(delay / 2.0 * options_.random());
}

}  // namespace berth::client
