// SPDX-License-Identifier: Apache-2.0
#include "http/client/transport.h"

#include <atomic>
#include <future>
#include <stop_token>
#include <thread>

#include <gtest/gtest.h>

#include "tests/http/client/connect.h"
#include "tests/support/http/stub_server.h"

namespace berth::http {
namespace {

using std::chrono::milliseconds;

class TransportTest : public EachLibrary {};
INSTANTIATE_TEST_SUITE_P(, TransportTest, ::testing::ValuesIn(kLibraries), NameOf);

void EchoStub(const StubRequest& request, StubReply& reply) {
  reply.Send(200, request.method + " " + request.target + " " + request.body, {{"X-Kind", "echo"}});
}

TEST_P(TransportTest, SendsRequestAndReturnsResponse) {
  StubServer server(EchoStub);
  auto transport = Connect(server);
  const auto response = transport->Call(
      {.method = "POST",
       .target = "/api/v1/pods?labelSelector=a%20in%20%28b%2Cc%29&x=%25%2F",
       .headers = {{"Authorization", "Bearer t"}, {"Content-Type", "application/apply-patch+yaml"}},
       .body = "{\"a\":1}"});
  ASSERT_TRUE(response) << response.error().message();
  EXPECT_EQ(response->code, 200);
  EXPECT_EQ(response->headers.Find("x-kind"), "echo");
  EXPECT_EQ(response->body,
            "POST /api/v1/pods?labelSelector=a%20in%20%28b%2Cc%29&x=%25%2F {\"a\":1}");
  const StubRequest seen = server.requests().at(0);
  EXPECT_EQ(seen.headers.Find("Authorization"), "Bearer t");
  EXPECT_EQ(seen.headers.Find("Content-Type"), "application/apply-patch+yaml");
}

TEST_P(TransportTest, ReturnsEveryStatusCode) {
  StubServer server([](const StubRequest&, StubReply& reply) { reply.Send(409, "conflict"); });
  const auto response = Connect(server)->Call({});
  ASSERT_TRUE(response);
  EXPECT_EQ(response->code, 409);
  EXPECT_EQ(response->body, "conflict");
}

TEST_P(TransportTest, SendsEveryMethodWithAndWithoutBody) {
  StubServer server(EchoStub);
  auto transport = Connect(server);
  for (const std::string method : {"GET", "POST", "PUT", "PATCH", "DELETE"}) {
    for (const std::string& body : {std::string(), std::string(2 << 20, 'b')}) {
      const auto response = transport->Call({.method = method, .body = body});
      ASSERT_TRUE(response) << response.error().message();
      EXPECT_EQ(response->body, method + " / " + body);
      const StubRequest seen = server.requests().back();
      EXPECT_EQ(seen.headers.Find("Content-Type").value_or("none"),
                body.empty() ? "none" : "application/json");
      EXPECT_FALSE(seen.headers.Find("Expect"));
    }
  }
  const auto head = transport->Call({.method = "HEAD"});
  ASSERT_TRUE(head) << head.error().message();
  EXPECT_EQ(head->body, "");
}

TEST_P(TransportTest, RejectsUnencodedTarget) {
  StubServer server(EchoStub);
  const auto response = Connect(server)->Call({.target = "/a b"});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().reason(), Reason::kBadRequest);
  EXPECT_TRUE(server.requests().empty());
}

TEST_P(TransportTest, KeepsUrlPrefixAndPath) {
  StubServer server(EchoStub);
  for (const char* end : {"", "/"}) {
    auto transport = CreateTransport({.url = server.url() + "/proxy" + end, .library = GetParam()});
    ASSERT_TRUE(transport);
    const auto response = (*transport)->Call({.target = "/api/v1?a=b"});
    ASSERT_TRUE(response) << response.error().message();
    EXPECT_EQ(response->body, "GET /proxy/api/v1?a=b ");
  }
}

TEST_P(TransportTest, FollowsNoRedirect) {
  StubServer other(EchoStub);
  StubServer server([&](const StubRequest&, StubReply& reply) {
    reply.Send(302, "", {{"Location", other.url() + "/stolen"}});
  });
  const auto response = Connect(server)->Call({.headers = {{"Authorization", "Bearer secret"}}});
  ASSERT_TRUE(response);
  EXPECT_EQ(response->code, 302);
  EXPECT_TRUE(other.requests().empty());
}

TEST_P(TransportTest, KeepsConnections) {
  StubServer server(EchoStub);
  auto transport = Connect(server);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(transport->Call({}));
  EXPECT_LE(server.connections(), 4);
}

TEST_P(TransportTest, ReadsChunkedResponses) {
  StubServer server([](const StubRequest&, StubReply& reply) {
    reply.Begin(200);
    reply.Chunk("one ");
    reply.Chunk("two");
    reply.End();
  });
  const auto response = Connect(server)->Call({});
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body, "one two");
}

