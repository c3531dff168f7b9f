// SPDX-License-Identifier: Apache-2.0
// Memory and CPU use of operator and scheduler, compared with the requests of their pods.
#include <iostream>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/quantity.h"
#include "tests/e2e/harness/cluster_test.h"
#include "tests/e2e/harness/fake_nodes.h"
#include "tests/e2e/harness/pod_stream.h"
#include "tests/e2e/harness/pod_view.h"

namespace berth::e2e {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr int kNodes = 40;
constexpr int kPods = 2000;

// Watched compares a container's use with its pod's requests.
class Watched {
 public:
  Watched(RealCluster& cluster, Json pod, std::string container)
      : cluster_(cluster),
        pod_(std::move(pod)),
        container_(std::move(container)),
        last_(NextUsage(cluster_, pod_, container_)) {}

  // Prints the use since the last call. An idle container must use no more CPU than its pod
  // requests, and never more memory.
  void Compare(const std::string& when, bool at_rest) {
    const Usage now = NextUsage(cluster_, pod_, container_);
    const double seconds_taken = now.cpu_seconds - last_.cpu_seconds;
    const double millicores =
        1000 * seconds_taken / std::chrono::duration<double>(now.when - last_.when).count();
    std::cout << fmt::format("    {} {}: memory {:.1f} MiB ({}), cpu {:.3f} s, {:.0f}m ({})\n",
                             container_, when, static_cast<double>(now.memory_bytes) / (1 << 20),
                             Bounds("memory"), seconds_taken, millicores, Bounds("cpu"));
    EXPECT_LE(now.memory_bytes, Requested("memory").Value()) << container_;
    if (at_rest) {
      EXPECT_LE(millicores, Requested("cpu").MilliValue()) << container_;
    }
    last_ = now;
  }

 private:
  std::string Said(const std::string& bound, const std::string& resource) const {
    return TextAt(pod_, "/spec/containers/0/resources/" + bound + "/" + resource);
  }

  Quantity Requested(const std::string& resource) const {
    return Quantity::Parse(Said("requests", resource)).value();
  }

  std::string Bounds(const std::string& resource) const {
    const std::string limit = Said("limits", resource);
    return fmt::format("requests {}, limit {}", Said("requests", resource),
                       limit.empty() ? "none" : limit);
  }

  RealCluster& cluster_;
  const Json pod_;
  const std::string container_;
  Usage last_;
};

class Load : public ClusterTest {};

TEST_F(Load, PlacesTwoThousandPodsWithinTheRequests) {
  CreateProfile("busy");
  ASSERT_TRUE(EventuallyReady("busy"));
  const FakeNodes nodes(cluster_, kNodes);
  Watched scheduler(cluster_, SchedulerPods("busy").front(), "scheduler");
  Watched manager(cluster_, cluster_.Get("pod", OperatorLeader(), kNamespace), "manager");
  scheduler.Compare("idle", /*at_rest=*/true);
  manager.Compare("idle", /*at_rest=*/true);

  const std::string pods = integration::ApiAccess::PathOf("pod", "", ns_);
  const Json spec = FakeNodes::OnlyThere();
  const auto began = steady_clock::now();
  std::vector<std::jthread> makers;
  for (int maker = 0; maker < 4; ++maker) {
    makers.emplace_back([&, maker] {
      for (int i = maker; i < kPods; i += 4) {
        cluster_.api().Send("POST", pods, PausePod(ns_, "busy-" + std::to_string(i), "busy", spec));
      }
    });
  }
  makers.clear();
  EXPECT_TRUE(Eventually("all pods placed", seconds(60), [&]() -> std::string {
    const Json unplaced = Json::parse(
        cluster_.api().Send("GET", pods + "?fieldSelector=spec.nodeName%3D&limit=1").body);
    return unplaced["items"].empty() ? "" : TextAt(unplaced, "/items/0/metadata/name");
  }));
  std::cout << fmt::format("    {} pods created and placed in {:.1f} s\n", kPods,
                           std::chrono::duration<double>(steady_clock::now() - began).count());
  scheduler.Compare("after 2,000 pods", /*at_rest=*/false);
  manager.Compare("after 2,000 pods", /*at_rest=*/false);

  EXPECT_EQ(cluster_.List("pod", ns_).size(), static_cast<size_t>(kPods));
  cluster_.api().Send("DELETE", pods, {{"gracePeriodSeconds", 0}});
}

}  // namespace
}  // namespace berth::e2e
