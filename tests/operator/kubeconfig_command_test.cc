// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <filesystem>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/core.h"
#include "base/file.h"
#include "base/time.h"
#include "client/kubeconfig.h"
#include "tests/operator/berth.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/stub_server.h"
#include "tests/support/http/test_certificates.h"

namespace berth::operator_ {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

// Runs the command against an API server that has the operator's account.
class KubeconfigCommandTest : public testing::Test {
 protected:
  KubeconfigCommandTest() {
    Make(api::Namespace{.metadata = {.name = "berth-system"}});
    Make(api::ServiceAccount{.metadata = {.name = "berth-operator", .namespace_ = "berth-system"}});
  }

  template <class T>
  void Make(const T& object) {
    const auto made = memory_.client().Create(object);
    ASSERT_TRUE(made) << made.error().message();
  }

  Answer Ask(const std::string& account, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"kubeconfig", "--kubeconfig", admin_, "--service-account",
                                          account};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Berth(std::move(arguments));
  }

  apiserver::InMemoryServer memory_;
  const http::TestFolder folder_;
  const std::string admin_ =
      folder_.Write("admin", client::KubeconfigText({.server = memory_.server().url()}));
};

TEST_F(KubeconfigCommandTest, PrintsKubeconfigOfAccount) {
  const Answer answer = Ask("berth-system/berth-operator");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto config = client::LoadKubeconfig({folder_.Write("own", answer.out)}, "");
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->server, memory_.server().url());

  const auto client = client::Client::Create(*config, {.component = "test"}, memory_.clock());
  const auto who = (*client)->Call(
      {.method = "POST",
       .target = "/apis/authentication.k8s.io/v1/selfsubjectreviews",
       .body = R"({"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"})"});
  ASSERT_TRUE(who) << who.error().message();
  EXPECT_THAT(*who, HasSubstr("system:serviceaccount:berth-system:berth-operator"));
}

TEST_F(KubeconfigCommandTest, PrintsExpiryOfToken) {
  const Time before(std::chrono::system_clock::now());
  const Answer answer = Ask("berth-system/berth-operator", {"--duration", "2h"});
  const size_t until = answer.err.find("until ");
  ASSERT_NE(until, answer.err.npos) << answer.err;
  const auto end = Time::Parse(answer.err.substr(until + 6, 20));
  ASSERT_TRUE(end) << answer.err;
  EXPECT_GE(*end, before + std::chrono::minutes(119));
  EXPECT_LE(*end, before + std::chrono::minutes(125));
}

TEST_F(KubeconfigCommandTest, WritesFileReadableOnlyByOwner) {
  const std::string path = folder_.Path("own");
  for (const char* time : {"first", "again"}) {
    const Answer answer = Ask("berth-system/berth-operator", {"--output", path});
    ASSERT_EQ(answer.code, 0) << time << ": " << answer.err;
    EXPECT_THAT(answer.out, IsEmpty());
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
    EXPECT_TRUE(client::LoadKubeconfig({path}, ""));
  }
}

TEST_F(KubeconfigCommandTest, DoesNotReplaceForeignFile) {
  const std::pair<std::string, const char*> files[] = {
      {folder_.Write("notes", "to do"), "not replaced: kubeconfig"},
      {folder_.Write("mine", "current-context: prod\ncontexts: [{name: prod, context: {}}]\n"),
       "has entries that Berth did not write"}};
  for (const auto& [path, says] : files) {
    const std::string before = ReadFile(path).value();
    const Answer answer = Ask("berth-system/berth-operator", {"--output", path});
    EXPECT_EQ(answer.code, 1) << path;
    EXPECT_THAT(answer.err, AllOf(HasSubstr(says), HasSubstr(path)));
    EXPECT_EQ(ReadFile(path), before);
  }
}

TEST_F(KubeconfigCommandTest, SuggestsNearestAccount) {
  EXPECT_THAT(Ask("berth-system/berth-oprator").err,
              HasSubstr("error: ServiceAccount berth-system/berth-oprator does not exist; nearest: "
                        "berth-operator"));
  EXPECT_THAT(Ask("berth-system/berth-bin-packing").err,
              HasSubstr("does not exist; Berth's ServiceAccounts: berth-operator"));
  EXPECT_THAT(Ask("elsewhere/berth-operator").err, HasSubstr("has none of Berth's"));
}

TEST(KubeconfigCommand, ReportsMissingPermission) {
  constexpr const char* kForbidden =
      "serviceaccounts \\\"a\\\" is forbidden: User \\\"eve\\\" cannot create resource "
      "\\\"serviceaccounts/token\\\" in API group \\\"\\\" in the namespace \\\"n\\\"";
  const http::StubServer server([&](const http::StubRequest&, http::StubReply& reply) {
    reply.Send(403, R"({"apiVersion": "v1", "kind": "Status", "status": "Failure", "code": 403,
                        "reason": "Forbidden", "message": ")" +
                        std::string(kForbidden) + R"("})");
  });
  const http::TestFolder folder;
  const Answer answer =
      Berth({"kubeconfig", "--service-account", "n/a", "--kubeconfig",
             folder.Write("eve", client::KubeconfigText({.server = server.url()}))});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, AllOf(HasSubstr("token of ServiceAccount n/a: "),
                                HasSubstr("cannot create resource \"serviceaccounts/token\"")));
}

TEST(KubeconfigCommand, CopiesCaAndServerName) {
  const auto& certificates = http::TestCertificates::Instance();
  const http::StubServer server(
      [](const http::StubRequest&, http::StubReply& reply) {
        reply.Send(201, R"({"status": {"token": "t",
                                       "expirationTimestamp": "2030-01-01T00:00:00Z"}})");
      },
      http::StubServer::Tls{.certificate = certificates.File("server.crt"),
                            .key = certificates.File("server.key")});
  const http::TestFolder folder;
  client::ClientConfig admin{.server = server.url(), .token = "of-the-admin"};
  admin.tls.ca.file = certificates.File("ca.crt");
  admin.tls.server_name = "localhost";
  const Answer answer = Berth({"kubeconfig", "--service-account", "n/a", "--kubeconfig",
                               folder.Write("admin", client::KubeconfigText(admin))});
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto own = client::LoadKubeconfig({folder.Write("own", answer.out)}, "");
  ASSERT_TRUE(own) << own.error().message();
  EXPECT_EQ(own->tls.ca.data, certificates.Text("ca.crt"));
  EXPECT_EQ(own->tls.server_name, "localhost");
  EXPECT_EQ(own->token, "t") << "and no credentials of the caller";
}

TEST(KubeconfigCommand, RejectsInvalidAccountAndDuration) {
  for (const char* account : {"berth-operator", "a/b/c", "/a", "a/", "A/b"}) {
    const Answer answer = Berth({"kubeconfig", "--service-account", account});
    EXPECT_EQ(answer.code, 1) << account;
    EXPECT_THAT(answer.err, HasSubstr("--service-account: found \"" + std::string(account) +
                                      "\", expected NAMESPACE/NAME"));
  }
  for (const char* duration : {"8", "1m", "-1h", "soon"}) {
    const Answer answer = Berth({"kubeconfig", "--service-account", "n/a", "--duration", duration});
    EXPECT_EQ(answer.code, 1) << duration;
    EXPECT_THAT(answer.err, HasSubstr("--duration: "));
  }
  EXPECT_THAT(Berth({"kubeconfig"}).err, HasSubstr("--service-account"));
}

}  // namespace
}  // namespace berth::operator_
