// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/host_ports.h"
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
  void Admit(const std::string& uid, api::ResourceList requests,
             std::vector<api::HostPort> ports = {});
  void Release(const std::string& uid) { admitted_.erase(uid); }

  size_t pods() const { return admitted_.size(); }
  int64_t Used(const std::string& resource) const;
  // HasFree says whether none of the ports conflicts with one that is given away.
  bool HasFree(const std::vector<api::HostPort>& ports) const;

 private:
  struct Admitted {
    api::ResourceList requests;
    std::vector<api::HostPort> ports;
  };
  std::map<std::string, Admitted> admitted_;
};

// CheckAdmission asks what the kubelet asks once more, for the scheduler may not have known all: is
// there room, does the node match the pod's selector and affinity, is it the one the pod names, are
// the host's ports free, is there a NoExecute taint that the pod does not tolerate. The first that
// fails counts. Source: kubelet/lifecycle/predicate.go, scheduler/eventhandlers.go (AdmissionCheck)
// and kubelet.go (rejectPod), whose words these are.
std::optional<Rejection> CheckAdmission(const api::Pod& pod, const api::Node& node,
                                        const NodeAccount& account);

}  // namespace berth::simulation
