// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "base/mailbox.h"
#include "engine/metric_source/metric_source.h"
#include "engine/metric_source/metric_sources.h"
#include "tests/engine/python_server.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::engine {

// HeldPauses ends the pauses of sources on request of a test.
class HeldPauses {
 public:
  void Wait(std::chrono::nanoseconds length, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (stop.stop_requested()) return;
    const uint64_t round = round_;
    const auto mine = std::chrono::duration_cast<std::chrono::milliseconds>(length);
    lengths_.push_back(mine);
    changed_.notify_all();
    const bool is_ended = changed_.wait(lock, stop, [&] { return round_ != round; });
    changed_.wait(lock, [&] { return !holds_on_; });
    if (is_ended) return;
    lengths_.erase(std::ranges::find(lengths_, mine));  // the source was stopped
    changed_.notify_all();
  }

  // Waits until this many sources pause; stopped sources do not count.
  void Await(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return lengths_.size() == count; });
  }

  // Sets whether all pauses continue, even those of stopped sources.
  void HoldOn(bool holds_on) {
    const std::lock_guard lock(mutex_);
    holds_on_ = holds_on;
    changed_.notify_all();
  }

  // Waits until this many sources pause, ends their pauses and returns the intended lengths.
  std::vector<std::chrono::milliseconds> End(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return lengths_.size() == count; });
    ++round_;
    changed_.notify_all();
    return std::exchange(lengths_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<std::chrono::milliseconds> lengths_;  // of the current pauses
  uint64_t round_ = 0;
  bool holds_on_ = false;
};

// MetricSourceFixture has three nodes, n1 to n3, and sources that query on request of a test.
class MetricSourceFixture : public ::testing::Test {
 protected:
  static constexpr const char* kProgram = "tests/engine/metric_source/hostile_prometheus.py";

  MetricSourceFixture() {
    for (const char* const node : {"n1", "n2", "n3"}) {
      cluster_.Add(scheduler::testing::MakeNode(node));
    }
  }

  static scheduler::MetricQuery QueryOf(std::string url) {
    return {.plugin = "NetworkTraffic",
            .url = std::move(url),
            .secret_name = "",
            .query = "up{x=\"y z\"}",
            .label = "instance",
            .refresh_interval = std::chrono::seconds(15),
            .timeout = std::chrono::seconds(20),
            .max_age = std::chrono::minutes(5),
            .keeps_last = false};
  }

  std::shared_ptr<const scheduler::NodeMetric> Watch(const scheduler::MetricQuery& query,
                                                     bool is_rendered = false) {
    return sources_.PortFor(is_rendered).Watch(query);
  }

  // Lets all `sources` query once and waits for their answers. Returns the lengths of the pauses
  // before that.
  std::vector<std::chrono::milliseconds> Ask(size_t sources = 1) {
    const auto pauses = pauses_.End(sources);
    for (size_t heard = 0; heard < sources;) {
      for (const auto& message :
           mailbox_.Take(std::chrono::steady_clock::now() + std::chrono::minutes(1))) {
        message();
        ++heard;
      }
    }
    return pauses;
  }

  // Returns each node's share as a percentage, "-" for none.
  std::string SharesIn(const scheduler::NodeMetric& metric) const {
    std::string text;
    for (const std::string node : {"n1", "n2", "n3"}) {
      const auto share = metric.Find(node);
      if (!text.empty()) text += " ";
      text += share ? std::to_string(*share * 100 / scheduler::NodeMetric::kWhole) : "-";
    }
    return text;
  }

  scheduler::testing::TestCluster cluster_;
  FakeClock clock_;
  HeldPauses pauses_;
  MetricsRegistry metrics_;
  std::filesystem::path secrets_;
  bool has_nodes_ = true;
  int errors_told_ = 0;
  Mailbox<std::function<void()>> mailbox_;
  MetricSources sources_{
      {.clock = clock_,
       .metrics = metrics_,
       .file_of = [this](std::string_view secret,
                         std::string_view key) { return (secrets_ / secret / key).string(); },
       .pause = [this](std::chrono::nanoseconds length,
                       const std::stop_token& stop) { pauses_.Wait(length, stop); },
       .post = [this](std::function<void()> message) { mailbox_.Post(std::move(message)); },
       .snapshot = [this]() -> const scheduler::Snapshot* {
         return has_nodes_ ? &cluster_.snapshot() : nullptr;
       },
       .on_errors = [this] { ++errors_told_; }}};
};

}  // namespace berth::engine
