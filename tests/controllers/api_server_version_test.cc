// SPDX-License-Identifier: Apache-2.0
#include "controllers/api_server_version.h"

#include <atomic>
#include <string>

#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "tests/support/http/stub_server.h"

namespace berth::controllers {
namespace {

using api::KubernetesVersion;
using http::Eventually;

TEST(OldestServer, AcceptsFirstAndLowerVersionsAtOnce) {
  OldestServer oldest;
  EXPECT_EQ(oldest.version(), std::nullopt);
  EXPECT_TRUE(oldest.Take({1, 36}));
  EXPECT_FALSE(oldest.Take({1, 36}));
  EXPECT_TRUE(oldest.Take({1, 35}));
  EXPECT_EQ(oldest.version(), (KubernetesVersion{1, 35}));
}

TEST(OldestServer, AcceptsHigherVersionAfterReadsWithoutALowerOne) {
  OldestServer oldest;
  oldest.Take({1, 35});
  for (int round = 0; round < 3; ++round) {
    for (int read = 1; read < OldestServer::kReads; ++read) EXPECT_FALSE(oldest.Take({1, 36}));
    EXPECT_FALSE(oldest.Take({1, 35})) << "one API server is not upgraded yet";
  }
  EXPECT_FALSE(oldest.Take({1, 37}));
  for (int read = 2; read < OldestServer::kReads; ++read) EXPECT_FALSE(oldest.Take({1, 36}));
  EXPECT_TRUE(oldest.Take({1, 37}));
  EXPECT_EQ(oldest.version(), (KubernetesVersion{1, 36})) << "the lowest of the reads counts";
}

class ApiServerVersionTest : public testing::Test {
 protected:
  ~ApiServerVersionTest() override { version_.Stop(); }

  bool Finds(std::optional<KubernetesVersion> version) {
    return Eventually([&] { return version_.Known() && version_.Version() == version; },
                      std::chrono::seconds(30));
  }

  std::atomic<int> minor_ = 35;  // 0: starting, -1: forbidden
  std::atomic<int> changes_ = 0;
  const http::StubServer server_{[this](const http::StubRequest& request, http::StubReply& reply) {
    EXPECT_EQ(request.target, "/version");
    if (minor_ == 0) return reply.Send(503, "starting");
    if (minor_ < 0) return reply.Send(403, "forbidden");
    reply.Send(200, R"({"gitVersion": "v1.)" + std::to_string(minor_) + R"(.1"})");
  }};
  FakeClock clock_;
  const std::unique_ptr<client::Client> client_ =
      client::Client::Create({.server = server_.url()}, {}, clock_).value();
  ApiServerVersion version_{*client_, [this] { ++changes_; }, std::chrono::milliseconds(1)};
};

TEST_F(ApiServerVersionTest, FollowsAnUpgrade) {
  version_.Start();
  EXPECT_TRUE(Finds({{1, 35}}));
  minor_ = 36;
  EXPECT_TRUE(Finds({{1, 36}}));
  version_.Stop();
  EXPECT_EQ(changes_, 2);
}

TEST_F(ApiServerVersionTest, IsUnknownBeforeTheApiServerAnswers) {
  minor_ = 0;
  EXPECT_FALSE(version_.Known());
  version_.Start();
  minor_ = 36;
  EXPECT_TRUE(Finds({{1, 36}}));
}

TEST_F(ApiServerVersionTest, HasNoVersionIfTheApiServerForbidsTheRead) {
  minor_ = -1;
  version_.Start();
  EXPECT_TRUE(Finds(std::nullopt));
  EXPECT_TRUE(Eventually([&] { return changes_ == 1; }, std::chrono::seconds(30)));
}

}  // namespace
}  // namespace berth::controllers
