// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "scheduler/framework/status.h"
#include "scheduler/model/node_info.h"

namespace berth::scheduler {

// FitRequest is what a pod asks of a node, made ready for asking many nodes. Source: kube-scheduler
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
  std::vector<Scalar> scalars;  // none of 0, none that is ignored

  using Ignored = std::function<bool(std::string_view resource)>;
  static FitRequest Of(const PodInfo& pod, const Vocabulary& words, const Ignored& ignored);

  // Check gives every reason why the pod does not fit; it is unresolvable when the node would be
  // too small even if empty. `scratch` saves allocations between calls.
  Verdict Check(const NodeView& node, std::vector<VerdictReason>& scratch) const;

  // FitsEmpty says whether the pod fits a node that has this and no pods.
  bool FitsEmpty(const Resources& allocatable, int64_t pods) const;
};

// FitColumns asks whether nodes have what a FitRequest wants, from the columns of what it wants
// alone. Requires: `request` and `columns` live and do not change.
class FitColumns {
 public:
  FitColumns(const FitRequest& request, const ResourceColumns& columns);

  bool Fits(Slot slot) const;

 private:
  struct Wanted {
    std::span<const int64_t> allocatable, requested;
    int64_t amount;
  };
  std::vector<Wanted> wanted_;
  bool possible_ = true;  // false: some resource is on no node
};

// ScoringRequests is what a pod is taken to ask for when nodes are scored: each container that
// names no cpu or memory counts with the defaults, and pod-level requests do not count
// (kube-scheduler 1.36's way).
Resources ScoringRequests(const PendingPod& pod, Vocabulary& words);

}  // namespace berth::scheduler
