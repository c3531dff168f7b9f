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

// Rejection is the reason why a node does not run its bound pod; the pod is then Failed with this
// reason and message.
struct Rejection {
  std::string reason;   // OutOfcpu, NodeAffinity
  std::string message;  // "Pod was rejected: …"

  bool operator==(const Rejection&) const = default;
};

// NodeAccount holds the allocated resources and ports of a node. For one thread, or under its
// holder's lock.
class NodeAccount {
 public:
  void Admit(const std::string& uid, api::ResourceList requests,
             std::vector<api::HostPort> ports = {});
  void Release(const std::string& uid) { admitted_.erase(uid); }

  size_t pods() const { return admitted_.size(); }
  int64_t Used(const std::string& resource) const;
  // Reports whether none of the ports conflicts with an allocated one.
  bool HasFree(const std::vector<api::HostPort>& ports) const;

 private:
  struct Admitted {
    api::ResourceList requests;
    std::vector<api::HostPort> ports;
  };
  std::map<std::string, Admitted> admitted_;
};

// Runs the kubelet's admission checks, because the scheduler may have had stale data: resources,
// the pod's node selector, affinity and node name, free host ports, untolerated NoExecute taints.
// The first failure counts. Source: kubelet/lifecycle/predicate.go, scheduler/eventhandlers.go
// (AdmissionCheck) and kubelet.go (rejectPod), including the texts.
std::optional<Rejection> CheckAdmission(const api::Pod& pod, const api::Node& node,
                                        const NodeAccount& account);

}  // namespace berth::simulation
