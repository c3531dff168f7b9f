// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "scheduler/model/nominations.h"

namespace berth::scheduler {

// Nominator tracks the nominated pods: pending pods for which preemption freed a node, or with
// status.nominatedNodeName. Source: kube-scheduler pkg/scheduler/backend/queue/nominator.go. Owned
// by the scheduling thread. Invariants: a pod (by UID) is nominated to at most one node, because
// each nomination first removes the previous one. No nominated pod has a node, because the
// scheduler removes the nomination when it chooses a node and when it sees the pod on one.
class Nominator final : public Nominations {
 public:
  // Sets the pod's nomination; an empty node name removes it.
  void Nominate(std::shared_ptr<const PendingPod> pod, std::string node);
  // Replaces the pod. If neither status has a nominated node, a nomination set by Nominate stays;
  // otherwise the new status counts.
  void Update(const PendingPod& old_pod, std::shared_ptr<const PendingPod> new_pod);
  void Delete(const std::string& uid);

  const Pods& On(const std::string& node) const override;
  void ForEach(const std::function<void(const std::string&, const Pods&)>& visit) const override;
  // Returns "" if the pod is not nominated.
  std::string NodeOf(const std::string& uid) const;
  bool empty() const { return nodes_.empty(); }
  size_t size() const { return nodes_.size(); }

 private:
  std::unordered_map<std::string, Pods> pods_;          // by node; never empty
  std::unordered_map<std::string, std::string> nodes_;  // by UID
};

}  // namespace berth::scheduler
