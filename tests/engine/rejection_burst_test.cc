// SPDX-License-Identifier: Apache-2.0
// Bindings while a large number of rejections is queued for writing.
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "api/core.h"
#include "api/pod.h"
#include "base/mailbox.h"
#include "engine/api_port.h"
#include "tests/support/apiserver/in_memory_server.h"

namespace berth::engine {
namespace {

constexpr int kRejected = 25'000;

class RejectionBurst : public testing::Test {
 protected:
  RejectionBurst() : port_(writer_, timer_, Options()) {
    api::ServiceAccount account;
    account.metadata.namespace_ = "default";
    account.metadata.name = "default";
    EXPECT_TRUE(memory_.client().Create(account));
  }

  ApiPortOptions Options() {
    ApiPortOptions options;
    options.post = [this](std::function<void()> message) { mailbox_.Post(std::move(message)); };
    options.random = [] { return 0.0; };
    return options;
  }
  scheduler::PodRef Create(const std::string& name) {
    api::Pod pod;
    pod.metadata.namespace_ = "default";
    pod.metadata.name = name;
    pod.spec.containers.resize(1);
    pod.spec.containers[0].name = "c";
    pod.spec.containers[0].image = "example.com/c";
    const auto created = memory_.client().Create(pod);
    EXPECT_TRUE(created);
    return scheduler::PodRef::Of(*created);
  }
  void Reject(const scheduler::PodRef& pod) {
    scheduler::PodStatusPatch patch;
    patch.condition.emplace();
    patch.condition->type = "PodScheduled";
    patch.condition->status = "False";
    port_.PatchPodStatus(pod, std::move(patch), [](const Result<void>&) {});
  }
  // The server also answers for pods that it does not have; the test only needs the requests.
  void RejectMany() {
    for (int i = 0; i < kRejected; ++i) {
      const std::string name = "refused" + std::to_string(i);
      Reject({"default", name, "uid-" + name, ""});
    }
  }
  // Returns the outcome of a binding if it arrives within a second.
  std::optional<Result<void>> BindWithinASecond(const scheduler::PodRef& pod) {
    std::optional<Result<void>> outcome;
    port_.Bind(pod, "n1", [&outcome](Result<void> result) { outcome = std::move(result); });
    const SteadyTime deadline = memory_.clock().Now() + std::chrono::seconds(1);
    while (!outcome && memory_.clock().Now() < deadline) {
      for (const auto& message : mailbox_.Take(deadline)) message();
    }
    return outcome;
  }
  size_t Waiting() const { return writer_.Statistics().waiting[WriteClass::kStatus]; }

  apiserver::InMemoryServer memory_;
  Mailbox<std::function<void()>> mailbox_;
  http::ThreadTimer timer_;
  ClientSender sender_{memory_.client()};
  ApiWriter writer_{sender_, {}};
  ApiServerPort port_;
};

TEST_F(RejectionBurst, BindsAPodCreatedDuringTheBurstWithinASecond) {
  RejectMany();
  const auto outcome = BindWithinASecond(Create("fits"));
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(*outcome);
  EXPECT_GT(Waiting(), 0u);
}

TEST_F(RejectionBurst, BindsAPodWithAQueuedPatchWithinASecond) {
  const scheduler::PodRef pod = Create("refused-before");
  RejectMany();
  Reject(pod);
  const auto outcome = BindWithinASecond(pod);
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(*outcome);
  EXPECT_GT(Waiting(), 0u);
}

}  // namespace
}  // namespace berth::engine
