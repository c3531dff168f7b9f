// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/harness/fake_nodes.h"

#include "client/kubeconfig.h"

namespace berth::e2e {
namespace {

constexpr const char* kTaint = "berth.dev/fake";

std::string NameOf(int number) { return "fake-" + std::to_string(number); }

std::unique_ptr<client::Client> ClientOf(const RealCluster& cluster, const Clock& clock) {
  const client::ClientConfig config =
      integration::Must("kubeconfig", client::LoadKubeconfig({cluster.kubeconfig().string()}, ""));
  return integration::Must("client",
                           client::Client::Create(config, {.component = "fake-nodes"}, clock));
}

}  // namespace

FakeNodes::FakeNodes(RealCluster& cluster, int count)
    : cluster_(cluster),
      count_(count),
      client_(ClientOf(cluster, clock_)),
      fleet_(*client_, clock_) {
  for (int i = 1; i <= count; ++i) {
    fleet_.Add({.name = NameOf(i),
                .allocatable = {{"cpu", Quantity::FromValue(16)},
                                {"memory", Quantity::FromValue(int64_t{64} << 30)}},
                .labels = {{kTaint, ""}},
                .taints = {{.key = kTaint, .value = "", .effect = "NoSchedule"}},
                .images = {}});
  }
  fleet_.Start();
  EXPECT_TRUE(Eventually("fake nodes", std::chrono::seconds(30), [&]() -> std::string {
    for (int i = 1; i <= count_; ++i) {
      const Json taints = At(cluster_.Get("node", NameOf(i)), "/spec/taints");
      if (taints.size() != 1) return NameOf(i) + ": " + taints.dump();
    }
    return "";
  }));
}

FakeNodes::~FakeNodes() {
  fleet_.Stop();
  for (int i = 1; i <= count_; ++i) cluster_.Delete("node", NameOf(i));
}

Json FakeNodes::OnlyThere() {
  return {{"nodeSelector", {{kTaint, ""}}},
          {"tolerations", Json::array({{{"key", kTaint}, {"operator", "Exists"}}})}};
}

}  // namespace berth::e2e
