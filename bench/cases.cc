// SPDX-License-Identifier: Apache-2.0
#include "bench/cases.h"

#include <iterator>

namespace berth::bench {

std::vector<Case> AllCases(const Scale& scale) {
  std::vector<Case> all;
  for (auto* family :
       {&CoreCases, &GangCases, &RuleCases, &AffinityCases, &PreemptionCases, &VolumeCases,
        &CacheCases, &QueueCases, &EventCases, &CheckerCases, &JsonCases, &ApiserverCases}) {
    std::vector<Case> cases = family(scale);
    std::move(cases.begin(), cases.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace berth::bench
