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
  EventRecorderOptions options_{.controller = "batch", .instance = "batch-host", .max_series = 3};
  EventSeries series_{options_, clock_};
};

TEST_F(EventSeriesTest, TheFirstIsANewEvent) {
  const auto write = series_.Add(Failed("a"));
  ASSERT_TRUE(write);
  EXPECT_EQ(write->what, What::kCreate);
  const api::events::Event& event = write->event;
  EXPECT_EQ(event.metadata.namespace_, "work");
  EXPECT_EQ(event.metadata.name.size(), 2u + 16u);
  EXPECT_TRUE(event.metadata.name.starts_with("a."));
  EXPECT_EQ(event.reporting_controller, "batch");
  EXPECT_EQ(event.reporting_instance, "batch-host");
  EXPECT_EQ(event.type, "Warning");
  EXPECT_EQ(event.event_time, MicroTime(clock_.Wall()));
  EXPECT_FALSE(event.series);
}

TEST_F(EventSeriesTest, RepeatsBecomeASeriesAndAreThenOnlyCounted) {
  const auto first = series_.Add(Failed("a"));
  clock_.Advance(seconds(10));
  const auto second = series_.Add(Failed("a", "another note is no other event"));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->what, What::kSeries);
  EXPECT_EQ(second->event.metadata.name, first->event.metadata.name);
  EXPECT_EQ(second->event.note, "0/1 nodes are available") << "the first note stays";
  ASSERT_TRUE(second->event.series);
  EXPECT_EQ(second->event.series->count, 2);
  EXPECT_EQ(second->event.series->last_observed_time, MicroTime(clock_.Wall()));
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(series_.Add(Failed("a")));
  EXPECT_TRUE(series_.Tick().empty());
}

TEST_F(EventSeriesTest, AnEndedSeriesIsWrittenWithItsLastCountAndForgotten) {
  for (int i = 0; i < 4; ++i) series_.Add(Failed("a"));
  clock_.Advance(minutes(6));
  const auto writes = series_.Tick();
  ASSERT_EQ(writes.size(), 1u);
  EXPECT_EQ(writes[0].event.series->count, 4);
  EXPECT_EQ(series_.size(), 0u);
}

TEST_F(EventSeriesTest, ASingleEventThatEndedNeedsNoWrite) {
  series_.Add(Failed("a"));
  clock_.Advance(minutes(6));
  EXPECT_TRUE(series_.Tick().empty());
  EXPECT_EQ(series_.size(), 0u);
}

TEST_F(EventSeriesTest, ARunningSeriesIsRefreshedEachHalfHour) {
  series_.Add(Failed("a"));
  series_.Add(Failed("a"));
  for (int i = 0; i < 6; ++i) {
    EXPECT_TRUE(series_.Tick().empty());
    clock_.Advance(minutes(5));
    series_.Add(Failed("a"));
  }
  const auto writes = series_.Tick();
  ASSERT_EQ(writes.size(), 1u);
  EXPECT_EQ(writes[0].event.series->count, 8);
  EXPECT_TRUE(series_.Tick().empty());
}

TEST_F(EventSeriesTest, ARepeatAfterSixMinutesIsANewEvent) {
  const auto first = series_.Add(Failed("a"));
  clock_.Advance(minutes(6));
  const auto later = series_.Add(Failed("a"));
  ASSERT_TRUE(later);
  EXPECT_EQ(later->what, What::kCreate);
  EXPECT_NE(later->event.metadata.name, first->event.metadata.name);
}

TEST_F(EventSeriesTest, OtherReasonsAndObjectsAreOtherEvents) {
  series_.Add(Failed("a"));
  EXPECT_EQ(series_.Add(Failed("b"))->what, What::kCreate);
  Occurrence other = Failed("a");
  other.reason = "Preempted";
  EXPECT_EQ(series_.Add(other)->what, What::kCreate);
}

TEST_F(EventSeriesTest, ForgetsTheLeastRecentlySeen) {
  for (const char* pod : {"a", "b", "c", "d"}) {
    clock_.Advance(seconds(1));
    series_.Add(Failed(pod));
  }
  EXPECT_EQ(series_.size(), 3u);
  EXPECT_EQ(series_.Add(Failed("d"))->what, What::kSeries);
  EXPECT_EQ(series_.Add(Failed("a"))->what, What::kCreate);
}

TEST_F(EventSeriesTest, ObjectsWithoutNamespaceAreToldInDefault) {
  Occurrence node = Failed("n");
  node.regarding.namespace_ = "";
  EXPECT_EQ(series_.Add(node)->event.metadata.namespace_, "default");
}

TEST(CutNote, KeepsWholeCharacters) {
  EXPECT_EQ(CutNote(std::string(1024, 'x')).size(), 1024u);
  const std::string cut = CutNote(std::string(1025, 'x'));
  EXPECT_EQ(cut, std::string(1020, 'x') + " ...");
  EXPECT_EQ(CutNote(std::string(1019, 'x') + "\xC3\xA9" + std::string(10, 'x')),
            std::string(1019, 'x') + " ...");
}

TEST(SpamFilter, LetsABurstThroughThenOneNowAndThen) {
  FakeClock clock;
  SpamFilter filter({.burst = 3, .refill_per_second = 0.1}, clock);
  const api::ObjectReference pod = Failed("a").regarding;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(filter.Allow(pod));
  EXPECT_FALSE(filter.Allow(pod));
  EXPECT_TRUE(filter.Allow(Failed("b").regarding)) << "each object on its own";
  clock.Advance(seconds(10));
  EXPECT_TRUE(filter.Allow(pod));
  EXPECT_FALSE(filter.Allow(pod));
}

}  // namespace
}  // namespace berth::client
