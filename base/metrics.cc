// SPDX-License-Identifier: Apache-2.0
#include "base/metrics.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <prometheus/check_names.h>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include "base/check.h"

namespace berth {

void Counter::Increment(double by) { impl_->Increment(by); }
double Counter::Value() const { return impl_->Value(); }

void Gauge::Set(double value) { impl_->Set(value); }
void Gauge::Increment(double by) { impl_->Increment(by); }
void Gauge::Decrement(double by) { impl_->Decrement(by); }
double Gauge::Value() const { return impl_->Value(); }

void Histogram::Observe(double value) { impl_->Observe(value); }

std::vector<double> ExponentialBuckets(double start, double factor, int count) {
  BERTH_CHECK(start > 0 && factor > 1 && count > 0, "exponential buckets must grow from above 0");
  std::vector<double> bounds;
  for (double bound = start; count > 0; --count, bound *= factor) bounds.push_back(bound);
  return bounds;
}

struct MetricsRegistry::Impl {
  enum class Kind { kCounter, kGauge, kHistogram };

  // Description is shared by all series of one name.
  struct Description {
    Kind kind;
    std::string help;
    std::vector<double> buckets;
    bool operator==(const Description&) const = default;
  };

  template <class Handle>
  using Handles = std::map<std::pair<std::string, MetricLabels>, Handle>;

  // Registers or finds the family. `build` is the prometheus builder of its type.
  template <class Builder>
  auto& Family(Builder build, const std::string& name, Description description,
               const MetricLabels& labels);

  // Guards all members except prometheus' registry, which has its own lock.
  mutable std::mutex mutex;
  prometheus::Registry registry{prometheus::Registry::InsertBehavior::Merge};
  std::map<std::string, Description> descriptions;
  Handles<Counter> counters;
  Handles<Gauge> gauges;
  Handles<Histogram> histograms;

  mutable std::mutex collect_mutex;            // one scrape at a time; taken before mutex
  std::vector<std::function<void()>> updates;  // guarded by collect_mutex
};

template <class Builder>
auto& MetricsRegistry::Impl::Family(Builder build, const std::string& name, Description description,
                                    const MetricLabels& labels) {
  BERTH_CHECK(prometheus::CheckMetricName(name), "metric name " + name);
  for (const auto& [label, value] : labels) {
    const bool is_bound = label == "le" && description.kind == Kind::kHistogram;
    BERTH_CHECK(prometheus::CheckLabelName(label) && !is_bound,
                fmt::format("label {} of metric {}", label, name));
  }
  const auto [known, is_new] = descriptions.try_emplace(name, description);
  BERTH_CHECK(known->second == description,
              "metric " + name + " was added before with another type, help or buckets");
  return build.Name(name).Help(description.help).Register(registry);
}

MetricsRegistry::MetricsRegistry() : impl_(std::make_unique<Impl>()) {}
MetricsRegistry::~MetricsRegistry() = default;

Counter& MetricsRegistry::AddCounter(const std::string& name, const std::string& help,
                                     const MetricLabels& labels) {
  const std::lock_guard lock(impl_->mutex);
  auto& family =
      impl_->Family(prometheus::BuildCounter(), name, {Impl::Kind::kCounter, help, {}}, labels);
  return impl_->counters.try_emplace({name, labels}, &family.Add(labels)).first->second;
}

Gauge& MetricsRegistry::AddGauge(const std::string& name, const std::string& help,
                                 const MetricLabels& labels) {
  const std::lock_guard lock(impl_->mutex);
  auto& family =
      impl_->Family(prometheus::BuildGauge(), name, {Impl::Kind::kGauge, help, {}}, labels);
  return impl_->gauges.try_emplace({name, labels}, &family.Add(labels)).first->second;
}

Histogram& MetricsRegistry::AddHistogram(const std::string& name, const std::string& help,
                                         const std::vector<double>& buckets,
                                         const MetricLabels& labels) {
  BERTH_CHECK(std::is_sorted(buckets.begin(), buckets.end()), "buckets of metric " + name);
  const std::lock_guard lock(impl_->mutex);
  auto& family = impl_->Family(prometheus::BuildHistogram(), name,
                               {Impl::Kind::kHistogram, help, buckets}, labels);
  return impl_->histograms.try_emplace({name, labels}, &family.Add(labels, buckets)).first->second;
}

void MetricsRegistry::BeforeCollect(std::function<void()> update) {
  const std::lock_guard lock(impl_->collect_mutex);
  impl_->updates.push_back(std::move(update));
}

std::string MetricsRegistry::Text() const {
  const std::lock_guard lock(impl_->collect_mutex);
  for (const auto& update : impl_->updates) update();
  auto families = impl_->registry.Collect();
  // prometheus-cpp returns series in hash order. Sorting makes two scrapes comparable line by line.
  std::sort(families.begin(), families.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  for (auto& family : families) {
    std::sort(family.metric.begin(), family.metric.end(),
              [](const auto& a, const auto& b) { return a.label < b.label; });
  }
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace berth
