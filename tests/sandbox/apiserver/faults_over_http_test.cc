// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "http/client/transport.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/stub_server.h"

// Faults as a test in another process sets and observes them: everything goes over the wire.
namespace berth::apiserver {
namespace {

using http::Eventually;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kMaps = "/api/v1/namespaces/default/configmaps";
constexpr const char* kSecrets = "/api/v1/namespaces/default/secrets";
constexpr const char* kFaults = "/berth-faults";

ServerOptions ServingFaults(uint64_t seed = 1) {
  ServerOptions options;
  options.serves_faults = true;
  options.seed = seed;
  return options;
}

// Connections are never reused: a transport retries a request that fails on a reused one.
std::unique_ptr<http::Transport> Connect(const Server& server) {
  return std::move(*http::CreateTransport({.url = server.url()}));
}

http::Request Message(const std::string& method, const std::string& target,
                      const json& body = nullptr) {
  http::Request request{.method = method, .target = target};
  if (!body.is_null()) {
    request.headers.Set("Content-Type",
                        method == "PATCH" ? "application/merge-patch+json" : "application/json");
    request.body = body.dump();
  }
  return request;
}

json Named(const std::string& name) { return {{"metadata", {{"name", name}}}}; }
json Generated() { return {{"metadata", {{"generateName", "made-"}}}}; }

class FaultsOverHttp : public testing::Test {
 protected:
  // Returns code 0 if the connection broke.
  http::Response Send(const std::string& method, const std::string& target,
                      const json& body = nullptr) {
    auto response = Connect(memory_.server())->Call(Message(method, target, body));
    return response ? *response : http::Response{};
  }
  int Create(const std::string& name) { return Send("POST", kMaps, Named(name)).code; }
  bool Exists(const std::string& name) { return Send("GET", kMaps + ("/" + name)).code == 200; }
  size_t Count() { return json::parse(Send("GET", kMaps).body)["items"].size(); }
  void Inject(const json& rule) {
    const http::Response response = Send("POST", kFaults, rule);
    ASSERT_EQ(response.code, 200) << response.body;
  }
  std::unique_ptr<http::LineStream> Watch(const std::string& path, const std::string& query = "") {
    watching_.push_back(Connect(memory_.server()));
    auto stream = watching_.back()->Open(Message("GET", path + "?watch=true" + query));
    EXPECT_TRUE(stream) << stream.error().message();
    return stream ? std::move(*stream) : nullptr;
  }
  // Returns the name of the object in the next frame of a watch.
  static std::string NameIn(http::LineStream& watch) {
    const auto line = watch.Next();
    return line && *line ? json::parse(**line)["object"]["metadata"].value("name", "") : "";
  }

