// SPDX-License-Identifier: Apache-2.0
// The cost of an event on the scheduling thread and on the recorder's thread.
#include <latch>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "bench/cases.h"
#include "bench/fixtures.h"
#include "client/event_recorder.h"
#include "client/event_series.h"

namespace berth::bench {
namespace {

// Each bound pod is an event series of its own.
client::Occurrence Scheduled(size_t serial) {
  const std::string name = fmt::format("web-{}", serial);
  return {
      .reason = "Scheduled",
      .action = "Binding",
      .note = fmt::format("Successfully assigned default/{} to {}", name, NodeName(serial % 100)),
      .regarding = {.api_version = "v1",
                    .kind = "Pod",
                    .namespace_ = "default",
                    .name = name,
                    .uid = fmt::format("5a1c3ba4-2c1a-4a4f-9f05-{:012}", serial),
                    .resource_version = std::to_string(serial)},
      .controller = "default-scheduler"};
}

// RecordEvents measures Record alone: the recorder's thread is blocked in a request.
class RecordEvents final : public Workload {
 public:
  explicit RecordEvents(size_t events) : events_(events) {}
  size_t Operations() const override { return events_; }

  void Round(Meter& meter) override {
    std::vector<client::Occurrence> occurrences;
    for (size_t i = 0; i < events_; ++i) occurrences.push_back(Scheduled(i));
    std::latch busy(1), end(1);
    client::EventRecorder recorder(
        [&](client::ApiRequest, const client::Callback<std::string>& done) {
          if (!busy.try_wait()) busy.count_down();
          end.wait();
          done("{}");
        },
        {.host = "bench"}, clock_);
    recorder.Record(Scheduled(events_));
    busy.wait();
    {
      const Measured measured(meter);
      for (client::Occurrence& occurrence : occurrences) recorder.Record(std::move(occurrence));
    }
    end.count_down();
  }

 private:
  const size_t events_;
  const SystemClock clock_;
};

// MakeEvents measures the processing of one event: its key, its Event object, and the eviction of
// another series.
class MakeEvents final : public Workload {
 public:
  explicit MakeEvents(size_t events) : series_({.host = "bench"}, clock_) {
    for (size_t i = 0; i < events; ++i) occurrences_.push_back(Scheduled(i));
    while (series_.size() < client::EventRecorderOptions{}.max_series) AddNext();
  }
  size_t Operations() const override { return occurrences_.size(); }

  void Round(Meter& meter) override {
    const Measured measured(meter);
    for (size_t i = 0; i < occurrences_.size(); ++i) AddNext();
  }

 private:
  void AddNext() {
    client::Occurrence& occurrence = occurrences_[next_++ % occurrences_.size()];
    occurrence.regarding.resource_version = std::to_string(next_);
    std::vector<client::EventWrite> writes;
    series_.Add(occurrence, writes);
    Keep(writes);
  }

  const SystemClock clock_;
  client::EventSeries series_;
  std::vector<client::Occurrence> occurrences_;
  size_t next_ = 1'000'000;  // versions of equal length
};

}  // namespace

std::vector<Case> EventCases(const Scale& scale) {
  const size_t events = scale.round;
  return {{"events/record", [events] { return std::make_unique<RecordEvents>(events); }},
          {"events/make", [events] { return std::make_unique<MakeEvents>(events); }}};
}

}  // namespace berth::bench
