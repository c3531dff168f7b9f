// SPDX-License-Identifier: Apache-2.0
#include "client/event_recorder.h"

#include <algorithm>
#include <utility>

#include "base/json/json.h"
#include "base/log.h"

namespace berth::client {
namespace {

constexpr std::chrono::seconds kTickEvery{30};
constexpr std::chrono::seconds kWriteTimeout{10};
constexpr std::chrono::seconds kLastChance{2};

// SeriesPatch is what of an Event changes when it repeats.
struct SeriesPatch {
  std::optional<api::events::EventSeries> series;
  static auto Fields() { return json::Object(json::Field("series", &SeriesPatch::series)); }
};

ApiRequest ToRequest(const EventWrite& write) {
  const api::events::Event& event = write.event;
  const api::ResourceInfo& resource = api::events::Event::kResource;
  const std::string& ns = event.metadata.namespace_;
  if (write.what == EventWrite::What::kCreate) {
    return CreateRequest(resource, ns, json::Encode(event));
  }
  return PatchRequest(resource, ns, event.metadata.name, json::Encode(SeriesPatch{event.series}),
                      {.type = PatchType::kMerge});
}

}  // namespace

EventRecorder::EventRecorder(Client& client, EventRecorderOptions options, const Clock& clock)
    : client_(client),
      options_(std::move(options)),
      clock_(clock),
      series_(options_, clock),
      spam_(options_, clock),
      next_tick_(clock.Now() + kTickEvery),
      thread_([this](std::stop_token stop) { Run(std::move(stop)); }) {}

EventRecorder::~EventRecorder() {
  Flush(kLastChance);
  thread_.request_stop();
  thread_.join();
  give_up_.request_stop();
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return in_flight_ == 0; });
}

void EventRecorder::Record(const Occurrence& occurrence) {
  std::lock_guard lock(mutex_);
  if (!spam_.Allow(occurrence.regarding) || queue_.size() >= options_.max_pending) {
    ++dropped_;
    return;
  }
  if (auto write = series_.Add(occurrence)) Push(std::move(*write));
}

// Requires: mutex_ is held.
void EventRecorder::Push(EventWrite write) {
  queue_.push_back({.write = std::move(write), .due = clock_.Now()});
  Wake();
}

// Requires: mutex_ is held.
void EventRecorder::Wake() {
  woken_ = true;
  changed_.notify_one();
}

bool EventRecorder::Flush(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  return idle_.wait_for(lock, timeout, [this] { return IsIdle(); });
}

uint64_t EventRecorder::dropped() const {
  std::lock_guard lock(mutex_);
  return dropped_;
}

void EventRecorder::Run(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (clock_.Now() >= next_tick_) {
      for (EventWrite& write : series_.Tick()) Push(std::move(write));
      next_tick_ = clock_.Now() + kTickEvery;
    }
    SendDue(lock);
    const bool blocked = queue_.empty() || in_flight_ >= options_.max_in_flight;
    const SteadyTime wake = blocked ? next_tick_ : std::min(next_tick_, queue_.front().due);
    changed_.wait_for(lock, stop, wake - clock_.Now(), [this] { return woken_; });
    woken_ = false;
  }
}

void EventRecorder::SendDue(std::unique_lock<std::mutex>& lock) {
  while (!queue_.empty() && in_flight_ < options_.max_in_flight &&
         queue_.front().due <= clock_.Now()) {
    Pending pending = std::move(queue_.front());
    queue_.pop_front();
    ++in_flight_;
    lock.unlock();
    Send(std::move(pending));
    lock.lock();
  }
}

void EventRecorder::Send(Pending pending) {
  ++pending.tries;
  ApiRequest request = ToRequest(pending.write);
  request.options.stop = give_up_.get_token();
  request.options.timeout = kWriteTimeout;
  client_.Send(std::move(request),
               [this, pending = std::move(pending)](const Result<std::string>& answer) mutable {
                 OnAnswer(std::move(pending), answer);
               });
}

// A series whose event is gone becomes a new event; an event that is there already was posted
// twice, which is as good as once.
void EventRecorder::OnAnswer(Pending pending, const Result<std::string>& answer) {
  using What = EventWrite::What;
  const bool creates = pending.write.what == What::kCreate;
  const bool lost = !answer && !creates && answer.error().Is(Reason::kNotFound);
  const bool twice = !answer && creates && answer.error().Is(Reason::kAlreadyExists);
  const bool again = pending.tries < options_.max_tries && !give_up_.stop_requested();

  std::lock_guard lock(mutex_);
  --in_flight_;
  if (lost && again) {
    pending.write.what = What::kCreate;
    pending.due = clock_.Now();
    queue_.push_front(std::move(pending));
  } else if (!answer && !twice && again && answer.error().IsTransient()) {
    pending.due = clock_.Now() + options_.retry_delay;
    const auto later = std::find_if(queue_.begin(), queue_.end(),
                                    [&](const Pending& other) { return other.due > pending.due; });
    queue_.insert(later, std::move(pending));
  } else if (!answer && !twice) {
    ++dropped_;
    log::V(2).Info("Could not write an event", {{"event", pending.write.event.metadata.name},
                                                {"reason", pending.write.event.reason},
                                                {"err", answer.error()}});
  }
  Wake();
  if (IsIdle() || in_flight_ == 0) idle_.notify_all();
}

}  // namespace berth::client
