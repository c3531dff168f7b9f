// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "scheduler/model/snapshot.h"

namespace berth::scheduler {

// NodeMetric is a metric of each node from a source outside the API server, such as Prometheus.
// Samples arrive as messages to the scheduling thread, like all other input, so that decisions stay
// deterministic; plugins only read them. Owned by the scheduling thread.
//
// Plugins get shares of the highest value among the nodes, as whole numbers from 0 to kWhole,
// whatever the unit. If no share moved by kLeastChange or more, the old shares and their revision
// stay, and with them all cached results.
class NodeMetric {
 public:
  // By node name or node address (NodeFinder); each value is finite and not negative.
  using Samples = std::unordered_map<std::string, double>;

  static constexpr int64_t kWhole = 1'000'000'000;
  static constexpr int64_t kLeastChange = kWhole / 200;  // half a point of a score

  // `keeps_last`: a node without a new sample keeps its last value.
  explicit NodeMetric(bool keeps_last) : keeps_last_(keeps_last) {}

  // Stores the samples of existing nodes; the highest counts if a node has several. Other samples
  // are ignored.
  void Put(const Samples& samples, const Snapshot& snapshot);
  // Drops all shares. Called when the samples are too old.
  void Forget();

  // Returns the share of a node, or nullopt if it is unknown.
  std::optional<int64_t> Find(const std::string& node) const;
  // Returns the average share, used for nodes without one, so that they are neither preferred nor
  // avoided; 0 if no node has a share.
  int64_t neutral() const { return neutral_; }
  // Returns a number that changes whenever Find or neutral return other values.
  uint64_t revision() const { return revision_; }
  // Reports whether each node of the cluster has a share.
  bool IsComplete(const Snapshot& snapshot) const;

  // Describe the last Put: the node order epoch of the snapshot, the number of nodes with a value,
  // the number of nodes, and the number of samples that matched no node.
  uint64_t order() const { return order_; }
  size_t known() const { return figures_.size(); }
  size_t nodes() const { return nodes_; }
  size_t strangers() const { return strangers_; }

 private:
  using Shares = std::unordered_map<std::string, int64_t>;

  Samples FiguresOf(const Samples& samples, const Snapshot& snapshot);
  bool IsWithinTolerance(const Shares& newer) const;
  void Take(Shares shares);

  const bool keeps_last_;
  Samples figures_;  // values of the last Put, by node
  Shares shares_;
  int64_t neutral_ = 0;
  uint64_t revision_ = 1;
  uint64_t order_ = 0;
  size_t nodes_ = 0;
  size_t strangers_ = 0;
};

// MetricQuery is a query for a node metric that a plugin needs.
struct MetricQuery {
  std::string plugin;  // the plugin's name, for messages
  std::string url;
  std::string secret_name;  // Secret with the credentials for the server; may be empty
  std::string query;        // PromQL; returns one sample per node
  std::string label;        // the sample's label with the node name or address
  std::chrono::nanoseconds refresh_interval{};
  std::chrono::nanoseconds timeout{};  // per request
  std::chrono::nanoseconds max_age{};  // older samples are dropped
  bool keeps_last = false;             // samples count until the next ones instead

  auto operator<=>(const MetricQuery&) const = default;
};

// MetricPort provides node metrics. Owned by the scheduling thread.
class MetricPort {
 public:
  virtual ~MetricPort() = default;

  // Returns a metric that is refreshed as long as the caller holds the pointer. Never fails: if the
  // source does not answer, nodes have no value. Callers with equal queries share one metric.
  virtual std::shared_ptr<const NodeMetric> Watch(const MetricQuery& query) = 0;
};

}  // namespace berth::scheduler
