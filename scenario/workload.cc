// SPDX-License-Identifier: Apache-2.0
#include "scenario/workload.h"

#include <utility>

#include "base/fake_clock.h"
#include "scenario/objects.h"

namespace berth::scenario {

Result<Workload> MakeWorkload(const Scenario& scenario) {
  const Time now = FakeClock().Wall();
  Identities identities(scenario.seed);
  Workload workload;
  for (const Template& written : scenario.cluster.nodes) {
    BERTH_TRY(api::Node node, MakeNode(written));
    identities.Give("node", node.metadata, now);
    workload.nodes.push_back(std::make_shared<const api::Node>(std::move(node)));
  }
  for (const Template& written : scenario.cluster.pods) {
    BERTH_TRY(api::Pod pod, MakePod(written, now));
    identities.Give("pod", pod.metadata, now);
    auto& list = pod.spec.node_name.empty() ? workload.pending : workload.assigned;
    list.push_back(std::make_shared<const api::Pod>(std::move(pod)));
  }
  workload.others = scenario.cluster.others;
  return workload;
}

}  // namespace berth::scenario
