// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/node_metric.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "scheduler/framework/node_finder.h"

namespace berth::scheduler {
namespace {

double HighestOf(const NodeMetric::Samples& figures) {
  double highest = 0;
  for (const auto& [node, figure] : figures) highest = std::max(highest, figure);
  return highest;
}

}  // namespace

void NodeMetric::Put(const Samples& samples, const Snapshot& snapshot) {
  Samples figures = FiguresOf(samples, snapshot);
  if (keeps_last_) {
    figures.merge(figures_);
    std::erase_if(figures, [&](const auto& of) { return snapshot.Find(of.first) == kNoSlot; });
  }
  figures_ = std::move(figures);
  nodes_ = snapshot.NodeCount();
  order_ = snapshot.ClusterEpoch(Epoch::kOrder);
  const double highest = HighestOf(figures_);
  Shares shares;
  for (const auto& [node, figure] : figures_) {
    const double share = highest > 0 ? figure / highest : 0;
    shares.emplace(node, std::llround(share * static_cast<double>(kWhole)));
  }
  if (!IsWithinTolerance(shares)) Take(std::move(shares));
}

void NodeMetric::Forget() {
  figures_.clear();
  if (!shares_.empty()) Take({});
}

NodeMetric::Samples NodeMetric::FiguresOf(const Samples& samples, const Snapshot& snapshot) {
  Samples figures;
  NodeFinder nodes(snapshot);
  strangers_ = 0;
  for (const auto& [what, figure] : samples) {
    if (const Slot slot = nodes.Find(what); slot != kNoSlot) {
      double& highest = figures[snapshot.At(slot).name.text()];
      highest = std::max(highest, figure);
    } else {
      ++strangers_;
    }
  }
  return figures;
}

bool NodeMetric::IsWithinTolerance(const Shares& newer) const {
  return newer.size() == shares_.size() && std::ranges::all_of(newer, [this](const auto& entry) {
           const auto found = shares_.find(entry.first);
           return found != shares_.end() && std::abs(found->second - entry.second) < kLeastChange;
         });
}

void NodeMetric::Take(Shares shares) {
  shares_ = std::move(shares);
  neutral_ = 0;
  for (const auto& [node, share] : shares_) neutral_ += share;
  if (!shares_.empty()) neutral_ /= static_cast<int64_t>(shares_.size());
  ++revision_;
}

std::optional<int64_t> NodeMetric::Find(const std::string& node) const {
  const auto found = shares_.find(node);
  if (found == shares_.end()) return std::nullopt;
  return found->second;
}

bool NodeMetric::IsComplete(const Snapshot& snapshot) const {
  return shares_.size() == snapshot.NodeCount() && order_ == snapshot.ClusterEpoch(Epoch::kOrder);
}

}  // namespace berth::scheduler
