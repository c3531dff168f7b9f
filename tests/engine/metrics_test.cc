// SPDX-License-Identifier: Apache-2.0
#include "engine/metrics.h"

#include <gmock/gmock.h>

namespace berth::engine {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;

class SchedulerMetricsTest : public ::testing::Test {
 protected:
  MetricsRegistry registry_;
  SchedulerMetrics metrics_{registry_};
};

TEST_F(SchedulerMetricsTest, CountsAttemptsByResultAndProfile) {
  metrics_.OnAttempt(scheduler::AttemptResult::kScheduled, "hello", milliseconds(3));
  metrics_.OnAttempt(scheduler::AttemptResult::kScheduled, "hello", milliseconds(3));
  metrics_.OnAttempt(scheduler::AttemptResult::kUnschedulable, "hello", milliseconds(3));
  const std::string text = registry_.Text();
  EXPECT_THAT(
      text,
      HasSubstr(R"(scheduler_schedule_attempts_total{profile="hello",result="scheduled"} 2)"));
  EXPECT_THAT(
      text,
      HasSubstr(R"(scheduler_schedule_attempts_total{profile="hello",result="unschedulable"} 1)"));
  EXPECT_THAT(
      text,
      HasSubstr(
          R"(scheduler_scheduling_attempt_duration_seconds_bucket{profile="hello",result="scheduled",le="0.004"} 2)"));
  EXPECT_THAT(
      text,
      HasSubstr(
          R"(scheduler_scheduling_attempt_duration_seconds_bucket{profile="hello",result="scheduled",le="0.002"} 0)"));
}

TEST_F(SchedulerMetricsTest, ManyAttemptsShareOneLabel) {
  metrics_.OnPodScheduled(1, milliseconds(5), false);
  metrics_.OnPodScheduled(15, milliseconds(5), true);
  metrics_.OnPodScheduled(40, milliseconds(5), false);
  const std::string text = registry_.Text();
  EXPECT_THAT(text,
              HasSubstr(R"(scheduler_pod_scheduling_sli_duration_seconds_count{attempts="1"} 1)"));
  EXPECT_THAT(
      text, HasSubstr(R"(scheduler_pod_scheduling_sli_duration_seconds_count{attempts="15+"} 2)"));
  EXPECT_THAT(text, HasSubstr("scheduler_pod_scheduled_after_flush_total 1"));
}

TEST_F(SchedulerMetricsTest, CountsPreemptionAttemptsAndVictims) {
  metrics_.OnPreemption(0);
  metrics_.OnPreemption(3);
  const std::string text = registry_.Text();
  EXPECT_THAT(text, HasSubstr("scheduler_preemption_attempts_total 2"));
  EXPECT_THAT(text, HasSubstr("scheduler_preemption_victims_count 1"));
  EXPECT_THAT(text, HasSubstr("scheduler_preemption_victims_sum 3"));
}

TEST_F(SchedulerMetricsTest, ReportsPendingPodsAtTheScrape) {
  scheduler::SchedulerStatistics now;
  now.active = 4;
  now.assumed_pods = 2;
  now.interned_texts = 7;
  metrics_.Publish(now);
  EXPECT_THAT(registry_.Text(), HasSubstr(R"(scheduler_pending_pods{queue="active"} 4)"));
  EXPECT_THAT(registry_.Text(),
              HasSubstr(R"(scheduler_queued_entities{queue="active",type="pod"} 4)"));
  EXPECT_THAT(registry_.Text(), HasSubstr(R"(scheduler_cache_size{type="assumed_pods"} 2)"));
  EXPECT_THAT(registry_.Text(), HasSubstr("berth_interned_texts 7"));
  now.active = 0;
  metrics_.Publish(now);
  EXPECT_THAT(registry_.Text(), HasSubstr(R"(scheduler_pending_pods{queue="active"} 0)"));
}

TEST_F(SchedulerMetricsTest, ReportsRejectedPodsByPluginAndProfile) {
  scheduler::SchedulerStatistics now;
  now.rejected[{"NodeAffinity", "hello"}] = 3;
  metrics_.Publish(now);
  EXPECT_THAT(
      registry_.Text(),
      HasSubstr(R"(scheduler_unschedulable_pods{plugin="NodeAffinity",profile="hello"} 3)"));
  now.rejected[{"NodeAffinity", "hello"}] = 0;
  metrics_.Publish(now);
  EXPECT_THAT(
      registry_.Text(),
      HasSubstr(R"(scheduler_unschedulable_pods{plugin="NodeAffinity",profile="hello"} 0)"));
}

TEST_F(SchedulerMetricsTest, ReportsVictimTerminationDurations) {
  metrics_.OnEvictions(true, std::chrono::milliseconds(15));
  metrics_.OnEvictions(false, std::chrono::seconds(1));
  const std::string text = registry_.Text();
  for (const char* result : {"success", "error"}) {
    const std::string label = std::string(R"({result=")") + result + R"("} 1)";
    EXPECT_THAT(text, HasSubstr("scheduler_preemption_goroutines_execution_total" + label));
    EXPECT_THAT(text, HasSubstr("scheduler_preemption_goroutines_duration_seconds_count" + label));
  }
}

TEST_F(SchedulerMetricsTest, ReportsQueuedAndDroppedWrites) {
  ApiWriterStatistics now;
  now.waiting[WriteClass::kStatus] = 20;
  now.dropped[WriteClass::kStatus] = 2;
  metrics_.Publish(now);
  now.waiting[WriteClass::kStatus] = 10;
  now.dropped[WriteClass::kStatus] = 5;
  metrics_.Publish(now);
  const std::string text = registry_.Text();
  EXPECT_THAT(text, HasSubstr(R"(berth_api_writes_waiting{class="status"} 10)"));
  EXPECT_THAT(text, HasSubstr(R"(berth_api_writes_dropped_total{class="status"} 5)"));
  EXPECT_THAT(text, HasSubstr(R"(berth_api_writes_dropped_total{class="binding"} 0)"));
}

TEST_F(SchedulerMetricsTest, AddsTheCountersOfTheResultCache) {
  scheduler::SchedulerStatistics now;
  now.results_cached = 10;
  now.results_computed = 5;
  now.result_cache_bytes = 100;
  metrics_.Publish(now);
  now.results_cached = 30;
  now.results_computed = 6;
  now.result_cache_evictions = 2;
  now.failed_scores = 9;
  now.result_cache_bytes = 50;
  metrics_.Publish(now);
  const std::string text = registry_.Text();
  EXPECT_THAT(text, HasSubstr(R"(berth_plugin_answers_total{source="kept"} 30)"));
  EXPECT_THAT(text, HasSubstr(R"(berth_plugin_answers_total{source="computed"} 6)"));
  EXPECT_THAT(text, HasSubstr("berth_reuse_evictions_total 2"));
  EXPECT_THAT(text, HasSubstr("berth_failed_score_expressions_total 9"));
  EXPECT_THAT(text, HasSubstr("berth_reuse_bytes 50"));
}

TEST_F(SchedulerMetricsTest, ReportsTheRunningConfiguration) {
  metrics_.SetConfig("0123");
  metrics_.SetConfig("4567");
  const std::string text = registry_.Text();
  EXPECT_THAT(text, HasSubstr(R"(berth_config_info{hash="0123"} 0)"));
  EXPECT_THAT(text, HasSubstr(R"(berth_config_info{hash="4567"} 1)"));
}

TEST_F(SchedulerMetricsTest, CountsIncomingPodsOfTheQueue) {
  metrics_.OnQueueIncoming(scheduler::QueueName::kBackoff, "ScheduleAttemptFailure");
  EXPECT_THAT(
      registry_.Text(),
      HasSubstr(
          R"(scheduler_queue_incoming_pods_total{event="ScheduleAttemptFailure",queue="backoff"} 1)"));
  EXPECT_THAT(
      registry_.Text(),
      HasSubstr(
          R"(scheduler_queue_incoming_entities_total{event="ScheduleAttemptFailure",queue="backoff",type="pod"} 1)"));
  EXPECT_THAT(registry_.Text(), Not(HasSubstr("PopFromBackoffQ")));
}

}  // namespace
}  // namespace berth::engine
