// SPDX-License-Identifier: Apache-2.0
// An extender behind TLS, with and without client certificates.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.h"
#include "base/fake_clock.h"
#include "engine/extender/extender_client.h"
#include "tests/engine/extender/hostile_extender.h"

namespace berth::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ExtenderTlsTest : public ::testing::Test {
 protected:
  ExtenderTlsTest() {
    std::string name = (std::filesystem::temp_directory_path() / "extender-tls-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~ExtenderTlsTest() override { std::filesystem::remove_all(folder_); }

  HostileExtender::Identity Identity(bool wants_clients) const {
    return {.server = servers_->IssueServer("e", {"extender.test"}, {"127.0.0.1"}).value(),
            .client_ca = wants_clients ? clients_->certificate() : ""};
  }
  static api::Extender Spec(const HostileExtender& server, api::ExtenderTlsConfig tls) {
    api::Extender spec;
    spec.url_prefix = server.UrlPrefix("ok");
    spec.bind_verb = "bind";
    spec.http_timeout = Duration(std::chrono::seconds(10));
    spec.tls_config = std::move(tls);
    return spec;
  }
  // Binds, because bind needs no other request and uses a new connection each time. Returns "bound"
  // or the error.
  static std::string Bind(ExtenderClient& client) {
    std::promise<std::string> outcome;
    client.Send<api::ExtenderBindingResult>(
        ExtenderVerb::kBind, "{}", [&](const Result<api::ExtenderBindingResult>& answer) {
          outcome.set_value(answer ? "bound" : answer.error().message());
        });
    return outcome.get_future().get();
  }
  std::string Bind(const api::Extender& spec) {
    const auto client = ExtenderClient::Create(spec, {}, clock_, metrics_);
    return client ? Bind(**client) : client.error().message();
  }
  std::string File(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }

  const std::unique_ptr<http::CertificateAuthority> servers_ =
      http::CertificateAuthority::Create("servers").value();
  const std::unique_ptr<http::CertificateAuthority> clients_ =
      http::CertificateAuthority::Create("clients").value();
  std::filesystem::path folder_;
  FakeClock clock_;
  MetricsRegistry metrics_;
};

TEST_F(ExtenderTlsTest, TrustsTheConfiguredCa) {
  const auto identity = Identity(false);
  const HostileExtender server(&identity);
  EXPECT_EQ(Bind(Spec(server, {.ca_data = EncodeBase64(servers_->certificate())})), "bound");
  EXPECT_EQ(Bind(Spec(server, {.ca_file = File("ca.crt", servers_->certificate())})), "bound");
  EXPECT_THAT(Bind(Spec(server, {.ca_data = EncodeBase64(clients_->certificate())})),
              HasSubstr("TLS handshake with " + server.UrlPrefix("ok") + " failed"));
  EXPECT_THAT(Bind(Spec(server, {})), HasSubstr("TLS handshake"));
}

TEST_F(ExtenderTlsTest, VerifiesTheConfiguredServerName) {
  const auto identity = Identity(false);
  const HostileExtender server(&identity);
  const std::string authority = EncodeBase64(servers_->certificate());
  EXPECT_EQ(Bind(Spec(server, {.server_name = "extender.test", .ca_data = authority})), "bound");
  EXPECT_THAT(Bind(Spec(server, {.server_name = "other.test", .ca_data = authority})),
              HasSubstr("not for other.test"));
}

TEST_F(ExtenderTlsTest, SkipsVerificationIfConfigured) {
  const auto identity = Identity(false);
  const HostileExtender server(&identity);
  EXPECT_EQ(Bind(Spec(server, {.insecure = true})), "bound");
  const std::string unverified =
      "berth_extender_unverified{extender=\"" + server.UrlPrefix("ok") + "\"} ";
  EXPECT_THAT(metrics_.Text(), HasSubstr(unverified + "1"));
  api::Extender spec = Spec(server, {});
  spec.enable_https = true;
  EXPECT_EQ(Bind(spec), "bound") << "as upstream";
  EXPECT_EQ(Bind(Spec(server, {.ca_data = EncodeBase64(servers_->certificate())})), "bound");
  EXPECT_THAT(metrics_.Text(), HasSubstr(unverified + "0"));
}

TEST_F(ExtenderTlsTest, SendsItsClientCertificate) {
  const auto identity = Identity(true);
  const HostileExtender server(&identity);
  const std::string authority = EncodeBase64(servers_->certificate());
  const auto client = clients_->IssueClient("scheduler", {}).value();
  EXPECT_EQ(Bind(Spec(server, {.cert_data = EncodeBase64(client.certificate),
                               .key_data = EncodeBase64(client.key),
                               .ca_data = authority})),
            "bound");
  EXPECT_THAT(Bind(Spec(server, {.ca_data = authority})), Not(HasSubstr("bound")));
}

TEST_F(ExtenderTlsTest, ReloadsChangedFiles) {
  const auto identity = Identity(true);
  const HostileExtender server(&identity);
  const auto stranger = servers_->IssueClient("stranger", {}).value();
  const auto known = clients_->IssueClient("scheduler", {}).value();
  const auto client =
      ExtenderClient::Create(Spec(server, {.cert_file = File("tls.crt", stranger.certificate),
                                           .key_file = File("tls.key", stranger.key),
                                           .ca_file = File("ca.crt", servers_->certificate())}),
                             {}, clock_, metrics_);
  ASSERT_TRUE(client) << client.error().message();
  EXPECT_THAT(Bind(**client), Not(HasSubstr("bound")));
  File("tls.crt", known.certificate);
  File("tls.key", known.key);
  EXPECT_EQ(Bind(**client), "bound");
}

}  // namespace
}  // namespace berth::engine
