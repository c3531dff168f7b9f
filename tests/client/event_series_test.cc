// SPDX-License-Identifier: Apache-2.0
#include "client/event_series.h"

#include <gtest/gtest.h>

#include "base/fake_clock.h"

namespace berth::client {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using What = EventWrite::What;

Occurrence Failed(const std::string& pod, const std::string& note = "0/1 nodes are available") {
  return {.kind = EventKind::kWarning,
          .reason = "FailedScheduling",
          .action = "Scheduling",
          .note = note,
          .regarding = {.api_version = "v1",
                        .kind = "Pod",
                        .namespace_ = "work",
                        .name = pod,
                        .uid = "uid-" + pod}};
}

class EventSeriesTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  EventRecorderOptions options_{.controller = "batch", .host = "host", .max_series = 3};
  EventSeries series_{options_, clock_};

  std::vector<EventWrite> Add(const Occurrence& occurrence) {
    std::vector<EventWrite> writes;
    series_.Add(occurrence, writes);
    return writes;
  }
  // Returns the one write that the occurrence needs.
  EventWrite AddOne(const Occurrence& occurrence) {
    std::vector<EventWrite> writes = Add(occurrence);
    EXPECT_EQ(writes.size(), 1u);
    return writes.empty() ? EventWrite{} : std::move(writes.back());
  }
  std::vector<EventWrite> Tick() {
    std::vector<EventWrite> writes;
    series_.Tick(writes);
    return writes;
  }
};

TEST_F(EventSeriesTest, FirstOccurrenceCreatesEvent) {
  const EventWrite write = AddOne(Failed("a"));
  EXPECT_EQ(write.what, What::kCreate);
  const api::events::Event& event = write.event;
  EXPECT_EQ(event.metadata.namespace_, "work");
  EXPECT_EQ(event.metadata.name.size(), 2u + 16u);
  EXPECT_TRUE(event.metadata.name.starts_with("a."));
  EXPECT_EQ(event.reporting_controller, "batch");
  EXPECT_EQ(event.reporting_instance, "batch-host");
  EXPECT_EQ(event.type, "Warning");
  EXPECT_EQ(event.event_time, MicroTime(clock_.Wall()));
  EXPECT_FALSE(event.series);
}

TEST_F(EventSeriesTest, RepeatStartsSeriesThenOnlyCounts) {
  const EventWrite first = AddOne(Failed("a"));
  clock_.Advance(seconds(10));
  const EventWrite second = AddOne(Failed("a", "another note alone is no other event"));
  EXPECT_EQ(second.what, What::kSeries);
  EXPECT_EQ(second.event.metadata.name, first.event.metadata.name);
  EXPECT_EQ(second.event.note, "0/1 nodes are available") << "the note of the first occurrence";
  ASSERT_TRUE(second.event.series);
  EXPECT_EQ(second.event.series->count, 2);
  EXPECT_EQ(second.event.series->last_observed_time, MicroTime(clock_.Wall()));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(Add(Failed("a")).empty());
  EXPECT_TRUE(Tick().empty());
}

// The scheduler's own condition update changes the pod, so the next attempt shows its current
// reason.
TEST_F(EventSeriesTest, ChangedObjectStartsNewEvent) {
  Occurrence pod = Failed("a", "no nodes available to schedule pods");
  pod.regarding.resource_version = "7";
  const EventWrite first = AddOne(pod);
  pod.regarding.resource_version = "8";
  pod.note = "0/1 nodes are available: 1 Insufficient cpu.";
  const EventWrite second = AddOne(pod);
  EXPECT_EQ(second.what, What::kCreate);
  EXPECT_NE(second.event.metadata.name, first.event.metadata.name);
  EXPECT_EQ(second.event.note, pod.note);
  EXPECT_EQ(AddOne(pod).what, What::kSeries) << "the same version again";
}

TEST_F(EventSeriesTest, EndedSeriesIsWrittenWithLastCountAndDropped) {
  for (int i = 0; i < 4; ++i) Add(Failed("a"));
  clock_.Advance(minutes(6));
  const auto writes = Tick();
  ASSERT_EQ(writes.size(), 1u);
  EXPECT_EQ(writes[0].event.series->count, 4);
  EXPECT_EQ(series_.size(), 0u);
}