TEST_P(TransportTest, DeadlineEndsUnfinishedResponse) {
  StubServer server([](const StubRequest&, StubReply& reply) {
    reply.Begin(200);
    reply.Chunk("begun");
    reply.WaitForPeer();
  });
  const auto response = Connect(server)->Call({.timeout = milliseconds(100)});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().reason(), Reason::kTimeout);
  EXPECT_NE(response.error().message().find("within 100 ms"), std::string::npos);
}

TEST_P(TransportTest, SilenceTimeoutRestartsWithEachPiece) {
  StubServer server([](const StubRequest& request, StubReply& reply) {
    reply.Begin(200);
    for (int i = 0; i < 8; ++i) {
      std::this_thread::sleep_for(milliseconds(100));  // in all, longer than the timeout
      reply.Chunk("piece ");
    }
    if (request.target == "/whole") return reply.End();
    reply.WaitForPeer();
  });
  auto transport = Connect(server);
  const Request whole{
      .target = "/whole", .timeout = milliseconds(700), .timeout_of = TimeoutOf::kSilence};
  const auto response = transport->Call(whole);
  ASSERT_TRUE(response) << response.error().message();
  EXPECT_EQ(response->body.size(), 48u);

  Request stuck = whole;
  stuck.target = "/stuck";
  const auto silent = transport->Call(stuck);
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().reason(), Reason::kTimeout);
  EXPECT_EQ(silent.error().message(), "no data from " + server.url() + " for 700 ms");
}

