// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/resource.h"

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using testing::MakePod;
using testing::PodBuilder;
using testing::ResourcesOf;

constexpr int64_t kMaxAmount = std::numeric_limits<int64_t>::max();

void ExpectRequests(const PodBuilder& pod, RequestOptions options, std::string_view expected) {
  EXPECT_EQ(PodRequests(*pod.Build(), options), ResourcesOf(expected)) << expected;
}

TEST(PodRequests, SumsContainers) {
  ExpectRequests(MakePod("none"), {}, "");
  ExpectRequests(MakePod("two").Requests("cpu=1,memory=1Gi").Requests("cpu=500m,example.com/gpu=1"),
                 {}, "cpu=1500m,memory=1Gi,example.com/gpu=1");
}

TEST(PodRequests, TakesTheHighestInitContainer) {
  ExpectRequests(
      MakePod("init").Requests("cpu=1").InitContainer("cpu=3").InitContainer("memory=1Gi"), {},
      "cpu=3,memory=1Gi");
  ExpectRequests(MakePod("small-init").Requests("cpu=2").InitContainer("cpu=1"), {}, "cpu=2");
}

TEST(PodRequests, CountsSidecarsAtRuntimeAndForLaterInitContainers) {
  // Running: 1 + 2 = 3. Starting: the first init container needs 4 alone, the second 2 + 2 with the
  // sidecar.
  ExpectRequests(
      MakePod("p").Requests("cpu=1").InitContainer("cpu=4").Sidecar("cpu=2").InitContainer(
          "cpu=2500m"),
      {}, "cpu=4500m");
  ExpectRequests(MakePod("p").Requests("cpu=1").Sidecar("cpu=2").Sidecar("cpu=3"), {}, "cpu=6");
  ExpectRequests(MakePod("p").Sidecar("cpu=2").Sidecar("cpu=3"), {}, "cpu=5");
}

TEST(PodRequests, PodLevelRequestsReplaceTheSum) {
  const auto pod = MakePod("p")
                       .Requests("cpu=3,memory=2Gi,example.com/gpu=1")
                       .PodLevel("cpu=2,example.com/gpu=9");
  ExpectRequests(pod, {}, "cpu=2,memory=2Gi,example.com/gpu=1");
  ExpectRequests(pod, {.pod_level = false}, "cpu=3,memory=2Gi,example.com/gpu=1");
  ExpectRequests(MakePod("p").Requests("cpu=1").PodLevel("hugepages-2Mi=4Mi"), {},
                 "cpu=1,hugepages-2Mi=4Mi");
  EXPECT_FALSE(HasPodLevelRequests(*MakePod("p").PodLevel("example.com/gpu=9").Build()));
  EXPECT_FALSE(HasPodLevelRequests(*MakePod("p").Build()));
}

TEST(PodRequests, AddsTheOverheadLast) {
  ExpectRequests(MakePod("p").Requests("cpu=1").PodLevel("cpu=2").Overhead("cpu=100m,memory=64Mi"),
                 {}, "cpu=2100m,memory=64Mi");
}

TEST(PodRequests, CountsAnInPlaceResize) {
  const auto growing = MakePod("p").Requests("cpu=2").InPlace("cpu=1", "cpu=1");
  ExpectRequests(growing, {.use_status = true}, "cpu=2");
  ExpectRequests(growing, {}, "cpu=2");
  const auto shrinking = MakePod("p").Requests("cpu=1").InPlace("cpu=3", "cpu=2");
  ExpectRequests(shrinking, {.use_status = true}, "cpu=3");
  ExpectRequests(shrinking, {}, "cpu=1");
  ExpectRequests(MakePod("p").Requests("cpu=1").InPlace("cpu=2", "cpu=3"), {.use_status = true},
                 "cpu=3");
  ExpectRequests(MakePod("p").Requests("cpu=9").InPlace("cpu=1", "cpu=2").ResizeInfeasible(),
                 {.use_status = true}, "cpu=2");
}

