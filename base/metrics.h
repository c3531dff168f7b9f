// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
}  // namespace prometheus

namespace berth {

using MetricLabels = std::map<std::string, std::string>;

// Counter, Gauge and Histogram are handles: cheap to copy, lock-free, usable from any thread, valid
// as long as their registry. Create one with the component and keep it; a lookup per observation
// costs ten times the observation.
class Counter {
 public:
  explicit Counter(prometheus::Counter* impl) : impl_(impl) {}
  void Increment(double by = 1);  // by < 0 is ignored
  double Value() const;

 private:
  prometheus::Counter* impl_;
};

class Gauge {
 public:
  explicit Gauge(prometheus::Gauge* impl) : impl_(impl) {}
  void Set(double value);
  void Increment(double by = 1);
  void Decrement(double by = 1);
  double Value() const;

 private:
  prometheus::Gauge* impl_;
};

class Histogram {
 public:
  explicit Histogram(prometheus::Histogram* impl) : impl_(impl) {}
  void Observe(double value);  // durations in seconds

 private:
  prometheus::Histogram* impl_;
};

// Returns the upper bounds of histogram buckets: start, start * factor, and so on. Requires: start
// > 0, factor > 1, count > 0.
std::vector<double> ExponentialBuckets(double start, double factor, int count);

// MetricsRegistry is the set of metrics of one process. Thread safe.
//
// Adding the same name and labels again returns the same handle. A name has one type, one help text
// and, for histograms, one set of buckets. A conflict, or a name that Prometheus does not allow, is
// a bug and aborts.
class MetricsRegistry {
 public:
  MetricsRegistry();
  ~MetricsRegistry();
  MetricsRegistry(const MetricsRegistry&) = delete;
  MetricsRegistry& operator=(const MetricsRegistry&) = delete;

  Counter& AddCounter(const std::string& name, const std::string& help,
                      const MetricLabels& labels = {});
  Gauge& AddGauge(const std::string& name, const std::string& help,
                  const MetricLabels& labels = {});
  Histogram& AddHistogram(const std::string& name, const std::string& help,
                          const std::vector<double>& buckets, const MetricLabels& labels = {});

  // Registers a callback that updates gauges at scrape time (queue sizes). Text calls it on the
  // serving thread, one scrape at a time. Data it reads must be thread safe and outlive the
  // registry.
  void BeforeCollect(std::function<void()> update);

  // Returns all metrics in Prometheus' text format; serve it as kTextContentType.
  std::string Text() const;
  static constexpr const char* kTextContentType = "text/plain; version=0.0.4; charset=utf-8";

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Adds the standard process metrics of Prometheus clients, and berth_threads. Reads /proc (Linux)
// at each scrape.
void AddProcessMetrics(MetricsRegistry& registry);

}  // namespace berth
