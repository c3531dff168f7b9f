// SPDX-License-Identifier: Apache-2.0
#include "client/client.h"

#include <atomic>
#include <future>

#include <gtest/gtest.h>

#include "api/pod.h"
#include "tests/client/stub_client.h"
#include "tests/support/http/test_certificates.h"

namespace berth::client {
namespace {

using http::StubReply;
using http::StubRequest;

// Answer is a scripted response; InOrder sends one per request.
struct Answer {
  int code;
  std::string body;
  http::Headers headers = {};
};
http::StubServer::Handler InOrder(std::vector<Answer> answers) {
  return [answers = std::move(answers), next = std::make_shared<std::atomic<size_t>>(0)](
             const StubRequest&, StubReply& reply) {
    const Answer& answer = answers.at(std::min(next->fetch_add(1), answers.size() - 1));
    reply.Send(answer.code, answer.body, answer.headers);
  };
}

#if defined(__aarch64__)
constexpr const char* kPlatform = " (linux/arm64) test";
#else
constexpr const char* kPlatform = " (linux/amd64) test";
#endif

TEST(Client, GetReturnsTypedObject) {
  StubClient stub(InOrder({{200, PodJson("a", "7")}}));
  const auto pod = stub.client->Get<api::Pod>("default", "a");
  ASSERT_TRUE(pod) << pod.error().message();
  EXPECT_EQ(pod->metadata.name, "a");
  EXPECT_EQ(pod->metadata.resource_version, "7");
  const StubRequest request = stub.server.requests().at(0);
  EXPECT_EQ(request.target, "/api/v1/namespaces/default/pods/a");
  const std::string agent(request.headers.Find("User-Agent").value_or(""));
  EXPECT_TRUE(agent.starts_with("berth/") && agent.ends_with(kPlatform)) << agent;
  EXPECT_EQ(request.headers.Find("Authorization"), std::nullopt);
}

TEST(Client, ReturnsStatusErrorOfServer) {
  StubClient stub(InOrder({{404, StatusJson(404, "NotFound", "pods \\\"a\\\" not found")}}));
  const auto pod = stub.client->Get<api::Pod>("default", "a");
  ASSERT_FALSE(pod);
  EXPECT_EQ(pod.error().reason(), Reason::kNotFound);
  EXPECT_EQ(pod.error().message(), "pods \"a\" not found");
}

TEST(Client, WritesUseNamespaceAndNameOfObject) {
  StubClient stub(InOrder({{200, PodJson("a", "8")}}));
  api::Pod pod;
  pod.metadata.namespace_ = "x";
  pod.metadata.name = "a";
  ASSERT_TRUE(stub.client->Create(pod));
  ASSERT_TRUE(stub.client->Update(pod, "status"));
  ASSERT_TRUE(stub.client->Apply(pod, "berth"));
  ASSERT_TRUE(stub.client->Delete<api::Pod>("x", "a", {.propagation_policy = "Foreground"}));
  const auto requests = stub.server.requests();
  const std::string pods = "/api/v1/namespaces/x/pods";
  EXPECT_EQ(requests.at(0).method + requests.at(0).target, "POST" + pods);
  EXPECT_EQ(requests.at(1).method + requests.at(1).target, "PUT" + pods + "/a/status");
  EXPECT_EQ(requests.at(2).method + requests.at(2).target,
            "PATCH" + pods + "/a?fieldManager=berth&force=true");
  EXPECT_EQ(requests.at(2).headers.Find("Content-Type"), "application/apply-patch+yaml");
  EXPECT_EQ(requests.at(3).method + requests.at(3).target, "DELETE" + pods + "/a");
}

TEST(Client, ListFollowsPages) {
  StubClient stub(InOrder({{200, ListJson("5", {PodJson("a", "1"), PodJson("b", "2")}, "next")},
                           {200, ListJson("5", {PodJson("c", "3")})}}));
  const auto pods = stub.client->List<api::Pod>("default");
  ASSERT_TRUE(pods) << pods.error().message();
  EXPECT_EQ(pods->resource_version, "5");
  ASSERT_EQ(pods->items.size(), 3u);
  EXPECT_EQ(pods->items[2]->metadata.name, "c");
  EXPECT_EQ(stub.server.requests().at(1).target,
            "/api/v1/namespaces/default/pods?limit=500&continue=next");
}

TEST(Client, ListRestartsOnceAfterExpiredPage) {
  const Answer first{200, ListJson("5", {PodJson("a", "1")}, "next")};
  const Answer gone{410, StatusJson(410, "Expired", "continue token too old")};
  {
    StubClient stub(InOrder({first, gone, {200, ListJson("6", {PodJson("b", "2")})}}));
    const auto pods = stub.client->List<api::Pod>();
    ASSERT_TRUE(pods);
    ASSERT_EQ(pods->items.size(), 1u) << "objects of the first attempt are dropped";
    EXPECT_EQ(pods->resource_version, "6");
  }
  StubClient stub(InOrder({first, gone, first, gone}));
  EXPECT_EQ(stub.client->List<api::Pod>().error().reason(), Reason::kExpired);
  EXPECT_EQ(stub.server.requests().size(), 4u);
}

TEST(Client, ListEachPassesObjectsPageByPage) {
  StubClient stub(InOrder({{200, ListJson("5", {PodJson("a", "1"), PodJson("b", "2")}, "next")},
                           {410, StatusJson(410, "Expired", "continue token too old")}}));
  size_t given = 0;
  const auto version =
      stub.client->ListEach(api::Pod::kResource, "", {}, [&](const std::string&) { ++given; });
  ASSERT_FALSE(version);
  EXPECT_EQ(version.error().reason(), Reason::kExpired);
  EXPECT_EQ(given, 2u) << "before the second page";
}

TEST(Client, HalvesPageSizeAfterTooLargePage) {
  const std::string large(kMaxPageBytes + 1, ' ');
  StubClient stub([&](const StubRequest& request, StubReply& reply) {
    const bool is_small = request.target.find("limit=125") != std::string::npos;
    reply.Send(200, is_small ? ListJson("5", {PodJson("a", "1")}) : large);
  });
  const auto pods = stub.client->List<api::Pod>();
  ASSERT_TRUE(pods) << pods.error().message();
  EXPECT_EQ(pods->items.size(), 1u);
  EXPECT_EQ(stub.server.requests().size(), 3u);
}

TEST(Client, RejectsObjectAboveSizeLimit) {
  StubClient stub(InOrder({{200, std::string(kMaxObjectBytes + 1, ' ')}}));
  const auto pod = stub.client->Get<api::Pod>("default", "a");
  ASSERT_FALSE(pod);
  EXPECT_EQ(pod.error().reason(), Reason::kRequestEntityTooLarge);
}

TEST(Client, RenewsTokenOnceAfter401) {
  const http::TestFolder folder;
  folder.Write("token", "old");
  StubClient stub(
      [&](const StubRequest& request, StubReply& reply) {
        if (request.headers.Find("Authorization") == "Bearer old") {
          folder.Write("token", "new");
          reply.Send(401, StatusJson(401, "Unauthorized", "Unauthorized"));
        } else {
          reply.Send(200, PodJson("a", "1"));
        }
      },
      folder.Path("token"));
  EXPECT_TRUE(stub.client->Get<api::Pod>("default", "a"));
  EXPECT_EQ(stub.server.requests().size(), 2u);
  EXPECT_EQ(stub.server.requests().at(1).headers.All("Authorization").size(), 1u);
}

TEST(Client, ReturnsSecond401) {
  const http::TestFolder folder;
  StubClient stub(InOrder({{401, StatusJson(401, "Unauthorized", "Unauthorized")}}),
                  folder.Write("token", "bad"));
  EXPECT_EQ(stub.client->Get<api::Pod>("default", "a").error().reason(), Reason::kUnauthorized);
  EXPECT_EQ(stub.server.requests().size(), 2u);
}

TEST(Client, RetriesAfterRetryAfter) {
  StubClient stub(
      InOrder({{429, StatusJson(429, "TooManyRequests", "x"), {{"Retry-After", "2"}}},
               {503, StatusJson(503, "ServiceUnavailable", "x"), {{"Retry-After", "5"}}},
               {200, PodJson("a", "1")}}));
  EXPECT_TRUE(stub.client->Get<api::Pod>("default", "a"));
  EXPECT_EQ(stub.timer->delays(), (std::vector<std::chrono::milliseconds>{
                                      std::chrono::seconds(2), std::chrono::seconds(5)}));
}

TEST(Client, FailsAfterTenAttempts) {
  StubClient stub(
      InOrder({{429, StatusJson(429, "TooManyRequests", "x"), {{"Retry-After", "1"}}}}));
  EXPECT_EQ(stub.client->Get<api::Pod>("default", "a").error().reason(), Reason::kTooManyRequests);
  EXPECT_EQ(stub.server.requests().size(), 10u);
}

TEST(Client, BoundsTotalWaitByMaxWait) {
  const Answer patience{429, StatusJson(429, "TooManyRequests", "x"), {{"Retry-After", "20"}}};
  StubClient stub(InOrder({patience, patience, {200, PodJson("a", "1")}}));
  const auto pod = stub.client->Get<api::Pod>("default", "a");
  ASSERT_FALSE(pod);
  EXPECT_EQ(pod.error().retry_after(), std::chrono::seconds(20))
      << "the caller decides about further waits";
  EXPECT_EQ(stub.timer->delays(), std::vector<std::chrono::milliseconds>{std::chrono::seconds(20)});
}

TEST(Client, CapsRetryAfterAtThirtySeconds) {
  StubClient stub(
      InOrder({{503, StatusJson(503, "ServiceUnavailable", "x"), {{"Retry-After", "3600"}}},
               {200, PodJson("a", "1")}}));
  EXPECT_TRUE(stub.client->Get<api::Pod>("default", "a"));
  EXPECT_EQ(stub.timer->delays(), std::vector<std::chrono::milliseconds>{std::chrono::seconds(30)});
}

TEST(Client, NoWaitingCallFailsAtFirstRetryAfter) {
  for (const char* wait : {"0", "1", "3600"}) {
    StubClient stub(
        InOrder({{429, StatusJson(429, "TooManyRequests", "x"), {{"Retry-After", wait}}}}));
    const auto pod =
        stub.client->Get<api::Pod>("default", "a", {.max_wait = CallOptions::kNoWaiting});
    EXPECT_EQ(pod.error().reason(), Reason::kTooManyRequests);
    EXPECT_TRUE(pod.error().retry_after().has_value());
    EXPECT_EQ(stub.server.requests().size(), 1u);
  }
}

TEST(Client, DoesNotRetryCreateAfter503) {
  StubClient stub(
      InOrder({{503, StatusJson(503, "ServiceUnavailable", "x"), {{"Retry-After", "1"}}}}));
  EXPECT_FALSE(stub.client->Create(api::Pod{}));
  EXPECT_EQ(stub.server.requests().size(), 1u);
}

TEST(Client, DoesNotRetryWithoutRetryAfter) {
  StubClient stub(InOrder({{500, StatusJson(500, "InternalError", "x")}}));
  EXPECT_FALSE(stub.client->Get<api::Pod>("default", "a"));
  EXPECT_EQ(stub.server.requests().size(), 1u);
}

TEST(Client, CancelEndsWaitForRetry) {
  SystemClock clock;
  http::StubServer server(
      InOrder({{429, StatusJson(429, "TooManyRequests", "x"), {{"Retry-After", "3600"}}}}));
  auto transport = http::CreateTransport({.url = server.url()});
  ASSERT_TRUE(transport);
  Client client({.timer = std::make_shared<http::ThreadTimer>(),
                 .transport = std::move(*transport),
                 .token = std::make_shared<TokenSource>("", "", clock)},
                {.component = "test"});
  std::stop_source stop;
  ApiRequest request = GetRequest(api::Pod::kResource, "default", "a");
  request.options.stop = stop.get_token();
  std::promise<Reason> ended;
  client.Send(request, [&](const Result<std::string>& r) { ended.set_value(r.error().reason()); });
  ASSERT_TRUE(http::Eventually([&] { return server.requests().size() == 1; }));
  stop.request_stop();
  EXPECT_EQ(ended.get_future().get(), Reason::kCanceled);
}

TEST(Client, DestructorRunsEveryCallback) {
  auto stub = std::make_unique<StubClient>(
      [](const StubRequest&, StubReply& reply) { reply.WaitForPeer(); });
  std::atomic<int> canceled = 0;
  for (int i = 0; i < 3; ++i) {
    stub->client->Send(GetRequest(api::Pod::kResource, "default", "a"),
                       [&](const Result<std::string>& r) {
                         if (r.error().Is(Reason::kCanceled)) ++canceled;
                       });
  }
  stub->client.reset();
  EXPECT_EQ(canceled, 3);
}

TEST(Client, SendAsDecodesTypedObject) {
  StubClient stub(InOrder({{201, PodJson("a", "1")}}));
  std::promise<std::string> name;
  stub.client->SendAs<api::Pod>(
      GetRequest(api::Pod::kResource, "default", "a"),
      [&](const Result<api::Pod>& pod) { name.set_value(pod ? pod->metadata.name : ""); });
  EXPECT_EQ(name.get_future().get(), "a");
}

TEST(Client, WatchReturnsFramesAndStatusError) {
  StubClient stub([](const StubRequest& request, StubReply& reply) {
    if (request.target.find("/secrets") != std::string::npos) {
      return reply.Send(403, StatusJson(403, "Forbidden", "no"));
    }
    reply.Begin(200);
    reply.Chunk(Frame("ADDED", PodJson("a", "2")));
    reply.End();
  });
  auto watch = stub.client->Watch(api::Pod::kResource, "", {.resource_version = "1"});
  ASSERT_TRUE(watch) << watch.error().message();
  const auto event = (*watch)->Next();
  ASSERT_TRUE(event && *event);
  EXPECT_EQ((*event)->type, EventType::kAdded);
  EXPECT_EQ(*(*watch)->Next(), std::nullopt);

  constexpr api::ResourceInfo kSecrets{
      .group = "", .version = "v1", .kind = "Secret", .plural = "secrets"};
  EXPECT_EQ(stub.client->Watch(kSecrets, "", {}).error().reason(), Reason::kForbidden);
}

TEST(Client, CreateErrorNamesSourceOfConfiguration) {
  SystemClock clock;
  const auto client = Client::Create({.server = "gopher://a", .source = "kubeconfig /x"},
                                     {.component = "test"}, clock);
  ASSERT_FALSE(client);
  EXPECT_TRUE(client.error().message().starts_with("kubeconfig /x: server gopher://a"))
      << client.error().message();
}

}  // namespace
}  // namespace berth::client
