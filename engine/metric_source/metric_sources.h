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

// MetricSources queries the node metrics of plugins (scheduler::MetricPort). Each query runs once,
// shared by all plugins and profiles with that query, as long as one of them exists. Responses are
// posted to the scheduling thread, which owns this.
class MetricSources {
 public:
  struct Parts {
    const Clock& clock;
    MetricsRegistry& metrics;
    FileOf file_of;
    Pause pause;
    std::function<void(std::function<void()>)> post;  // to the scheduling thread
    // Returns the current nodes; null: none yet.
    std::function<const scheduler::Snapshot*()> snapshot;
    std::function<void()> on_errors;  // the result of Errors() has changed
  };

  // Requires: the parts outlive this and all returned objects. After the destruction, responses are
  // dropped.
  explicit MetricSources(Parts parts);
  ~MetricSources();

  // Returns the port for the plugins of a configuration. A rendered configuration must not reach an
  // address that no profile may name.
  scheduler::MetricPort& PortFor(bool is_rendered);

  // Deletes ended sources, drops outdated responses, and assigns values to nodes added since. Call
  // it every few seconds, and once the nodes are known.
  void Step();

  // Returns the errors of the sources in one line; empty: none. It contains times instead of ages,
  // so that it changes only with an event.
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
  // Stopped sources that still run: the scheduling thread does not wait for them.
  std::vector<std::unique_ptr<MetricSource>> leaving_;
  std::string errors_;
};

}  // namespace berth::engine