TEST(PodRequests, ComparesTheSumsOfAnInPlaceResize) {
  // One container shrinks and the other grows: each of the three sums is 4.
  ExpectRequests(MakePod("p")
                     .Requests("cpu=1")
                     .InPlace("cpu=3", "cpu=3")
                     .Requests("cpu=3")
                     .InPlace("cpu=1", "cpu=1"),
                 {.use_status = true}, "cpu=4");
  // The allocated sum is 5: the second container reports only the desired requests.
  ExpectRequests(MakePod("p").Requests("cpu=1").InPlace("cpu=2", "cpu=3").Requests("cpu=2"),
                 {.use_status = true}, "cpu=5");
}

TEST(PodRequests, TakesTheAllocatedRequestsWithoutActualOnes) {
  PodBuilder pod = MakePod("p").Requests("cpu=1").InPlace("", "cpu=2");
  ExpectRequests(pod, {.use_status = true}, "cpu=2");
  pod.raw().status.container_statuses.front().resources.reset();
  ExpectRequests(pod, {.use_status = true}, "cpu=2");
  EXPECT_TRUE(ReportsResources(*pod.Build()));
}

TEST(PodRequests, CountsAnInPlaceResizeOfAnInitContainer) {
  PodBuilder pod = MakePod("p").Requests("cpu=1").InitContainer("cpu=2");
  api::ContainerStatus& status = pod.raw().status.init_container_statuses.emplace_back();
  status.name = pod.raw().spec.init_containers.front().name;
  status.allocated_resources = ResourcesOf("cpu=3");
  ExpectRequests(pod, {.use_status = true}, "cpu=3");
}

TEST(PodRequests, RejectedResizeCountsOnlyReportedRequests) {
  const auto pod = MakePod("p").Requests("cpu=9").InPlace("cpu=1", "cpu=2").Requests("cpu=8");
  ExpectRequests(pod, {.use_status = true}, "cpu=17");
  ExpectRequests(PodBuilder(pod).ResizeInfeasible(), {.use_status = true}, "cpu=2");
  const auto silent = MakePod("p").Requests("cpu=1").ResizeInfeasible();
  EXPECT_TRUE(ReportsResources(*silent.Build()));
  ExpectRequests(silent, {.use_status = true}, "");
  ExpectRequests(silent, {}, "cpu=1");
}

TEST(PodRequests, FiguresOfThePodReplaceThoseOfItsContainers) {
  PodBuilder pod = MakePod("p").Requests("cpu=1").InPlace("cpu=7", "cpu=7");
  pod.raw().status.resources.Edit().requests = ResourcesOf("cpu=2");
  ExpectRequests(pod, {.use_status = true}, "cpu=7");
  pod.raw().status.allocated_resources = ResourcesOf("cpu=3,memory=1Gi");
  ExpectRequests(pod, {.use_status = true}, "cpu=3,memory=1Gi");
}

TEST(PodRequests, CountsAPodLevelInPlaceResize) {
  PodBuilder pod = MakePod("p").Requests("cpu=1").PodLevel("cpu=2");
  pod.raw().status.resources.Edit().requests = ResourcesOf("cpu=4");
  pod.raw().status.allocated_resources = ResourcesOf("cpu=3");
  ExpectRequests(pod, {.use_status = true}, "cpu=4");
  ExpectRequests(pod, {}, "cpu=2");
  pod.raw().status.allocated_resources = ResourcesOf("cpu=3,memory=1Gi,example.com/gpu=1");
  ExpectRequests(pod, {.use_status = true}, "cpu=4,memory=1Gi,example.com/gpu=1");
  pod.raw().spec.resources.Edit().requests = ResourcesOf("cpu=9");
  ExpectRequests(pod, {.use_status = true}, "cpu=9,memory=1Gi,example.com/gpu=1");
  ExpectRequests(PodBuilder(pod).ResizeInfeasible(), {.use_status = true},
                 "cpu=4,memory=1Gi,example.com/gpu=1");
}

TEST(PodRequests, DefaultsApplyOnlyToAbsentResources) {
  const RequestOptions defaults{.default_cpu = true, .default_memory = true};
  ExpectRequests(MakePod("p").Requests(""), defaults, "cpu=100m,memory=200Mi");
  ExpectRequests(MakePod("p").Requests("cpu=0").Requests("memory=1Gi"), defaults,
                 "cpu=100m,memory=1224Mi");
  ExpectRequests(MakePod("p").Requests("cpu=1").InitContainer(""), defaults, "cpu=1,memory=200Mi");
  ExpectRequests(MakePod("p").Requests(""), {.default_memory = true}, "memory=200Mi");
}

