// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "scheduler/model/pod_index.h"
#include "scheduler/model/snapshot.h"

namespace berth::scheduler::testing {

// WalkingPodIndex answers each question by looking at every pod of a snapshot: what an index has to
// give, told as plainly as can be. An answer is good until the snapshot changes.
class WalkingPodIndex final : public PodIndex {
 public:
  // `snapshot` outlives this.
  explicit WalkingPodIndex(const Snapshot& snapshot);
  ~WalkingPodIndex() override;

  std::span<const uint32_t> BySlot(const PodQuery& query) const override;
  const DomainCounts& ByDomain(const PodQuery& query, const std::string& topology_key,
                               const SubsetQuery& subset) const override;
  const TopologyDomains& Domains(const std::string& topology_key) const override;
  std::span<const PlacedTerm> TermsAbout(const PodInfo& pod) const override;
  bool Matches(const PodSelector& selector, const PodInfo& pod) const override;

 private:
  class Topology;
  class Counts;

  struct Given;  // the answers given since the snapshot changed
  Given& Answers() const;

  const Topology& TopologyOf(const std::string& key) const;
  bool IsMeant(const PodQuery& query, const PodInfo& pod) const;
  size_t SlotBound() const;

  const Snapshot& snapshot_;
  mutable std::unique_ptr<Given> given_;
};

}  // namespace berth::scheduler::testing
