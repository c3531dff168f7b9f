// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "api/node.h"
#include "api/pod.h"

namespace berth::simulation {

// Rejection is why a node does not run a pod that was bound to it; the pod is then Failed with this
// reason and message.
struct Rejection {
  std::string reason;   // OutOfcpu, NodeAffinity
  std::string message;  // "Pod was rejected: …"

  bool operator==(const Rejection&) const = default;
};

// NodeAccount is what a node has given away. For one thread, or under its holder's lock.
class NodeAccount {
 public:
  void Admit(const std::string& uid, api::ResourceList requests);
  void Release(const std::string& uid) { admitted_.erase(uid); }

  size_t pods() const { return admitted_.size(); }
  int64_t Used(const std::string& resource) const;

 private:
  std::map<std::string, api::ResourceList> admitted_;
};

// CheckAdmission asks what the kubelet asks once more, for the scheduler may not have known all: is
// there room, does the node match the pod's selector and affinity, is there a NoExecute taint that
// the pod does not tolerate. Source: kubelet/lifecycle/predicate.go and kubelet.go (rejectPod),
// whose words these are.
std::optional<Rejection> CheckAdmission(const api::Pod& pod, const api::Node& node,
                                        const NodeAccount& account);

}  // namespace berth::simulation