// ---- A slow reference: the requests of each phase of a pod, added up from the beginning.

enum class Figure { kDesired, kAllocated, kActual };

bool IsInfeasible(const api::Pod& pod) {
  return std::ranges::any_of(pod.status.conditions, [](const api::PodCondition& condition) {
    return condition.type == "PodResizePending" && condition.reason == "Infeasible";
  });
}

api::ResourceList FigureOf(const api::Pod& pod, const api::Container& container, Figure figure) {
  if (figure == Figure::kDesired) return container.resources.requests;
  std::vector<api::ContainerStatus> statuses = pod.status.container_statuses;
  statuses.insert(statuses.end(), pod.status.init_container_statuses.begin(),
                  pod.status.init_container_statuses.end());
  const auto status = std::ranges::find(statuses, container.name, &api::ContainerStatus::name);
  if (status != statuses.end()) {
    const api::ResourceList actual = status->resources.ValueOrDefault().requests;
    if (figure == Figure::kActual && !actual.empty()) return actual;
    if (status->allocated_resources.has_value()) return *status->allocated_resources;
  }
  return IsInfeasible(pod) ? api::ResourceList() : container.resources.requests;
}

void RaiseBy(const api::ResourceList& phase, api::ResourceList& peak) {
  for (const auto& [name, amount] : phase) {
    peak.try_emplace(name, amount);
    peak[name] = std::max(peak[name], amount);
  }
}

// The phases of a pod: each init container with the sidecars before it, then all containers with
// all sidecars.
api::ResourceList PeakOfPhases(const api::Pod& pod, Figure figure, RequestOptions options) {
  const auto add = [&](const api::Container& container, api::ResourceList& sum) {
    api::ResourceList requests = FigureOf(pod, container, figure);
    if (options.default_cpu && !requests.contains("cpu")) {
      requests["cpu"] = Quantity::FromMilli(kDefaultMilliCpuRequest);
    }
    if (options.default_memory && !requests.contains("memory")) {
      requests["memory"] = Quantity::FromValue(kDefaultMemoryRequest);
    }
    for (const auto& [name, amount] : requests) sum[name] += amount;
  };
  const auto& init = pod.spec.init_containers;
  api::ResourceList peak;
  for (size_t phase = 0; phase <= init.size(); ++phase) {
    api::ResourceList sum;
    for (size_t i = 0; i < phase; ++i) {
      if (IsSidecar(init[i])) add(init[i], sum);
    }
    if (phase < init.size()) {
      add(init[phase], sum);
    } else {
      for (const api::Container& container : pod.spec.containers) add(container, sum);
    }
    RaiseBy(sum, peak);
  }
  return peak;
}

api::ResourceList ReferenceRequests(const api::Pod& pod, RequestOptions options) {
  if (!options.use_status || !ReportsResources(pod)) {
    return PeakOfPhases(pod, Figure::kDesired, options);
  }
  api::ResourceList highest;
  if (!IsInfeasible(pod)) highest = PeakOfPhases(pod, Figure::kDesired, options);
  RaiseBy(PeakOfPhases(pod, Figure::kAllocated, options), highest);
  RaiseBy(PeakOfPhases(pod, Figure::kActual, options), highest);
  return highest;
}

class RandomPods {
 public:
  api::Pod Next() {
    api::Pod pod;
    for (int i = Below(4); i > 0; --i) pod.spec.containers.push_back(Container());
    for (int i = Below(7); i > 0; --i) {
      pod.spec.init_containers.push_back(Container());
      if (Below(2) == 0) pod.spec.init_containers.back().restart_policy = "Always";
    }
    if (Below(2) == 0) AddStatuses(pod.status);
    return pod;
  }

