// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "scheduler/framework/interface.h"
#include "scheduler/model/node_info.h"

namespace berth::scheduler {

// FitRequest is a pod's resource requests, prepared for checking many nodes. Source: kube-scheduler
// pkg/scheduler/framework/plugins/noderesources/fit.go, computePodResourceRequest and fitsRequest.
struct FitRequest {
  struct Scalar {
    Symbol name;
    int64_t amount;
    VerdictReason insufficient;
  };
  int64_t milli_cpu = 0;
  int64_t memory = 0;
  int64_t ephemeral_storage = 0;
  // Of resources that a node offers; neither zero amounts nor ignored resources.
  std::vector<Scalar> scalars;
  // The reasons of all requested resources that no node offers: the pod fits no node. A group,
  // because a pod may request thousands of them.
  std::optional<VerdictReason> unoffered;

  using Ignored = std::function<bool(std::string_view resource)>;
  // Returns the requests of the cycle's pod. Valid during the cycle: its state owns the reasons.
  static FitRequest Of(const CycleContext& cycle, const Vocabulary& words, const Ignored& ignored);

  // Returns all reasons why the pod does not fit. The verdict is unresolvable if the node would be
  // too small even when empty. `state` is that of the cycle; `scratch` saves allocations between
  // calls.
  Verdict Check(const NodeView& node, CycleState& state, std::vector<VerdictReason>& scratch) const;
};

// Reports whether the requests fit a node without pods that has these allocatable resources and
// allows `pods` pods.
bool FitsEmptyNode(const Resources& requests, const Resources& allocatable, int64_t pods);

// FitColumns checks a FitRequest against nodes, reading only the columns of the requested
// resources. Requires: `request` and `columns` outlive this and do not change.
class FitColumns {
 public:
  FitColumns(const FitRequest& request, const ResourceColumns& columns);

  bool Fits(Slot slot) const;

 private:
  struct Wanted {
    ResourceColumns::View amounts;
    int64_t request;
  };
  std::vector<Wanted> wanted_;
  bool possible_;  // false: no node offers one of the resources
};

// Returns the pod's requests as scores count them: a container without a cpu or memory request
// counts with the default, and pod-level requests do not count (as in kube-scheduler).
Resources ScoringRequests(const PendingPod& pod, Vocabulary& words);

}  // namespace berth::scheduler
