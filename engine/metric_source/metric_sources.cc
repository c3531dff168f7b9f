// SPDX-License-Identifier: Apache-2.0
#include "engine/metric_source/metric_sources.h"

#include <algorithm>
#include <optional>

#include "base/json/json.h"
#include "base/log.h"
#include "engine/metric_source/metric_source_metrics.h"
#include "engine/outside_text.h"

namespace berth::engine {

using scheduler::MetricQuery;
using scheduler::NodeMetric;

class MetricSources::Port final : public scheduler::MetricPort {
 public:
  Port(MetricSources& sources, bool is_guarded) : sources_(sources), is_guarded_(is_guarded) {}
  std::shared_ptr<const NodeMetric> Watch(const MetricQuery& query) override {
    return sources_.Watch(is_guarded_, query);
  }

 private:
  MetricSources& sources_;
  const bool is_guarded_;
};

// Watched is a query with its current result. Used by the scheduling thread.
class MetricSources::Watched {
 public:
  using Leave = std::function<void(std::unique_ptr<MetricSource>)>;

  Watched(MetricQuery query, const Parts& parts, Leave leave)
      : query_(std::move(query)),
        parts_(parts),
        leave_(std::move(leave)),
        metrics_(parts.metrics, query_.url, query_.query),
        metric_(query_.keeps_last) {}
  ~Watched() {
    metrics_.SetAge(std::nullopt);
    source_->Stop();
    leave_(std::move(source_));
  }

  const NodeMetric& metric() const { return metric_; }
  void Own(std::unique_ptr<MetricSource> source) { source_ = std::move(source); }

  void Observe(Result<PrometheusAnswer> answer, std::chrono::nanoseconds took);
  void Step();
  std::string FailureReason() const;

 private:
  bool IsTooOld() const;
  void Put(const scheduler::Snapshot& snapshot);
  std::string WhatCounts() const;

