// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "engine/metric_source/credentials.h"
#include "engine/metric_source/metric_source.h"
#include "scheduler/framework/node_metric.h"

namespace berth::engine {

// MetricSources asks what plugins want to be told of nodes (scheduler::MetricPort), each query once
// however many plugins and profiles want it, and as long as one of them is there. Answers come as
// messages to the scheduling thread, which owns this.
class MetricSources {
 public:
  struct Parts {
    const Clock& clock;
    MetricsRegistry& metrics;
    FileOf file_of;
    Pause pause;
    std::function<void(std::function<void()>)> post;  // to the scheduling thread
    // The nodes as they are; null: there are none yet.
    std::function<const scheduler::Snapshot*()> snapshot;
    std::function<void()> on_errors;  // Problems gives something else than before
  };

  // Requires: the parts outlive this and all that it gave out; no answer is told once this is gone.
  explicit MetricSources(Parts parts);
  ~MetricSources();

  // PortFor is where plugins of a configuration get figures from. One that was rendered for a profile
  // leads nowhere that no profile may name.
  scheduler::MetricPort& PortFor(bool is_rendered);

  // Step lets sources go that have ended, gives up answers that are too old, and tells figures of nodes that came since. To be called
  // every few seconds, and when the nodes are there.
  void Step();

  // Problems says in one line what is wrong with the sources; empty: nothing. It has times, not ages,
  // so that it changes only when something happens.
  std::string Errors() const;

 private:
  class Port;
  class Watched;
  using Key = std::pair<bool, scheduler::MetricQuery>;  // whether it is guarded

  std::shared_ptr<const scheduler::NodeMetric> Watch(bool is_guarded,
                                                     const scheduler::MetricQuery& query);
  void LookForErrors();

  const Parts parts_;
  const std::unique_ptr<Port> guarded_, free_;
  std::map<Key, std::weak_ptr<Watched>> watched_;
  // Those that nobody watches any more, until their end: the scheduling thread waits for none.
  std::vector<std::unique_ptr<MetricSource>> leaving_;
  std::string errors_;
};

}  // namespace berth::engine
