// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "scheduler/model/nominations.h"

namespace berth::scheduler {

// Nominator knows which pending pods are nominated to a node: room was made for them there, or they
// asked for it in status.nominatedNodeName. Source: kube-scheduler
// pkg/scheduler/backend/queue/nominator.go. Owned by the scheduling thread. Invariants: a pod (by
// UID) is nominated to at most one node, because each nomination begins with taking the old one
// away; no nominated pod has a node, because the loop takes the nomination away when a node is
// chosen, and when the pod is seen on one.
class Nominator final : public Nominations {
 public:
  // Nominate moves the pod's nomination to this node; an empty name takes it away.
  void Nominate(std::shared_ptr<const PendingPod> pod, std::string node);
  // Update exchanges the pod. A nomination made here, of which neither status tells, is kept; else
  // the new status counts.
  void Update(const PendingPod& old_pod, std::shared_ptr<const PendingPod> new_pod);
  void Delete(const std::string& uid);

  const Pods& On(const std::string& node) const override;
  void ForEach(const std::function<void(const std::string&, const Pods&)>& visit) const override;
  // NodeOf is empty when the pod is not nominated.
  std::string NodeOf(const std::string& uid) const;
  bool empty() const { return nodes_.empty(); }
  size_t size() const { return nodes_.size(); }

 private:
  std::unordered_map<std::string, Pods> pods_;          // by node; none is empty
  std::unordered_map<std::string, std::string> nodes_;  // by UID
};

}  // namespace berth::scheduler