TEST_F(EventSeriesTest, EndedSingleEventNeedsNoWrite) {
  Add(Failed("a"));
  clock_.Advance(minutes(6));
  EXPECT_TRUE(Tick().empty());
  EXPECT_EQ(series_.size(), 0u);
}

TEST_F(EventSeriesTest, RunningSeriesIsWrittenEachHalfHour) {
  Add(Failed("a"));
  Add(Failed("a"));
  for (int i = 0; i < 6; ++i) {
    EXPECT_TRUE(Tick().empty());
    clock_.Advance(minutes(5));
    Add(Failed("a"));
  }
  const auto writes = Tick();
  ASSERT_EQ(writes.size(), 1u);
  EXPECT_EQ(writes[0].event.series->count, 8);
  EXPECT_TRUE(Tick().empty());
}

TEST_F(EventSeriesTest, RepeatAfterSixMinutesCreatesEvent) {
  const EventWrite first = AddOne(Failed("a"));
  clock_.Advance(minutes(6));
  const EventWrite later = AddOne(Failed("a"));
  EXPECT_EQ(later.what, What::kCreate);
  EXPECT_NE(later.event.metadata.name, first.event.metadata.name);
}

TEST_F(EventSeriesTest, LateRepeatWritesLastCountOfEndedSeries) {
  for (int i = 0; i < 3; ++i) Add(Failed("a"));
  clock_.Advance(minutes(6));
  const auto writes = Add(Failed("a"));
  ASSERT_EQ(writes.size(), 2u);
  EXPECT_EQ(writes[0].what, What::kSeries);
  EXPECT_EQ(writes[0].event.series->count, 3);
  EXPECT_EQ(writes[1].what, What::kCreate);
}

TEST_F(EventSeriesTest, ReasonObjectAndControllerSeparateSeries) {
  Add(Failed("a"));
  EXPECT_EQ(AddOne(Failed("b")).what, What::kCreate);
  Occurrence other = Failed("a");
  other.reason = "Preempted";
  EXPECT_EQ(AddOne(other).what, What::kCreate);
  other = Failed("a");
  other.controller = "nightly";
  const EventWrite write = AddOne(other);
  EXPECT_EQ(write.what, What::kCreate);
  EXPECT_EQ(write.event.reporting_controller, "nightly");
  EXPECT_EQ(write.event.reporting_instance, "nightly-host");
}

TEST_F(EventSeriesTest, EvictsLeastRecentlySeenSeries) {
  for (const char* pod : {"a", "b", "c"}) Add(Failed(pod));
  Add(Failed("a"));
  Add(Failed("d"));
  EXPECT_EQ(series_.size(), 3u);
  EXPECT_TRUE(Add(Failed("a")).empty()) << "seen again after b";
  EXPECT_EQ(AddOne(Failed("b")).what, What::kCreate);
}

TEST_F(EventSeriesTest, EvictedSeriesIsWrittenWithItsCount) {
  for (int i = 0; i < 3; ++i) Add(Failed("a"));
  Add(Failed("b"));
  Add(Failed("c"));
  const auto writes = Add(Failed("d"));
  ASSERT_EQ(writes.size(), 2u);
  EXPECT_EQ(writes[0].what, What::kSeries);
  EXPECT_EQ(writes[0].event.series->count, 3);
}

TEST_F(EventSeriesTest, ClusterScopedObjectsUseDefaultNamespace) {
  Occurrence node = Failed("n");
  node.regarding.namespace_ = "";
  EXPECT_EQ(AddOne(node).event.metadata.namespace_, "default");
}

TEST(SpamFilter, AllowsBurstThenRefillRate) {
  FakeClock clock;
  SpamFilter filter({.burst = 3, .refill_per_second = 0.1}, 100, clock);
  const api::ObjectReference pod = Failed("a").regarding;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(filter.Allow(pod));
  EXPECT_FALSE(filter.Allow(pod));
  EXPECT_TRUE(filter.Allow(Failed("b").regarding)) << "one bucket per object";
  clock.Advance(seconds(10));
  EXPECT_TRUE(filter.Allow(pod));
  EXPECT_FALSE(filter.Allow(pod));
}

}  // namespace
}  // namespace berth::client
