// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/run_case.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "tests/support/http/stub_server.h"

namespace berth::fidelity {
namespace {

using ::testing::HasSubstr;

const http::Headers kJson = {{"Content-Type", "application/json"}};

// A server that accepts all requests of the preparation, and answers paths that end in "/thing"
// with the handler of the test.
class RunCaseTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder = (std::filesystem::temp_directory_path() / "berth-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    server_ = std::make_unique<http::StubServer>(
        [this](const http::StubRequest& request, http::StubReply& reply) {
          if (request.target.find("/thing") != std::string::npos) return handler_(request, reply);
          reply.Send(request.method == "POST" ? 201 : 200, "{}", kJson);
        });
    const std::string kubeconfig = folder + "/kubeconfig";
    ASSERT_TRUE(WriteFile(kubeconfig, "clusters: [{name: c, cluster: {server: \"" + server_->url() +
                                          "\"}}]\nusers: [{name: u, user: {token: secret}}]\n"
                                          "contexts: [{name: x, context: {cluster: c, user: u}}]\n"
                                          "current-context: x\n"));
    auto connection = Connection::Open(kubeconfig);
    ASSERT_TRUE(connection) << connection.error().message();
    connection_ = std::move(*connection);
  }

  void TearDown() override { std::filesystem::remove_all(folder_); }

  Result<Json> Run(const std::string& steps) {
    const auto made = ParseCase("summary: s\nsteps:\n" + steps);
    if (!made) return Fail(made.error());
    return RunCase(*connection_, made->script);
  }

  http::StubServer::Handler handler_;
  std::filesystem::path folder_;
  std::unique_ptr<http::StubServer> server_;
  std::unique_ptr<Connection> connection_;
};

TEST_F(RunCaseTest, SendsStepsAndRecordsSelectedValues) {
  handler_ = [](const http::StubRequest& request, http::StubReply& reply) {
    http::Headers headers = kJson;
    headers.Add("Warning", "299 - \"careful\"");
    reply.Send(201,
               R"({"got": )" + request.body + R"(, "as": ")" +
                   std::string(request.headers.Find("Authorization").value_or("")) + "\"}",
               headers);
  };
  const auto answers =
      Run("- {name: first, send: POST /thing, body: {a: \"${ns}\"}}\n"
          "- {send: PUT /thing, as: anonymous, body: {b: \"${first.got.a}-x\"}, see: [got.b, as]}\n"
          "- {send: PUT /thing, body: {}, see: []}\n");
  ASSERT_TRUE(answers) << answers.error().message();
  EXPECT_EQ(*answers, Json::parse(R"([
      {"code": 201, "warnings": ["careful"], "body": {"got": {"a": "<ns>"}, "as": "Bearer secret"}},
      {"code": 201, "warnings": ["careful"], "seen": {"got.b": "<ns>-x", "as": ""}},
      {"code": 201, "warnings": ["careful"]}])"));
}

TEST_F(RunCaseTest, RepeatsStepUntilAnswerMatches) {
  int asked = 0;
  handler_ = [&](const http::StubRequest&, http::StubReply& reply) {
    reply.Send(++asked < 3 ? 404 : 200, R"({"phase": "Ready"})", kJson);
  };
  const auto answers = Run("- {send: GET /thing, until: {code: 200, has: {phase: Ready}}}\n");
  ASSERT_TRUE(answers) << answers.error().message();
  EXPECT_EQ((*answers)[0]["code"], 200);
  EXPECT_EQ(asked, 3);
}

TEST_F(RunCaseTest, CollectsTheEventsOfAWatch) {
  handler_ = [](const http::StubRequest&, http::StubReply& reply) {
    reply.Begin(200, kJson);
    reply.Chunk("{\"type\":\"ADDED\"}\n{\"type\":\"MODIFIED\"}\n{\"type\":\"DELETED\"}\n");
    reply.WaitForPeer();
  };
  const auto answers = Run("- {send: \"GET /thing?watch=1\", events: 2}\n");
  ASSERT_TRUE(answers) << answers.error().message();
  EXPECT_EQ((*answers)[0]["events"], Json::parse(R"([{"type": "ADDED"}, {"type": "MODIFIED"}])"));
}

TEST_F(RunCaseTest, ErrorNamesUnknownVariable) {
  const auto answers = Run("- {send: \"GET /thing/${nobody.metadata.name}\"}\n");
  ASSERT_FALSE(answers);
  EXPECT_THAT(answers.error().message(), HasSubstr("steps[0]: ${nobody.metadata.name}"));
}

TEST_F(RunCaseTest, DeletesObjectsOfTheCase) {
  handler_ = [](const http::StubRequest& request, http::StubReply& reply) {
    reply.Send(request.method == "POST" ? 201 : 200, R"({"metadata": {"name": "a"}})", kJson);
  };
  ASSERT_TRUE(Run("- {send: POST /things, body: {}}\n"));
  const auto requests = server_->requests();
  ASSERT_GE(requests.size(), 2U);
  EXPECT_THAT(requests.back().method + " " + requests.back().target, HasSubstr("DELETE /things/a"));
  EXPECT_THAT(requests[requests.size() - 2].target, HasSubstr("/api/v1/namespaces/f-"));
}

}  // namespace
}  // namespace berth::fidelity
