// SPDX-License-Identifier: Apache-2.0
#include "client/server_version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/stub_client.h"

namespace berth::client {
namespace {

TEST(ParseServerVersion, ReadsWhatDistributionsCallThemselves) {
  const std::pair<const char*, ServerVersion> cases[] = {
      {"v1.36.3", {1, 36}},
      {"v1.30.2-gke.1", {1, 30}},
      {"v1.31.0+rke2r1", {1, 31}},
      {"v1.29.6-eks-1552ad0", {1, 29}},
      {"v1.37.0-alpha.1.123+0123456789abcd", {1, 37}},
      {"1.29+", {1, 29}},
      {"v2.0.0", {2, 0}},
  };
  for (const auto& [text, version] : cases) EXPECT_EQ(ParseServerVersion(text), version) << text;
}

TEST(ParseServerVersion, GivesNothingForWhatIsNoVersion) {
  for (const char* text : {"", "v", "unknown", "v1", "1.", "v1.x", "v-1.30", "1.-30", ".30",
                           "v1.99999999999999999999", "$Format:%H$"}) {
    EXPECT_EQ(ParseServerVersion(text), std::nullopt) << text;
  }
}

TEST(ServerVersion, IsComparedByNumber) {
  EXPECT_LT((ServerVersion{1, 9}), (ServerVersion{1, 30}));
  EXPECT_LT((ServerVersion{1, 30}), (ServerVersion{2, 0}));
}

Result<ServerInfo> Ask(const std::string& body) {
  StubClient stub([&body](const http::StubRequest& request, http::StubReply& reply) {
    EXPECT_EQ(request.target, "/version");
    reply.Send(200, body);
  });
  return AskVersion(*stub.client);
}

TEST(AskVersion, GivesWhatTheServerSays) {
  const auto info = Ask(R"({"major": "1", "minor": "30+", "gitVersion": "v1.30.2-gke.1"})");
  ASSERT_TRUE(info) << info.error().message();
  EXPECT_EQ(info->text, "v1.30.2-gke.1");
  EXPECT_EQ(info->version, (ServerVersion{1, 30}));
}

TEST(AskVersion, TakesTheNumbersWhereTheTextSaysNothing) {
  const auto info = Ask(R"({"major": "1", "minor": "29+", "gitVersion": "custom"})");
  ASSERT_TRUE(info) << info.error().message();
  EXPECT_EQ(info->version, (ServerVersion{1, 29}));
}

TEST(AskVersion, SaysWhatItCouldNotRead) {
  const auto info = Ask(R"({"gitVersion": "custom"})");
  ASSERT_FALSE(info);
  EXPECT_TRUE(info.error().Is(Reason::kConfig));
  EXPECT_THAT(info.error().message(), testing::HasSubstr("\"custom\""));
}

}  // namespace
}  // namespace berth::client
