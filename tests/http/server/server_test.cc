// SPDX-License-Identifier: Apache-2.0
#include "http/server/server.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "http/client/transport.h"
#include "tests/http/server/raw_client.h"

namespace berth::http {
namespace {

using std::chrono::milliseconds;

std::unique_ptr<Server> Start(Server::Handler handler, ServerOptions options = {}) {
  auto server = Server::Start(std::move(options), std::move(handler));
  EXPECT_TRUE(server) << server.error().message();
  return std::move(*server);
}

Response Ok(const Request&) { return {.code = 200, .body = "ok"}; }

TEST(Server, SendsResponseOfHandler) {
  auto server = Start(
      [](const Request& request) {
        return Response{.code = 201,
                        .headers = {{"Content-Type", "text/plain; version=0.0.4"}},
                        .body = request.method + request.target + request.body};
      },
      {.max_body_bytes = 10});
  auto client = CreateTransport({.url = "http://127.0.0.1:" + std::to_string(server->port())});
  ASSERT_TRUE(client);
  const auto response = (*client)->Call({.method = "POST", .target = "/a?b=c", .body = "body"});
  ASSERT_TRUE(response) << response.error().message();
  EXPECT_EQ(response->code, 201);
  EXPECT_EQ(response->body, "POST/a?b=cbody");
  EXPECT_EQ(response->headers.Find("Content-Type"), "text/plain; version=0.0.4");
}

TEST(Server, KeepsConnectionForSeveralRequests) {
  auto server = Start(Ok);
  RawClient client(server->port());
  client.Send(
      "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string answers = client.ReadAll();
  EXPECT_NE(answers.find("ok", answers.find("ok") + 2), std::string::npos) << answers;
}

TEST(Server, HeadHasNoBody) {
  auto server = Start(Ok);
  RawClient client(server->port());
  client.Send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string answer = client.ReadAll();
  EXPECT_NE(answer.find("Content-Length: 2"), std::string::npos) << answer;
  EXPECT_EQ(answer.substr(answer.size() - 4), "\r\n\r\n");
}

TEST(Server, RejectsTooLargeOrInvalidRequests) {
  auto server = Start(Ok, {.max_header_bytes = 256, .max_body_bytes = 10});
  const struct {
    std::string request;
    std::string code;
  } cases[] = {
      {"POST / HTTP/1.1\r\nContent-Length: 11\r\n\r\n12345678901", " 413 "},
      {"GET / HTTP/1.1\r\nX: " + std::string(300, 'x') + "\r\n\r\n", " 431 "},
      {"nonsense\r\n\r\n", " 400 "},
  };
  for (const auto& [request, code] : cases) {
    RawClient client(server->port());
    client.Send(request);
    const std::string answer = client.ReadAll();
    EXPECT_NE(answer.find(code), std::string::npos) << code << answer;
  }
}

TEST(Server, RejectsBodyByDefault) {
  auto server = Start(Ok);
  for (const char* header : {"Content-Length: 1", "Transfer-Encoding: chunked",
                             "Expect: 100-continue\r\nContent-Length: 1"}) {
    RawClient client(server->port());
    client.Send("POST / HTTP/1.1\r\n" + std::string(header) + "\r\n\r\n");
    EXPECT_TRUE(client.ReadAll().starts_with("HTTP/1.1 413 ")) << header;
  }
  RawClient client(server->port());
  client.Send("POST / HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(client.ReadAll().starts_with("HTTP/1.1 200 ")) << "an empty body is allowed";
}

TEST(Server, RejectsTooLargeChunkFraming) {
  auto server = Start(Ok, {.max_header_bytes = 256, .max_body_bytes = 10});
  const std::string filler(300, 'f');
  for (const std::string& body : {std::string(300, '0'), "1;" + filler, "0\r\nX: " + filler}) {
    RawClient client(server->port());
    client.Send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + body);
    EXPECT_TRUE(client.ReadAll().starts_with("HTTP/1.1 413 ")) << body;
  }
}

TEST(Server, ClosesConnectionsThatSendTooSlowly) {
  auto server = Start(Ok, {.request_timeout = milliseconds(50)});
  RawClient client(server->port());
  client.Send("GET / HTTP/1.1\r\n");
  EXPECT_EQ(client.ReadAll(), "");
}

TEST(Server, ClosesConnectionsWithoutRequest) {
  auto server = Start(Ok, {.request_timeout = milliseconds(50)});
  RawClient client(server->port());
  EXPECT_EQ(client.ReadAll(), "");
}

TEST(Server, ClosesIdleConnections) {
  auto server = Start(Ok, {.idle_timeout = milliseconds(50)});
  RawClient client(server->port());
  client.Send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_TRUE(client.ReadAll().ends_with("ok"));
}

TEST(Server, ClosesLongestIdleConnectionAboveLimit) {
  const std::string get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  auto server = Start(Ok, {.max_connections = 2});
  RawClient first(server->port()), second(server->port()), third(server->port());
  third.Send(get);
  EXPECT_TRUE(third.ReadUntil("ok").ends_with("ok"));
  EXPECT_EQ(first.ReadAll(), "");
  second.Send(get);
  EXPECT_TRUE(second.ReadUntil("ok").ends_with("ok"));
}

TEST(Server, KeepsNoConnectionAtLimit) {
  auto server = Start(Ok, {.max_connections = 1});
  RawClient client(server->port());
  client.Send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const std::string answer = client.ReadAll();
  EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos) << answer;
  EXPECT_TRUE(answer.ends_with("ok"));
}

TEST(Server, ThrowingHandlerReturns500) {
  auto server = Start([](const Request&) -> Response { throw std::runtime_error("broken"); });
  RawClient client(server->port());
  client.Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  const std::string answer = client.ReadAll();
  EXPECT_NE(answer.find(" 500 "), std::string::npos);
  EXPECT_EQ(answer.find("broken"), std::string::npos) << "internals stay in the log";
}

TEST(Server, DestructorClosesIdleConnectionsAndFreesPort) {
  auto server = Start(Ok);
  const uint16_t port = server->port();
  RawClient client(port);
  client.Send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  client.ReadUntil("ok");
  server.reset();
  EXPECT_EQ(client.ReadAll(), "");
  EXPECT_TRUE(Server::Start({.port = port}, Ok));
}

TEST(Server, ListenErrorNamesReason) {
  auto server = Start(Ok);
  const auto taken = Server::Start({.port = server->port()}, Ok);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().reason(), Reason::kConfig);
  EXPECT_NE(taken.error().message().find("127.0.0.1:" + std::to_string(server->port())),
            std::string::npos);
  const auto no_address = Server::Start({.address = "localhost"}, Ok);
  ASSERT_FALSE(no_address);
  EXPECT_NE(no_address.error().message().find("not an IPv4 or IPv6 address"), std::string::npos);
}

}  // namespace
}  // namespace berth::http