TEST_P(TransportTest, RejectsBodyAboveLimit) {
  StubServer server([](const StubRequest& request, StubReply& reply) {
    if (request.target == "/endless") {
      reply.Begin(200);
      for (int i = 0; i < 64; ++i) reply.Chunk(std::string(4096, 'x'));
      return reply.WaitForPeer();
    }
    reply.Send(200, std::string(10'000, 'x'));
  });
  auto transport = Connect(server);
  EXPECT_TRUE(transport->Call({.max_body_bytes = 10'000}));
  for (const char* target : {"/", "/endless"}) {
    const auto response = transport->Call({.target = target, .max_body_bytes = 9'999});
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().reason(), Reason::kRequestEntityTooLarge);
    EXPECT_EQ(response.error().message(),
              "the answer from " + server.url() + " is longer than 9999 bytes");
  }
}

TEST_P(TransportTest, StopTokenCancelsARunningRequest) {
  std::stop_source stop;
  StubServer server([&](const StubRequest&, StubReply& reply) {
    stop.request_stop();
    reply.WaitForPeer();
  });
  const auto response = Connect(server)->Call({}, stop.get_token());
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().reason(), Reason::kCanceled);
}

TEST_P(TransportTest, StoppedTokenSendsNothing) {
  StubServer server(EchoStub);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(Connect(server)->Call({}, stop.get_token()).error().reason(), Reason::kCanceled);
  EXPECT_TRUE(server.requests().empty());
}

TEST_P(TransportTest, ErrorNamesUnreachableAddress) {
  std::string url;
  {
    StubServer server(EchoStub);
    url = server.url();
  }
  auto transport = CreateTransport({.url = url, .library = GetParam()});
  ASSERT_TRUE(transport);
  const auto response = (*transport)->Call({});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().reason(), Reason::kUnavailable);
  EXPECT_NE(response.error().message().find(url), std::string::npos) << response.error().message();
}

TEST_P(TransportTest, ReportsConnectionClosedInBody) {
  StubServer server([](const StubRequest&, StubReply& reply) {
    reply.Begin(200);
    reply.Chunk("half");
    reply.Close();
  });
  EXPECT_EQ(Connect(server)->Call({}).error().reason(), Reason::kUnavailable);
}

// Sends `count` requests at once and returns a future with the number of successes.
std::future<int> SendMany(Transport& transport, int count, Lane lane) {
  struct Tally {
    std::atomic<int> left, good{0};
    std::promise<int> all;
  };
  auto tally = std::make_shared<Tally>();
  tally->left = count;
  for (int i = 0; i < count; ++i) {
    transport.Send({.lane = lane}, [tally](const Result<Response>& response) {
      if (response) ++tally->good;
      if (--tally->left == 0) tally->all.set_value(tally->good);
    });
  }
  return tally->all.get_future();
}

TEST_P(TransportTest, UrgentLaneBypassesFullNormalLane) {
  Gate gate;
  std::atomic<int> running = 0, most = 0;
  StubServer server([&](const StubRequest& request, StubReply& reply) {
    if (request.target != "/urgent") {
      most = std::max<int>(most, ++running);
      gate.Wait();
      --running;
    }
    reply.Send(200, "");
  });
  auto transport = Connect(server, {.normal_limit = 3});
  auto all = SendMany(*transport, 10, Lane::kNormal);
  ASSERT_TRUE(Eventually([&] { return running == 3; }));
  const auto urgent = transport->Call({.target = "/urgent", .lane = Lane::kUrgent});
  EXPECT_TRUE(urgent) << "must not wait behind the others";
  gate.Open();
  EXPECT_EQ(all.get(), 10);
  EXPECT_EQ(most, 3);
}

TEST_P(TransportTest, DeadlineAndCancelReachWaitingRequests) {
  Gate gate;
  StubServer server([&](const StubRequest&, StubReply& reply) {
    gate.Wait();
    reply.Send(200, "");
  });
  auto transport = Connect(server, {.normal_limit = 1});
  auto first = SendMany(*transport, 1, Lane::kNormal);
  ASSERT_TRUE(Eventually([&] { return server.requests().size() == 1; }));
  EXPECT_EQ(transport->Call({.timeout = milliseconds(20)}).error().reason(), Reason::kTimeout);

  std::stop_source stop;
  std::promise<Reason> canceled;
  transport->Send(
      {}, [&](const Result<Response>& r) { canceled.set_value(r.error().reason()); },
      stop.get_token());
  stop.request_stop();
  EXPECT_EQ(canceled.get_future().get(), Reason::kCanceled);
  gate.Open();
  EXPECT_EQ(first.get(), 1);
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST_P(TransportTest, DestructorCancelsRequestsInFlight) {
  StubServer server([](const StubRequest&, StubReply& reply) { reply.WaitForPeer(); });
  auto transport = Connect(server, {.normal_limit = 2});
  auto all = SendMany(*transport, 5, Lane::kNormal);
  ASSERT_TRUE(Eventually([&] { return server.requests().size() == 2; }));
  transport.reset();
  EXPECT_EQ(all.get(), 0);
}

TEST_P(TransportTest, CallbacksRunWhereBlockingIsForbidden) {
  StubServer server(EchoStub);
  auto transport = Connect(server);
  std::promise<bool> allowed;
  transport->Send({}, [&](const Result<Response>&) { allowed.set_value(BlockingAllowed()); });
  EXPECT_FALSE(allowed.get_future().get());
}

TEST_P(TransportTest, RejectsInvalidUrls) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"ftp://localhost", "\"ftp\"; allowed: https, http"},
      {"localhost:6443", "allowed: https, http"},
      {"https://", "server https://"},
      {"https://fd00::1:6443", "brackets"},
      {"https://[fd00::1:6443", "brackets"},
  };
  for (const auto& [url, message] : cases) {
    const auto transport = CreateTransport({.url = url, .library = GetParam()});
    ASSERT_FALSE(transport) << url;
    EXPECT_EQ(transport.error().reason(), Reason::kConfig);
    EXPECT_NE(transport.error().message().find(message), std::string::npos)
        << transport.error().message();
  }
}

}  // namespace
}  // namespace berth::http