  const MetricQuery query_;
  const Parts& parts_;
  const Leave leave_;
  MetricSourceMetrics metrics_;
  NodeMetric metric_;
  std::optional<PrometheusAnswer> answer_;  // in use
  SteadyTime answered_{};
  Time answered_wall_;
  std::string failure_;  // of the last query; empty: it succeeded
  std::unique_ptr<MetricSource> source_;
};

void MetricSources::Watched::Observe(Result<PrometheusAnswer> answer,
                                     std::chrono::nanoseconds took) {
  metrics_.Count(answer.has_value(), took);
  const bool was_failing = !failure_.empty();
  failure_ = answer ? "" : answer.error().message();
  if (!answer) {
    if (!was_failing) {
      log::Warn("Metric source does not answer",
                {{"plugin", query_.plugin}, {"address", query_.url}, {"err", failure_}});
    }
    return Step();
  }
  if (was_failing) {
    log::Info("Metric source answers again", {{"plugin", query_.plugin}, {"address", query_.url}});
  }
  answered_ = parts_.clock.Now();
  answered_wall_ = parts_.clock.Wall();
  answer_ = std::move(*answer);
  if (const auto* snapshot = parts_.snapshot()) Put(*snapshot);
  Step();
}

void MetricSources::Watched::Put(const scheduler::Snapshot& snapshot) {
  metric_.Put(answer_->samples, snapshot);
  metrics_.SetPassedOver(answer_->without_label, answer_->without_value, metric_.strangers());
}

bool MetricSources::Watched::IsTooOld() const {
  return !query_.keeps_last && parts_.clock.Now() - answered_ >= query_.max_age;
}

void MetricSources::Watched::Step() {
  const scheduler::Snapshot* snapshot = parts_.snapshot();
  if (answer_ && IsTooOld()) {
    answer_.reset();
    metric_.Forget();
  } else if (answer_ && snapshot != nullptr &&
             metric_.order() != snapshot->ClusterEpoch(scheduler::Epoch::kOrder)) {
    Put(*snapshot);
  }
  if (answer_) {
    metrics_.SetAge(parts_.clock.Now() - answered_);
  } else {
    metrics_.SetAge(std::nullopt);
  }
  const size_t nodes = snapshot == nullptr ? 0 : snapshot->NodeCount();
  metrics_.SetNodes(metric_.known(), nodes - std::min(nodes, metric_.known()));
}

std::string MetricSources::Watched::WhatCounts() const {
  if (!answer_) return "nodes score alike";
  std::string counts = "the answer of " + answered_wall_.ToString() + " counts";
  if (query_.keeps_last) return counts;
  return counts + " until " +
         (answered_wall_ + std::chrono::duration_cast<std::chrono::seconds>(query_.max_age))
             .ToString();
}

std::string MetricSources::Watched::FailureReason() const {
  const std::string who = query_.plugin + ": " + query_.url + ": ";
  if (!failure_.empty()) return who + failure_ + "; " + WhatCounts();
  if (!answer_ || metric_.order() == 0 || metric_.known() > 0) return "";
  if (answer_->samples.empty()) {
    return who + "no series with the label " + query_.label + " and a value: nodes score alike";
  }
  const auto first = std::ranges::min_element(
      answer_->samples, {}, [](const auto& sample) -> const std::string& { return sample.first; });
  return who + "no series has a node's name or address in the label " + query_.label +
         ", which has values such as " + json::Quoted(first->first) + ": nodes score alike";
}

MetricSources::MetricSources(Parts parts)
    : parts_(std::move(parts)),
      guarded_(std::make_unique<Port>(*this, true)),
      free_(std::make_unique<Port>(*this, false)) {}

MetricSources::~MetricSources() = default;

scheduler::MetricPort& MetricSources::PortFor(bool is_rendered) {
  return is_rendered ? *guarded_ : *free_;
}

std::shared_ptr<const NodeMetric> MetricSources::Watch(bool is_guarded, const MetricQuery& query) {
  std::weak_ptr<Watched>& place = watched_[{is_guarded, query}];
  std::shared_ptr<Watched> watched = place.lock();
  if (watched == nullptr) {
    watched = std::make_shared<Watched>(
        query, parts_, [this](auto source) { leaving_.push_back(std::move(source)); });
    place = watched;
    watched->Own(std::make_unique<MetricSource>(
        query, MetricSource::Parts{
                   .clock = parts_.clock,
                   .pause = parts_.pause,
                   .file_of = parts_.file_of,
                   .is_guarded = is_guarded,
                   .tell = [this, post = parts_.post, weak = std::weak_ptr<Watched>(watched)](
                               Result<PrometheusAnswer> answer, std::chrono::nanoseconds took) {
                     post([this, weak, answer = std::move(answer), took] {
                       const auto heard = weak.lock();
                       if (heard == nullptr) return;
                       heard->Observe(answer, took);
                       LookForErrors();
                     });
                   }}));
  }
  return {watched, &watched->metric()};
}

void MetricSources::Step() {
  std::erase_if(leaving_, [](const auto& source) { return source->IsOver(); });
  std::erase_if(watched_, [](const auto& entry) { return entry.second.expired(); });
  for (const auto& [key, weak] : watched_) {
    if (const auto watched = weak.lock()) watched->Step();
  }
  LookForErrors();
}

void MetricSources::LookForErrors() {
  std::string errors = Errors();
  if (errors == errors_) return;
  errors_ = std::move(errors);
  parts_.on_errors();
}

std::string MetricSources::Errors() const {
  std::string errors;
  for (const auto& [key, weak] : watched_) {
    const auto watched = weak.lock();
    const std::string error = watched == nullptr ? "" : watched->FailureReason();
    if (error.empty()) continue;
    if (!errors.empty()) errors += "; ";
    errors += error;
  }
  return OutsideText(errors);
}

}  // namespace berth::engine
