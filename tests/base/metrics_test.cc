// SPDX-License-Identifier: Apache-2.0
#include "base/metrics.h"

#include <cstdlib>
#include <optional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"

namespace berth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Returns the value of the series with exactly this text, e.g. `x_total{a="b"}`.
std::optional<double> ValueOf(const MetricsRegistry& registry, const std::string& series) {
  const std::string text = registry.Text();
  for (const std::string_view line : Split(text, '\n')) {
    if (line.starts_with(series + " ")) {
      return std::strtod(std::string(line.substr(series.size())).c_str(), nullptr);
    }
  }
  return std::nullopt;
}

TEST(MetricsRegistry, WritesTheTextFormat) {
  MetricsRegistry registry;
  registry.AddGauge("pods", "Pods.", {{"queue", "active"}}).Set(3);
  registry.AddCounter("attempts_total", "Attempts.", {{"result", "b"}}).Increment();
  registry.AddCounter("attempts_total", "Attempts.", {{"result", "a"}}).Increment(2);
  Histogram& seconds = registry.AddHistogram("seconds", "Seconds.", {0.5, 1});
  seconds.Observe(0.25);
  seconds.Observe(2);
  EXPECT_EQ(registry.Text(),
            "# HELP attempts_total Attempts.\n"
            "# TYPE attempts_total counter\n"
            "attempts_total{result=\"a\"} 2\n"
            "attempts_total{result=\"b\"} 1\n"
            "# HELP pods Pods.\n"
            "# TYPE pods gauge\n"
            "pods{queue=\"active\"} 3\n"
            "# HELP seconds Seconds.\n"
            "# TYPE seconds histogram\n"
            "seconds_count 2\n"
            "seconds_sum 2.25\n"
            "seconds_bucket{le=\"0.5\"} 1\n"
            "seconds_bucket{le=\"1\"} 1\n"
            "seconds_bucket{le=\"+Inf\"} 2\n");
}

TEST(MetricsRegistry, EscapesLabelValues) {
  MetricsRegistry registry;
  registry.AddGauge("g", "G.", {{"path", "a\"b\\c\nd"}}).Set(1);
  EXPECT_THAT(registry.Text(), HasSubstr("g{path=\"a\\\"b\\\\c\\nd\"} 1\n"));
}

TEST(MetricsRegistry, ReturnsTheSameHandleForTheSameSeries) {
  MetricsRegistry registry;
  Counter& first = registry.AddCounter("c_total", "C.", {{"a", "1"}});
  Counter& same = registry.AddCounter("c_total", "C.", {{"a", "1"}});
  Counter& other = registry.AddCounter("c_total", "C.", {{"a", "2"}});
  EXPECT_EQ(&first, &same);
  first.Increment();
  Counter copy = same;
  copy.Increment();
  copy.Increment(-5);
  EXPECT_EQ(first.Value(), 2) << "a counter never decreases";
  EXPECT_EQ(other.Value(), 0);
}

TEST(MetricsRegistry, GaugesGoUpAndDown) {
  MetricsRegistry registry;
  Gauge& gauge = registry.AddGauge("g", "G.");
  gauge.Set(5);
  gauge.Increment(2);
  gauge.Decrement();
  EXPECT_EQ(gauge.Value(), 6);
}

TEST(MetricsRegistry, AbortsOnConflictsAndBadNames) {
  MetricsRegistry registry;
  registry.AddCounter("x", "X.");
  registry.AddHistogram("h", "H.", {1, 2});
  EXPECT_DEATH(registry.AddGauge("x", "X."), "metric x was added before");
  EXPECT_DEATH(registry.AddCounter("x", "Y."), "metric x was added before");
  EXPECT_DEATH(registry.AddHistogram("h", "H.", {1, 3}), "metric h was added before");
  EXPECT_DEATH(registry.AddHistogram("d", "D.", {2, 1}), "buckets of metric d");
  EXPECT_DEATH(registry.AddCounter("a-b", "A."), "metric name a-b");
  EXPECT_DEATH(registry.AddCounter("l", "L.", {{"a-b", ""}}), "label a-b of metric l");
  EXPECT_DEATH(registry.AddHistogram("b", "B.", {1}, {{"le", ""}}), "label le of metric b");
}

TEST(MetricsRegistry, UpdatesGaugesBeforeEachScrape) {
  MetricsRegistry registry;
  Gauge& size = registry.AddGauge("size", "Size.");
  int scrapes = 0;
  registry.BeforeCollect([&] { size.Set(++scrapes); });
  EXPECT_EQ(ValueOf(registry, "size"), 1);
  EXPECT_EQ(ValueOf(registry, "size"), 2);
}

TEST(MetricsRegistry, CountsFromSeveralThreads) {
  MetricsRegistry registry;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      Counter& counter = registry.AddCounter("c_total", "C.");
      for (int n = 0; n < 1000; ++n) counter.Increment();
      registry.Text();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ValueOf(registry, "c_total"), 4000);
}

TEST(Buckets, GrowExponentially) {
  EXPECT_THAT(ExponentialBuckets(0.001, 2, 4), ElementsAre(0.001, 0.002, 0.004, 0.008));
  EXPECT_DEATH(ExponentialBuckets(0, 2, 4), "buckets");
}

TEST(ProcessMetrics, DescribeThisProcess) {
  MetricsRegistry registry;
  AddProcessMetrics(registry);
  const double cpu = ValueOf(registry, "process_cpu_seconds_total").value_or(-1);
  EXPECT_GT(cpu, 0);
  EXPECT_GE(ValueOf(registry, "process_cpu_seconds_total"), cpu);
  EXPECT_GT(ValueOf(registry, "process_resident_memory_bytes"), 1 << 20);
  EXPECT_GE(ValueOf(registry, "process_open_fds"), 3);
  EXPECT_GT(ValueOf(registry, "process_start_time_seconds"), 1.7e9);

  const double threads = ValueOf(registry, "berth_threads").value_or(0);
  EXPECT_GE(threads, 1);
  std::thread([&] { EXPECT_EQ(ValueOf(registry, "berth_threads"), threads + 1); }).join();
}

}  // namespace
}  // namespace berth
