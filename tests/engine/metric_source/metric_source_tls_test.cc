// SPDX-License-Identifier: Apache-2.0
// A Prometheus behind TLS that requires a token or a client certificate.
#include <cstdlib>
#include <fstream>
#include <string>

#include <gmock/gmock.h>

#include "tests/engine/metric_source/metric_source_fixture.h"

namespace berth::engine {
namespace {

using ::testing::HasSubstr;

class MetricSourceTlsTest : public MetricSourceFixture {
 protected:
  MetricSourceTlsTest() {
    std::string name = (std::filesystem::temp_directory_path() / "metric-tls-XXXXXX").string();
    secrets_ = mkdtemp(name.data());
    std::filesystem::create_directory(secrets_ / "prom");
    query_.secret_name = "prom";
  }
  ~MetricSourceTlsTest() override { std::filesystem::remove_all(secrets_); }

  void Write(const std::string& key, const std::string& text) const {
    std::ofstream(secrets_ / "prom" / key) << text;
  }

  const std::unique_ptr<http::CertificateAuthority> servers_ =
      http::CertificateAuthority::Create("servers").value();
  const std::unique_ptr<http::CertificateAuthority> clients_ =
      http::CertificateAuthority::Create("clients").value();
  const PythonServer::Identity identity_{
      .server = servers_->IssueServer("p", {"prometheus.test"}, {"127.0.0.1"}).value(),
      .client_ca = clients_->certificate()};
  const PythonServer server_{kProgram, &identity_};
  scheduler::MetricQuery query_ = QueryOf(server_.Url("for-berth"));
};

TEST_F(MetricSourceTlsTest, SendsNothingToAnUnverifiedServer) {
  Write("token", "secret-token");
  const auto metric = Watch(query_);
  Ask();
  EXPECT_EQ(SharesIn(*metric), "- - -");
  EXPECT_THAT(sources_.Errors(), HasSubstr("TLS handshake"));
  EXPECT_EQ(sources_.Errors().find("secret-token"), std::string::npos);
  Write("ca.crt", clients_->certificate());  // a CA, but not the server's
  Ask();
  EXPECT_EQ(SharesIn(*metric), "- - -");
}

TEST_F(MetricSourceTlsTest, ReadsTheSecretForEachQuery) {
  const auto metric = Watch(query_);
  Ask();
  EXPECT_THAT(sources_.Errors(), HasSubstr("Secret prom does not exist"));
  Write("ca.crt", servers_->certificate());
  Write("token", "old");
  Ask();
  EXPECT_THAT(sources_.Errors(), HasSubstr(": code 401;"));
  Write("token", "berth");
  Ask();
  EXPECT_EQ(SharesIn(*metric), "0 50 100") << sources_.Errors();
  EXPECT_EQ(sources_.Errors(), "");
}

TEST_F(MetricSourceTlsTest, SendsAClientCertificate) {
  const auto client = clients_->IssueClient("berth", {}).value();
  Write("ca.crt", servers_->certificate());
  Write("tls.crt", client.certificate);
  Write("tls.key", client.key);
  const auto metric = Watch(query_);
  Ask();
  EXPECT_EQ(SharesIn(*metric), "0 50 100") << sources_.Errors();
  Write("tls.key", "no key");
  Ask();
  EXPECT_THAT(sources_.Errors(), HasSubstr("; the answer of 2026-01-01T00:00:00Z counts until"));
}

}  // namespace
}  // namespace berth::engine
