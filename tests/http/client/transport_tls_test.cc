// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <gtest/gtest.h>

#include "http/client/transport.h"
#include "http/server/server.h"
#include "tests/http/client/connect.h"
#include "tests/support/http/stub_server.h"
#include "tests/support/http/test_certificates.h"

namespace berth::http {
namespace {

class TransportTls : public EachLibrary {
 protected:
  static void DescribeSubject(const StubRequest& request, StubReply& reply) {
    reply.Send(200, request.client_subject);
  }

  Result<Response> Ask(TlsOptions tls, const std::string& url) {
    BERTH_TRY(const auto transport,
              CreateTransport({.url = url, .tls = std::move(tls), .library = GetParam()}));
    return transport->Call({});
  }
  Result<Response> Ask(TlsOptions tls) { return Ask(std::move(tls), server_.url()); }

  // Returns options that trust the server.
  TlsOptions Trusting() const { return {.ca = {.file = pki_.File("ca.crt")}}; }

  const TestCertificates& pki_ = TestCertificates::Instance();
  StubServer server_{
      &DescribeSubject,
      StubServer::Tls{pki_.File("server.crt"), pki_.File("server.key"), pki_.File("ca.crt")}};
};

INSTANTIATE_TEST_SUITE_P(, TransportTls, ::testing::ValuesIn(kLibraries), NameOf);

TEST_P(TransportTls, TrustsCaFromFileAndData) {
  EXPECT_TRUE(Ask({.ca = {.file = pki_.File("ca.crt")}}));
  EXPECT_TRUE(Ask({.ca = {.data = pki_.Text("ca.crt")}}));
}

TEST_P(TransportTls, SendsClientCertificateFromFilesAndData) {
  TlsOptions tls = Trusting();
  tls.certificate.file = pki_.File("client.crt");
  tls.key.file = pki_.File("client.key");
  auto response = Ask(tls);
  ASSERT_TRUE(response) << response.error().message();
  EXPECT_EQ(response->body, "/O=system:masters/CN=admin");

  tls.certificate = {.data = pki_.Text("client.crt")};
  tls.key = {.data = pki_.Text("client.key")};
  response = Ask(tls);
  ASSERT_TRUE(response) << response.error().message();
  EXPECT_EQ(response->body, "/O=system:masters/CN=admin");
}

TEST_P(TransportTls, ErrorExplainsUntrustedServer) {
  StubServer server(&DescribeSubject,
                    StubServer::Tls{pki_.File("server.crt"), pki_.File("server.key"), ""});
  const auto response = Ask({.ca = {.file = pki_.File("other-ca.crt")}}, server.url());
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().reason(), Reason::kUnavailable);
  EXPECT_NE(response.error().message().find(
                "unable to get local issuer certificate (certificate CN=kube-apiserver)"),
            std::string::npos)
      << response.error().message();
}

TEST_P(TransportTls, TrustsOnlyGivenCa) {
  EXPECT_STREQ(std::getenv("SSL_CERT_FILE"), "/dev/null")
      << "system roots must not be loaded for each connection";
  const auto response = Ask({});
  ASSERT_FALSE(response) << "the system's roots did not sign this server";
  EXPECT_NE(response.error().message().find("TLS handshake"), std::string::npos);
}

TEST_P(TransportTls, VerifiesServerName) {
  TlsOptions tls = Trusting();
  tls.server_name = "kubernetes";
  const auto wrong = Ask(tls);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message().find("valid for DNS:localhost, IP Address:127.0.0.1, not for "
                                         "kubernetes"),
            std::string::npos)
      << wrong.error().message();
  tls.server_name = "localhost";
  EXPECT_TRUE(Ask(tls));
}

TEST_P(TransportTls, InsecureSkipVerifyTrustsAnyServer) {
  EXPECT_TRUE(Ask({.server_name = "kubernetes", .insecure_skip_verify = true}));
  const auto both = Ask({.ca = {.file = pki_.File("ca.crt")}, .insecure_skip_verify = true});
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().reason(), Reason::kConfig);
}

TEST_P(TransportTls, ReportsServerWithoutTls) {
  const auto plain = Server::Start({}, [](const Request&) { return Response{.code = 200}; });
  ASSERT_TRUE(plain);
  const auto response = Ask(Trusting(), "https://127.0.0.1:" + std::to_string((*plain)->port()));
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().reason(), Reason::kUnavailable);
  EXPECT_NE(response.error().message().find("wrong version number"), std::string::npos)
      << response.error().message();
}

TEST_P(TransportTls, ReadsRotatedFilesForNewConnections) {
  const TestFolder folder;
  folder.Write("tls.crt", pki_.Text("client.crt"));
  folder.Write("tls.key", pki_.Text("client.key"));
  TlsOptions tls = Trusting();
  tls.certificate.file = folder.Path("tls.crt");
  tls.key.file = folder.Path("tls.key");
  auto transport = CreateTransport({.url = server_.url(), .tls = tls, .library = GetParam()});
  ASSERT_TRUE(transport);
  folder.Write("tls.crt", pki_.Text("server.crt"));
  folder.Write("tls.key", pki_.Text("server.key"));
  const auto response = (*transport)->Call({});
  ASSERT_TRUE(response) << response.error().message();
  EXPECT_EQ(response->body, "/CN=kube-apiserver");
}

TEST_P(TransportTls, RejectsInvalidCertificatesOnCreate) {
  const Pem certificate{.file = pki_.File("client.crt")};
  const Pem key{.file = pki_.File("client.key")};
  const struct {
    TlsOptions tls;
    std::string message;
  } cases[] = {
      {{.certificate = certificate}, "client.crt: is given without client-key"},
      {{.key = key}, "client.key: is given without client-certificate"},
      {{.certificate = certificate, .key = {.file = pki_.File("server.key")}}, "the keys differ"},
      {{.certificate = {.data = "text"}, .key = key},
       "client-certificate-data: no PEM certificate"},
      {{.certificate = certificate, .key = {.data = "text"}}, "client-key-data: no usable PEM"},
      {{.certificate = certificate, .key = {.file = "/nowhere/tls.key"}}, "/nowhere/tls.key"},
      {{.ca = {.data = "text"}}, "certificate-authority-data: no PEM certificate found"},
      {{.ca = {.file = "/nowhere/ca.crt"}},
       "certificate-authority /nowhere/ca.crt: cannot be read"},
  };
  for (const auto& [tls, message] : cases) {
    const auto transport =
        CreateTransport({.url = server_.url(), .tls = tls, .library = GetParam()});
    ASSERT_FALSE(transport) << message;
    EXPECT_EQ(transport.error().reason(), Reason::kConfig);
    EXPECT_NE(transport.error().message().find(message), std::string::npos)
        << transport.error().message();
  }
  EXPECT_EQ(server_.connections(), 0);
}

}  // namespace
}  // namespace berth::http
