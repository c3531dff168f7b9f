// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/qos_class.h"

#include <gtest/gtest.h>

#include "scheduler/model/pod_info.h"
#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using testing::MakePod;
using testing::PodBuilder;
using testing::ResourcesOf;

// Returns a pod with one container, or without containers if both arguments are null.
PodBuilder Pod(const char* requests, const char* limits) {
  PodBuilder pod = MakePod("p");
  if (requests == nullptr) return pod;
  pod.Requests(requests);
  pod.raw().spec.containers.back().resources.limits = ResourcesOf(limits);
  return pod;
}

QosClass Of(const PodBuilder& pod) { return QosClassOf(*pod.Build()); }

TEST(QosClass, NoRequestAndNoLimitIsBestEffort) {
  EXPECT_EQ(Of(Pod(nullptr, nullptr)), QosClass::kBestEffort);
  EXPECT_EQ(Of(Pod("", "")), QosClass::kBestEffort);
  EXPECT_EQ(Of(Pod("cpu=0,memory=0", "")), QosClass::kBestEffort);
  EXPECT_EQ(Of(Pod("ephemeral-storage=1Gi,example.com/gpu=1", "example.com/gpu=1")),
            QosClass::kBestEffort);
}

TEST(QosClass, LimitsEqualToRequestsAreGuaranteed) {
  EXPECT_EQ(Of(Pod("cpu=1,memory=1Gi", "cpu=1000m,memory=1024Mi")), QosClass::kGuaranteed);
  EXPECT_EQ(Of(Pod("cpu=1,memory=1Gi,ephemeral-storage=1Gi", "cpu=1,memory=1Gi")),
            QosClass::kGuaranteed);
}

TEST(QosClass, AnythingElseIsBurstable) {
  EXPECT_EQ(Of(Pod("cpu=1", "")), QosClass::kBurstable);
  EXPECT_EQ(Of(Pod("cpu=1,memory=1Gi", "cpu=2,memory=1Gi")), QosClass::kBurstable);
  EXPECT_EQ(Of(Pod("cpu=1", "cpu=1")), QosClass::kBurstable) << "memory has no limit";
  EXPECT_EQ(Of(Pod("", "cpu=1,memory=1Gi")), QosClass::kBurstable)
      << "the API server would have set the requests";
  EXPECT_EQ(Of(Pod("cpu=1", "cpu=1,memory=1Gi")), QosClass::kBurstable);
}

TEST(QosClass, EachContainerCounts) {
  PodBuilder pod = Pod("cpu=1,memory=1Gi", "cpu=1,memory=1Gi");
  pod.Requests("cpu=1,memory=1Gi");
  EXPECT_EQ(Of(pod), QosClass::kBurstable);
  pod.raw().spec.containers.back().resources.limits = ResourcesOf("cpu=1,memory=1Gi");
  EXPECT_EQ(Of(pod), QosClass::kGuaranteed);
}

TEST(QosClass, TotalsDoNotCount) {
  PodBuilder pod = Pod("cpu=1,memory=2Gi", "cpu=2,memory=2Gi");
  pod.Requests("cpu=2,memory=1Gi");
  pod.raw().spec.containers.back().resources.limits = ResourcesOf("cpu=1,memory=1Gi");
  EXPECT_EQ(Of(pod), QosClass::kBurstable) << "no container has equal requests and limits";
}

TEST(QosClass, InitContainersAndSidecarsCount) {
  PodBuilder init = Pod("cpu=1,memory=1Gi", "cpu=1,memory=1Gi").InitContainer("");
  EXPECT_EQ(Of(init), QosClass::kBurstable);
  auto& resources = init.raw().spec.init_containers.back().resources;
  resources.requests = resources.limits = ResourcesOf("cpu=2,memory=2Gi");
  EXPECT_EQ(Of(init), QosClass::kGuaranteed);
  EXPECT_EQ(Of(Pod("", "").Sidecar("cpu=1")), QosClass::kBurstable);
}

TEST(QosClass, PodLevelResourcesReplaceContainerResources) {
  PodBuilder pod = Pod("cpu=1", "").PodLevel("cpu=2,memory=2Gi");
  EXPECT_EQ(Of(pod), QosClass::kBurstable);
  pod.raw().spec.resources.Edit().limits = ResourcesOf("cpu=2,memory=2Gi");
  EXPECT_EQ(Of(pod), QosClass::kGuaranteed);
  pod.raw().spec.resources.emplace();
  EXPECT_EQ(Of(pod), QosClass::kBurstable) << "empty pod-level resources replace nothing";
  pod.raw().spec.resources.Edit().limits = ResourcesOf("hugepages-2Mi=2Mi");
  EXPECT_EQ(Of(pod), QosClass::kBestEffort);
}

TEST(QosClass, PodInfoHasTheClass) {
  Vocabulary words;
  EXPECT_EQ(Pod("cpu=1", "").Info(words)->qos_class(), QosClass::kBurstable);
}

}  // namespace
}  // namespace berth::scheduler
