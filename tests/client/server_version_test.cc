// SPDX-License-Identifier: Apache-2.0
#include "client/server_version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/stub_client.h"

namespace berth::client {
namespace {

Result<ServerInfo> Ask(const std::string& body) {
  StubClient stub([&body](const http::StubRequest& request, http::StubReply& reply) {
    EXPECT_EQ(request.target, "/version");
    reply.Send(200, body);
  });
  return AskVersion(*stub.client);
}

TEST(AskVersion, ReturnsGitVersion) {
  const auto info = Ask(R"({"major": "1", "minor": "30+", "gitVersion": "v1.30.2-gke.1"})");
  ASSERT_TRUE(info) << info.error().message();
  EXPECT_EQ(info->text, "v1.30.2-gke.1");
  EXPECT_EQ(info->version, (api::KubernetesVersion{1, 30}));
}

TEST(AskVersion, UsesMajorMinorIfGitVersionIsInvalid) {
  const auto info = Ask(R"({"major": "1", "minor": "29+", "gitVersion": "custom"})");
  ASSERT_TRUE(info) << info.error().message();
  EXPECT_EQ(info->version, (api::KubernetesVersion{1, 29}));
}

TEST(AskVersion, ErrorQuotesInvalidVersion) {
  const auto info = Ask(R"({"gitVersion": "custom"})");
  ASSERT_FALSE(info);
  EXPECT_TRUE(info.error().Is(Reason::kConfig));
  EXPECT_THAT(info.error().message(), testing::HasSubstr("\"custom\""));
}

}  // namespace
}  // namespace berth::client
