// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "http/client/wire.h"
#include "sandbox/apiserver/server.h"
#include "tests/support/http/test_certificates.h"

// The limits of the server on requests and on their duration, observed over the wire.
namespace berth::apiserver {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

class LimitsOverHttp : public testing::Test {
 protected:
  void Start(ServerOptions options) {
    options.anonymous_admin = true;
    auto server = Server::Start(std::move(options), clock_);
    ASSERT_TRUE(server) << server.error().message();
    server_ = std::move(*server);
  }

  // Returns everything the server sends until it closes the connection.
  std::string Exchange(const std::string& request) {
    const auto wire = http::Wire::Connect(server_->port());
    if (!wire) return wire.error().message();
    (void)(*wire)->Send(request);  // the server may close before it has read all
    std::string answer;
    char part[4096];
    while (const size_t size = (*wire)->Receive(part).value_or(0)) answer.append(part, size);
    return answer;
  }

  static std::string Post(size_t body_bytes) {
    return "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: a\r\n"
           "Content-Type: application/json\r\nConnection: close\r\nContent-Length: " +
           std::to_string(body_bytes) + "\r\n\r\n" + std::string(body_bytes, ' ');
  }

 private:
  const SystemClock clock_{};
  std::unique_ptr<Server> server_;
};

TEST_F(LimitsOverHttp, TooLargeBodyIsRejectedWithStatus) {
  ServerOptions options;
  options.max_body_bytes = 1000;
  Start(options);
  // A slightly too large body is read to its end, a much larger one is not.
  for (const size_t size : {1001, 5'000'000}) {
    const std::string answer = Exchange(Post(size));
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 413 ")) << answer.substr(0, 200);
    const json status = json::parse(answer.substr(answer.find("\r\n\r\n")), nullptr, false);
    EXPECT_EQ(status["kind"], "Status") << answer;
    EXPECT_EQ(status["reason"], "RequestEntityTooLarge");
    EXPECT_EQ(status["message"], "Request entity too large: limit is 1000");
  }
  EXPECT_TRUE(Exchange(Post(1000)).starts_with("HTTP/1.1 400 ")) << "read, and no object";
}

TEST_F(LimitsOverHttp, TooLargeHeaderIsRejected) {
  ServerOptions options;
  options.max_header_bytes = 1000;
  Start(options);
  const std::string answer =
      Exchange("GET /api HTTP/1.1\r\nX-Filler: " + std::string(1000, 'x') + "\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 431 ")) << answer;
  EXPECT_NE(answer.find("header limit exceeded"), std::string::npos) << answer;
}

TEST_F(LimitsOverHttp, SurplusConnectionIsClosed) {
  ServerOptions options;
  options.max_connections = 0;
  Start(options);
  EXPECT_EQ(Exchange("GET /api HTTP/1.1\r\n\r\n"), "");
}

TEST_F(LimitsOverHttp, MissingBodyTimesOut) {
  ServerOptions options;
  options.request_timeout = milliseconds(50);
  Start(options);
  const std::string answer = Exchange("POST /api HTTP/1.1\r\nContent-Length: 10\r\n\r\n{");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 408 ")) << answer;
}

TEST_F(LimitsOverHttp, MissingHandshakeTimesOut) {
  const auto& certificates = http::TestCertificates::Instance();
  ServerOptions options;
  options.tls =
      http::ServerTlsOptions{.certificate = {.data = {}, .file = certificates.File("server.crt")},
                             .key = {.data = {}, .file = certificates.File("server.key")},
                             .client_ca = {}};
  options.request_timeout = milliseconds(50);
  Start(options);
  EXPECT_EQ(Exchange(""), "");
}

}  // namespace
}  // namespace berth::apiserver