  InMemoryServer memory_{ServingFaults()};
  std::vector<std::unique_ptr<http::Transport>> watching_;
};

TEST_F(FaultsOverHttp, FailureBeforeOrAfterExecution) {
  Inject({{"action", "fail"}, {"verb", "create"}, {"code", 503}, {"times", 1}});
  Inject({{"action", "fail"}, {"when", "after"}, {"verb", "create"}, {"skip", 1}, {"times", 1}});
  const http::Response failed = Send("POST", kMaps, Named("a"));
  EXPECT_EQ(failed.code, 503);
  EXPECT_EQ(json::parse(failed.body)["reason"], "ServiceUnavailable");
  EXPECT_FALSE(Exists("a"));
  EXPECT_EQ(Create("b"), 500);
  EXPECT_TRUE(Exists("b"));
  EXPECT_EQ(Create("c"), 201);
}

TEST_F(FaultsOverHttp, DropBeforeOrAfterExecution) {
  Inject({{"action", "drop"}, {"when", "after"}, {"verb", "create"}, {"times", 1}});
  Inject({{"action", "drop"}, {"verb", "delete"}, {"name", "a"}});
  EXPECT_EQ(Create("a"), 0);
  EXPECT_EQ(Send("DELETE", kMaps + std::string("/a")).code, 0);
  EXPECT_TRUE(Exists("a"));
}

TEST_F(FaultsOverHttp, DuplicateBeforeOrAfterExecution) {
  const size_t before = Count();
  Inject({{"action", "duplicate"}, {"when", "after"}, {"verb", "create"}, {"times", 2}});
  EXPECT_EQ(Send("POST", kMaps, Generated()).code, 201);
  EXPECT_EQ(Count(), before + 2);
  EXPECT_EQ(Create("a"), 201);
  Inject({{"action", "duplicate"}, {"verb", "create"}, {"times", 1}});
  EXPECT_EQ(Create("b"), 409);
  EXPECT_TRUE(Exists("b"));
}

// A request delayed by an hour is still pending when the client gives up.
TEST_F(FaultsOverHttp, DelayBeforeOrAfterExecution) {
  Inject({{"action", "delay"},
          {"verb", "create"},
          {"resource", "secrets"},
          {"delayMilliseconds", 3600000}});
  Inject({{"action", "delay"},
          {"when", "after"},
          {"verb", "create"},
          {"resource", "configmaps"},
          {"delayMilliseconds", 3600000}});
  std::atomic<int> answered = 0;
  auto under_way = Connect(memory_.server());
  for (const char* path : {kSecrets, kMaps}) {
    under_way->Send(Message("POST", path, Named("a")), [&](const Result<http::Response>& response) {
      answered += response.has_value();
    });
  }
  EXPECT_TRUE(Eventually([&] { return Exists("a"); }));
  EXPECT_EQ(Send("GET", kSecrets + std::string("/a")).code, 404);
  under_way.reset();
  EXPECT_EQ(answered, 0);
}

TEST_F(FaultsOverHttp, DelayedRequestIsExecutedEventually) {
  Inject({{"action", "delay"}, {"verb", "create"}, {"delayMilliseconds", 20}});
  EXPECT_EQ(Create("late"), 201);
  EXPECT_TRUE(Exists("late"));
}

TEST_F(FaultsOverHttp, DelayedWatchIsOvertakenByAnotherKind) {
  Inject({{"action", "delay"},
          {"verb", "watch"},
          {"resource", "configmaps"},
          {"delayMilliseconds", 1000}});
  const auto maps = Watch(kMaps), secrets = Watch(kSecrets);
  std::mutex mutex;
  std::vector<std::string> order;
  const auto note_first = [&](http::LineStream& watch, const std::string& name) {
    while (NameIn(watch) != name) {
    }
    const std::lock_guard lock(mutex);
    order.push_back(name);
  };
  std::thread map_thread([&] { note_first(*maps, "first"); });
  std::thread secret_thread([&] { note_first(*secrets, "second"); });
  EXPECT_EQ(Create("first"), 201);
  EXPECT_EQ(Send("POST", kSecrets, Named("second")).code, 201);
  map_thread.join();
  secret_thread.join();
  EXPECT_THAT(order, ElementsAre("second", "first"));
}

TEST_F(FaultsOverHttp, StaleReadReturnsOldState) {
  EXPECT_EQ(Create("a"), 201);
  const std::string path = kMaps + std::string("/a");
  EXPECT_EQ(Send("PATCH", path, {{"data", {{"key", "new"}}}}).code, 200);
  Inject({{"action", "stale"}, {"verb", "get"}, {"lag", 1}, {"times", 1}});
  EXPECT_FALSE(json::parse(Send("GET", path).body).contains("data"));
  EXPECT_EQ(json::parse(Send("GET", path).body)["data"]["key"], "new");
  Inject({{"action", "stale"}, {"verb", "list"}, {"lag", 2}, {"times", 1}});
  const size_t then = Count();
  EXPECT_EQ(Count(), then + 1);
}

TEST_F(FaultsOverHttp, CutEndsWatchesOfResource) {
  const auto maps = Watch(kMaps), secrets = Watch(kSecrets);
  EXPECT_EQ(Send("POST", kFaults + std::string("/cut?resource=configmaps")).code, 200);
  while (true) {
    const auto line = maps->Next();
    if (line && *line) continue;  // an initial object
    EXPECT_FALSE(line) << "not a proper end";
    break;
  }
  EXPECT_EQ(Send("POST", kSecrets, Named("told")).code, 201);
  EXPECT_EQ(NameIn(*secrets), "told");
}

TEST_F(FaultsOverHttp, WatchOfCompactedHistoryExpires) {
  const std::string version =
      json::parse(Send("GET", kMaps).body)["metadata"]["resourceVersion"].get<std::string>();
  EXPECT_EQ(Create("a"), 201);
  EXPECT_EQ(NameIn(*Watch(kMaps, "&resourceVersion=" + version)), "a");
  EXPECT_EQ(Send("POST", kFaults + std::string("/compact")).code, 200);
  const auto line = Watch(kMaps, "&resourceVersion=" + version)->Next();
  ASSERT_TRUE(line && *line);
  EXPECT_THAT(**line, HasSubstr(R"("code":410)"));
}

TEST_F(FaultsOverHttp, DeletingRulesEndsFaults) {
  Inject({{"action", "drop"}});
  EXPECT_EQ(Send("GET", "/version").code, 0);
  EXPECT_EQ(Send("DELETE", kFaults).code, 200);
  EXPECT_EQ(Send("GET", "/version").code, 200);
}

TEST_F(FaultsOverHttp, InvalidRuleIsRejectedWithItsField) {
  const http::Response rejected = Send("POST", kFaults, {{"action", "fail"}, {"code", 200}});
  EXPECT_EQ(rejected.code, 400);
  EXPECT_THAT(rejected.body, HasSubstr("code: 200; allowed are 400 to 599"));
  EXPECT_EQ(Send("POST", "/berth-faults/explode").code, 404);
  EXPECT_EQ(Send("GET", kFaults).code, 404);
  EXPECT_EQ(Send("GET", "/version").code, 200);
}

// Returns the results of some creations, each with a probability of 0.5 to fail.
std::string Hits(uint64_t seed) {
  InMemoryServer memory(ServingFaults(seed));
  const auto transport = Connect(memory.server());
  std::string hits;
  const json rule = {{"action", "fail"}, {"verb", "create"}, {"probability", 0.5}};
  EXPECT_EQ(transport->Call(Message("POST", kFaults, rule))->code, 200);
  for (int i = 0; i < 32; ++i) {
    hits += transport->Call(Message("POST", kMaps, Generated()))->code == 500 ? 'x' : '.';
  }
  return hits;
}

TEST(FaultsOfASeed, AreReproducible) {
  EXPECT_EQ(Hits(3), Hits(3));
  EXPECT_NE(Hits(3), Hits(4));
}

TEST(FaultsPath, IsServedWithFlagAndOnLoopbackOnly) {
  InMemoryServer quiet;
  const auto response = Connect(quiet.server())->Call(Message("POST", kFaults, json::object()));
  ASSERT_TRUE(response);
  EXPECT_EQ(response->code, 404);

  ServerOptions everywhere = ServingFaults();
  everywhere.address = "0.0.0.0";
  const auto rejected = Server::Start(std::move(everywhere), quiet.clock());
  ASSERT_FALSE(rejected);
  EXPECT_THAT(rejected.error().message(), HasSubstr("on loopback only, not on 0.0.0.0"));
}

}  // namespace
}  // namespace berth::apiserver