 private:
  int Below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }
  // Two containers may have the same name, or none may have the name of a status.
  std::string Name() { return "c-" + std::to_string(Below(8)); }
  api::ResourceList Amounts() {
    api::ResourceList list;
    for (const char* name : {"cpu", "memory", "example.com/a", "example.com/b"}) {
      if (Below(2) == 0) list[name] = Quantity::FromValue(Below(6));
    }
    return list;
  }
  api::Container Container() {
    api::Container container;
    container.name = Name();
    container.resources.requests = Amounts();
    return container;
  }
  void AddStatuses(api::PodStatus& status) {
    for (auto* statuses : {&status.container_statuses, &status.init_container_statuses}) {
      for (int i = Below(6); i > 0; --i) {
        api::ContainerStatus& added = statuses->emplace_back();
        added.name = Name();
        if (Below(2) == 0) added.resources.Edit().requests = Amounts();
        if (Below(2) == 0) added.allocated_resources = Amounts();
      }
    }
    if (Below(4) == 0) {
      api::PodCondition& condition = status.conditions.emplace_back();
      condition.type = "PodResizePending";
      condition.reason = "Infeasible";
    }
  }

  std::mt19937 random_{1};
};

TEST(PodRequests, EqualTheReferenceOnRandomPods) {
  RandomPods pods;
  for (int i = 0; i < 3000; ++i) {
    const api::Pod pod = pods.Next();
    for (const RequestOptions options :
         {RequestOptions{}, RequestOptions{.use_status = true},
          RequestOptions{.use_status = true, .default_cpu = true, .default_memory = true}}) {
      ASSERT_EQ(PodRequests(pod, options), ReferenceRequests(pod, options))
          << json::Encode(pod) << ", use_status: " << options.use_status;
    }
  }
}

TEST(Resources, KeepTrackedResourcesOnly) {
  Vocabulary words;
  const Resources resources = ToResources(
      ResourcesOf("cpu=1500u,memory=1500m,ephemeral-storage=1Ki,pods=9,example.com/gpu=2,"
                  "hugepages-2Mi=0,attachable-volumes-csi-x=3,storage=7"),
      words);
  EXPECT_EQ(resources.milli_cpu, 2) << "rounded up";
  EXPECT_EQ(resources.memory, 2) << "rounded up";
  EXPECT_EQ(resources.ephemeral_storage, 1024);
  EXPECT_EQ(resources.scalars.size(), 3u);
  EXPECT_EQ(resources.Scalar(words.Find("example.com/gpu")), 2);
  EXPECT_EQ(resources.Scalar(words.Find("attachable-volumes-csi-x")), 3);
  EXPECT_EQ(resources.Scalar(words.Find("unknown")), 0);
}

TEST(Resources, DistinguishResourceNames) {
  const struct {
    const char* name;
    bool scalar, extended;
  } cases[] = {
      {"example.com/gpu", true, true},
      {"cpu", false, false},
      {"storage", false, false},
      {"hugepages-1Gi", true, false},
      {"kubernetes.io/thing", true, false},
      {"x.kubernetes.io/thing", true, false},
      {"attachable-volumes-a", true, false},
      {"requests.example.com/gpu", false, false},
      {"example.com/", false, false},
      {"example.com/-bad-", false, false},
      {"deviceclass.resource.kubernetes.io/a", true, false},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(IsScalarResource(test.name), test.scalar) << test.name;
    EXPECT_EQ(IsExtendedResource(test.name), test.extended) << test.name;
  }
}

TEST(Resources, AddAndSubtractSaturate) {
  Vocabulary words;
  const Word gpu = words.Intern("gpu"), tpu = words.Intern("tpu");
  Resources sum{.milli_cpu = kMaxAmount - 1,
                .memory = -4,
                .ephemeral_storage = 1,
                .scalars = {{tpu, kMaxAmount}}};
  sum.Add({.milli_cpu = 2, .memory = 3, .ephemeral_storage = 4, .scalars = {{gpu, 1}, {tpu, 1}}});
  EXPECT_EQ(sum, (Resources{.milli_cpu = kMaxAmount,
                            .memory = -1,
                            .ephemeral_storage = 5,
                            .scalars = {{gpu, 1}, {tpu, kMaxAmount}}}));
  sum.Subtract({.milli_cpu = kMaxAmount, .memory = kMaxAmount, .scalars = {{gpu, 1}}});
  EXPECT_EQ(sum.milli_cpu, 0);
  EXPECT_EQ(sum.memory, -1 - kMaxAmount) << "just within range";
  EXPECT_EQ(sum.Scalar(gpu), 0);
  sum.Subtract({.memory = kMaxAmount});
  EXPECT_EQ(sum.memory, std::numeric_limits<int64_t>::min());
}

}  // namespace
}  // namespace berth::scheduler
