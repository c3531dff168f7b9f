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

// NodeMetric is a figure of each node that somebody outside of the cluster's objects knows, such as
// Prometheus. It comes as a message, like all that the core knows, so that a decision stays a function
// of what was said before it; plugins only read it. Owned by the scheduling thread.
//
// What plugins get are shares of the highest figure among the nodes, from 0 to kWhole: whole numbers
// whatever the unit. A new answer in which no share moved by kLeastChange is as good as the one
// before: then the shares and their revision stay, and with them every answer that is kept.
class NodeMetric {
 public:
  // By a node's name or one of its addresses (NodeFinder); each finite and not negative.
  using Samples = std::unordered_map<std::string, double>;

  static constexpr int64_t kWhole = 1'000'000'000;
  static constexpr int64_t kLeastChange = kWhole / 200;  // half a point of a score

  // `keeps_last`: a node that an answer leaves out keeps what it had.
  explicit NodeMetric(bool keeps_last) : keeps_last_(keeps_last) {}

  // Put takes what was found out about the nodes that are there; of several samples of one, the
  // highest. Those of others are passed over.
  void Put(const Samples& samples, const Snapshot& snapshot);
  // Forget is for answers that are too old: no node has a share.
  void Forget();

  // Find gives the share of a node; none: nothing is known of it.
  std::optional<int64_t> Find(const std::string& node) const;
  // neutral is the average of the shares, that of a node of which nothing is known, so that it is
  // neither preferred nor avoided; 0 while nothing is known of any.
  int64_t neutral() const { return neutral_; }
  // revision changes with what Find and neutral give.
  uint64_t revision() const { return revision_; }
  // IsOfAll says whether each node of the cluster has a share.
  bool IsOfAll(const Snapshot& snapshot) const;

  // Of the last Put: when the cluster had which nodes, how many of them have a figure, and how many
  // samples were of no node.
  uint64_t order() const { return order_; }
  size_t known() const { return figures_.size(); }
  size_t nodes() const { return nodes_; }
  size_t strangers() const { return strangers_; }

 private:
  using Shares = std::unordered_map<std::string, int64_t>;

  Samples FiguresOf(const Samples& samples, const Snapshot& snapshot);
  bool IsAsGoodAs(const Shares& newer) const;
  void Take(Shares shares);

  const bool keeps_last_;
  Samples figures_;  // of the last Put, by node
  Shares shares_;
  int64_t neutral_ = 0;
  uint64_t revision_ = 1;
  uint64_t order_ = 0;
  size_t nodes_ = 0;
  size_t strangers_ = 0;
};

// MetricQuery is a figure that a plugin wants to be told, and how.
struct MetricQuery {
  std::string plugin;  // whose it is, for messages
  std::string url;
  std::string secret_name;  // of what is shown to the server; may be empty
  std::string query;        // in PromQL; gives a sample for each node
  std::string label;        // of a sample, that names the node
  std::chrono::nanoseconds refresh_interval{};
  std::chrono::nanoseconds timeout{};  // of one question
  std::chrono::nanoseconds max_age{};  // an older answer counts no more
  bool keeps_last = false;             // then it counts until there is another

  auto operator<=>(const MetricQuery&) const = default;
};

// MetricPort is where figures come from. Owned by the scheduling thread.
class MetricPort {
 public:
  virtual ~MetricPort() = default;

  // Watch gives what is brought up to date as long as somebody holds it. It never fails: a source
  // that does not answer leaves the nodes without a figure. All who ask for the same share one.
  virtual std::shared_ptr<const NodeMetric> Watch(const MetricQuery& query) = 0;
};

}  // namespace berth::scheduler
