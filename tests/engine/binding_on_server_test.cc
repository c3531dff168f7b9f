// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "api/core.h"
#include "api/node.h"
#include "api/pod.h"
#include "base/mailbox.h"
#include "engine/api_port.h"
#include "tests/support/apiserver/in_memory_server.h"

// Bindings with faults on the way to or from the API server: each is made once, and its result is
// known.
namespace berth::engine {
namespace {

struct Mishap {
  const char* title;
  const char* rule;
};

class BindingOnServer : public testing::TestWithParam<Mishap> {
 protected:
  BindingOnServer() {
    api::ServiceAccount account;
    account.metadata.namespace_ = "default";
    account.metadata.name = "default";
    EXPECT_TRUE(client_.Create(account));
    api::Pod pod;
    pod.metadata.namespace_ = "default";
    pod.metadata.name = "a";
    pod.spec.containers.resize(1);
    pod.spec.containers[0].name = "c";
    pod.spec.containers[0].image = "example.com/c";
    EXPECT_TRUE(client_.Create(pod));
  }
  api::Pod Pod() { return client_.Get<api::Pod>("default", "a").value(); }

  // Returns the outcome that the scheduling thread receives.
  Result<void> Bind(const std::string& node) {
    Mailbox<std::function<void()>> mailbox;
    ApiPortOptions options;
    options.post = [&](std::function<void()> message) { mailbox.Post(std::move(message)); };
    options.random = [] { return 0.0; };
    http::ThreadTimer timer;
    ClientSender sender(client_);
    ApiWriter writer(sender, {});
    ApiServerPort port(writer, timer, std::move(options));
    std::optional<Result<void>> outcome;
    port.Bind(scheduler::PodRef::Of(Pod()), node,
              [&](Result<void> result) { outcome = std::move(result); });
    while (!outcome) {
      for (const auto& message : mailbox.Take(SteadyTime::max())) message();
    }
    return *outcome;
  }

  apiserver::InMemoryServer memory_;
  client::Client& client_ = memory_.client();
};

TEST_P(BindingOnServer, IsMadeOnceAndReportedAsMade) {
  memory_.Inject(GetParam().rule);
  const auto bound = Bind("n1");
  EXPECT_TRUE(bound) << bound.error().message();
  EXPECT_EQ(Pod().spec.node_name, "n1");
}

TEST_P(BindingOnServer, ConflictsIfThePodIsBoundToAnotherNode) {
  ASSERT_TRUE(Bind("n2"));
  memory_.Inject(GetParam().rule);
  const auto bound = Bind("n1");
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().message(), "pod default/a is bound to n2");
  EXPECT_EQ(Pod().spec.node_name, "n2");
}

const Mishap kMishaps[] = {
    {"DroppedBefore", R"({"action": "drop", "subresource": "binding", "times": 1})"},
    {"DroppedAfter",
     R"({"action": "drop", "when": "after", "subresource": "binding", "times": 1})"},
    {"DuplicatedBefore", R"({"action": "duplicate", "subresource": "binding", "times": 1})"},
    {"DuplicatedAfter",
     R"({"action": "duplicate", "when": "after", "subresource": "binding", "times": 1})"},
};
INSTANTIATE_TEST_SUITE_P(Mishaps, BindingOnServer, testing::ValuesIn(kMishaps),
                         [](const auto& mishap) { return std::string(mishap.param.title); });

}  // namespace
}  // namespace berth::engine
