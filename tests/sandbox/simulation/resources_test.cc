// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/resources.h"

#include <gtest/gtest.h>

namespace berth::simulation {
namespace {

api::Container Wanting(int64_t milli_cpu, const std::string& restart_policy = "") {
  api::Container container;
  container.restart_policy = restart_policy;
  container.resources.requests["cpu"] = Quantity::FromMilli(milli_cpu);
  return container;
}

TEST(RequestsOf, SumsContainersAndOverhead) {
  api::Pod pod;
  pod.spec.containers = {Wanting(100), Wanting(200)};
  pod.spec.overhead = api::ResourceList{{"cpu", Quantity::FromMilli(5)}};
  EXPECT_EQ(RequestsOf(pod)["cpu"].MilliValue(), 305);
}

TEST(RequestsOf, LargerInitContainerCounts) {
  api::Pod pod;
  pod.spec.containers = {Wanting(100)};
  pod.spec.init_containers = {Wanting(900), Wanting(400)};
  EXPECT_EQ(RequestsOf(pod)["cpu"].MilliValue(), 900);
}

TEST(RequestsOf, SidecarsCountInBothPhases) {
  api::Pod pod;
  pod.spec.containers = {Wanting(100)};
  pod.spec.init_containers = {Wanting(50, "Always"), Wanting(300)};
  EXPECT_EQ(RequestsOf(pod)["cpu"].MilliValue(), 350);
}

TEST(RequestsOf, PodLevelRequestsReplaceTheSum) {
  api::Pod pod;
  pod.spec.containers = {Wanting(100)};
  pod.spec.resources.emplace().requests["cpu"] = Quantity::FromMilli(70);
  EXPECT_EQ(RequestsOf(pod)["cpu"].MilliValue(), 70);
}

}  // namespace
}  // namespace berth::simulation
