// SPDX-License-Identifier: Apache-2.0
#include "http/server/stream_server.h"

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "http/client/transport.h"
#include "http/server/gzip.h"
#include "tests/http/server/raw_client.h"
#include "tests/support/http/ipv6.h"

namespace berth::http {
namespace {

using std::chrono::milliseconds;

Stream::Piece Piece(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

std::unique_ptr<StreamServer> Serve(StreamServer::Handler handler,
                                    StreamServerOptions options = {}) {
  auto server = StreamServer::Listen(std::move(options));
  EXPECT_TRUE(server) << server.error().message();
  (*server)->Serve(std::move(handler));
  return std::move(*server);
}

void Echo(const Request& request, Responder responder) {
  responder.Send({.code = 200, .body = request.method + " " + request.target + " " + request.body});
}

// Waiting is a value that another thread sets later.
template <class T>
class Waiting {
 public:
  void Set(T value) { promise_.set_value(std::move(value)); }
  T Get() {
    EXPECT_EQ(future_.wait_for(std::chrono::seconds(20)), std::future_status::ready);
    return future_.get();
  }

 private:
  std::promise<T> promise_;
  std::future<T> future_ = promise_.get_future();
};

const std::string kGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

TEST(StreamServer, RespondsLaterAndInOrder) {
  StreamServer* self = nullptr;
  auto listening = StreamServer::Listen({});
  ASSERT_TRUE(listening);
  self = listening->get();
  self->Serve([self](const Request& request, Responder responder) {
    auto later = std::make_shared<Responder>(std::move(responder));
    self->timer().After(milliseconds(5), [later, target = request.target] {
      later->Send({.code = 200, .body = "late " + target + ";"});
    });
  });
  RawClient client(self->port());
  client.Send("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nConnection: close\r\n\r\n");
  const std::string answers = client.ReadAll();
  EXPECT_LT(answers.find("late /1;"), answers.find("late /2;"));
  EXPECT_NE(answers.find("late /2;"), std::string::npos) << answers;
}

TEST(StreamServer, ReadsChunkedAndContinuedBodies) {
  const auto server = Serve(Echo);
  RawClient client(server->port());
  client.Send("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r");
  client.Send("\n2\r\nde\r\n0\r\n\r\n");
  EXPECT_NE(client.ReadUntil("abcde").find("POST /a abcde"), std::string::npos);
  client.Send("POST /b HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.Send("xyz");
  EXPECT_NE(client.ReadUntil("xyz").find("POST /b xyz"), std::string::npos);
}

TEST(StreamServer, MissingBodyReturns408) {
  const auto server = Serve(Echo, {.request_timeout = milliseconds(50)});
  RawClient client(server->port());
  client.Send("POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc");
  EXPECT_TRUE(client.ReadAll().starts_with("HTTP/1.1 408 Request Timeout\r\n"));
}

TEST(StreamServer, SenderOfTooLargeBodyReads413) {
  const auto server = Serve(Echo, {.max_body_bytes = 1000});
  RawClient client(server->port());
  client.Send("POST / HTTP/1.1\r\nContent-Length: 4000000\r\n\r\n" + std::string(4'000'000, 'x'));
  EXPECT_TRUE(client.ReadAll().starts_with("HTTP/1.1 413 Payload Too Large\r\n"));
}

TEST(StreamServer, StreamsInChunksAndKeepsConnection) {
  const auto server = Serve([](const Request& request, Responder responder) {
    if (request.target != "/watch") return Echo(request, std::move(responder));
    const auto stream = responder.Open(200, {{"Content-Type", "application/json"}}, {});
    EXPECT_TRUE(stream->Write(Piece("first ")));
    EXPECT_TRUE(stream->Write(Piece("second")));
    stream->Close();
    EXPECT_FALSE(stream->Write(Piece("late")));
  });
  RawClient client(server->port());
  client.Send("GET /watch HTTP/1.1\r\n\r\n");
  const std::string answer = client.ReadUntil("0\r\n\r\n");
  EXPECT_NE(answer.find("Transfer-Encoding: chunked\r\n"), std::string::npos);
  EXPECT_NE(answer.find("c\r\nfirst second\r\n"), std::string::npos) << answer;
  client.Send("GET /next HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_NE(client.ReadAll().find("GET /next "), std::string::npos);
}

TEST(StreamServer, StreamsToHttp10ClientUntilClose) {
  const auto server = Serve([](const Request&, Responder responder) {
    const auto stream = responder.Open(200, {}, {});
    stream->Write(Piece("all of it"));
    stream->Close();
  });
  RawClient client(server->port());
  client.Send("GET / HTTP/1.0\r\n\r\n");
  const std::string answer = client.ReadAll();
  EXPECT_TRUE(answer.ends_with("\r\n\r\nall of it")) << answer;
  EXPECT_EQ(answer.find("chunked"), std::string::npos);
}

TEST(StreamServer, CallsClosedWhenPeerDisconnects) {
  Waiting<bool> closed;
  std::shared_ptr<Stream> stream;
  const auto server = Serve([&](const Request&, Responder responder) {
    stream = responder.Open(200, {}, {.closed = [&] { closed.Set(stream->Write(Piece("x"))); }});
  });
  RawClient client(server->port());
  client.Send(kGet);
  client.ReadUntil("\r\n\r\n");
  client.Close();
  EXPECT_FALSE(closed.Get()) << "nothing can be written any more";
}

TEST(StreamServer, CallsDrainedWhenAllIsSent) {
  std::shared_ptr<Stream> stream;
  int left = 5;
  const auto server = Serve([&](const Request&, Responder responder) {
    stream = responder.Open(200, {}, {.drained = [&] {
                              EXPECT_EQ(stream->buffered(), 0u);
                              if (left-- > 0) {
                                stream->Write(Piece("x"));
                              } else {
                                stream->Close();
                              }
                            }});
  });
  RawClient client(server->port());
  client.Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(client.ReadAll().ends_with("1\r\nx\r\n1\r\nx\r\n0\r\n\r\n"));
}

TEST(StreamServer, AbortsStreamAboveBufferLimit) {
  Waiting<size_t> cut;
  const auto server = Serve(
      [&](const Request&, Responder responder) {
        auto accepted = std::make_shared<size_t>(0);
        const auto stream =
            responder.Open(200, {}, {.closed = [&, accepted] { cut.Set(*accepted); }});
        const auto piece = Piece(std::string(1 << 20, 'x'));
        while (stream->Write(piece)) ++*accepted;
      },
      {.max_stream_buffer_bytes = 4 << 20});
  RawClient client(server->port());
  client.Send(kGet);
  EXPECT_EQ(cut.Get(), 4u);
}

TEST(StreamServer, AbortsStreamOfStalledReader) {
  Waiting<bool> closed;
  const auto server = Serve(
      [&](const Request&, Responder responder) {
        const auto stream = responder.Open(200, {}, {.closed = [&] { closed.Set(true); }});
        EXPECT_TRUE(stream->Write(Piece(std::string(64 << 20, 'x'))));
      },
      {.max_stream_buffer_bytes = 128 << 20, .request_timeout = milliseconds(100)});
  RawClient client(server->port());
  client.Send(kGet);
  EXPECT_TRUE(closed.Get());
}

TEST(StreamServer, AbortsOldestUnreadResponsesFirst) {
  const std::string answer(8 << 20, 'x');  // more than socket buffers hold
  const auto server = Serve(
      [&](const Request&, Responder responder) { responder.Send({.code = 200, .body = answer}); },
      {.max_unsent_bytes = 16 << 20});
  RawClient first(server->port()), second(server->port()), third(server->port());
  for (RawClient* client : {&first, &second, &third}) {
    client->Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    client->ReadUntil("\r\n\r\n");
  }
  EXPECT_LT(first.ReadAll().size(), answer.size());
  EXPECT_EQ(second.ReadAll().size(), answer.size());
  EXPECT_EQ(third.ReadAll().size(), answer.size());
}

TEST(StreamServer, ActiveConnectionsAreNotReplaced) {
  const auto server = Serve(
      [](const Request& request, Responder responder) {
        if (request.target != "/watch") return Echo(request, std::move(responder));
        responder.Open(200, {}, {});
      },
      {.max_connections = 1});
  RawClient watcher(server->port());
  watcher.Send("GET /watch HTTP/1.1\r\n\r\n");
  watcher.ReadUntil("\r\n\r\n");
  RawClient late(server->port());
  EXPECT_EQ(late.ReadAll(), "") << "closed at once";
}

TEST(StreamServer, AbortAndDropBreakConnection) {
  const auto server = Serve([](const Request& request, Responder responder) {
    if (request.target == "/drop") return responder.Drop();
    const auto stream = responder.Open(200, {}, {.closed = [] { FAIL() << "we closed it"; }});
    stream->Write(Piece("begun"));
    stream->Abort();
  });
  RawClient dropped(server->port());
  dropped.Send("GET /drop HTTP/1.1\r\n\r\n");
  EXPECT_EQ(dropped.ReadAll(), "");
  RawClient aborted(server->port());
  aborted.Send("GET /watch HTTP/1.1\r\n\r\n");
  EXPECT_FALSE(aborted.ReadAll().ends_with("0\r\n\r\n"));
}

TEST(StreamServer, ManyStreamsReceiveSamePieces) {
  constexpr size_t kClients = 30;  // with five descriptors each
  std::vector<std::shared_ptr<Stream>> streams;
  const auto server = Serve([&](const Request&, Responder responder) {
    streams.push_back(responder.Open(200, {}, {}));
    if (streams.size() < kClients) return;
    for (int i = 0; i < 20; ++i) {
      const auto piece = Piece("event " + std::to_string(i) + "\n");
      for (const auto& stream : streams) stream->Write(piece);
    }
    for (const auto& stream : streams) stream->Close();
  });
  std::vector<std::unique_ptr<RawClient>> clients;
  for (size_t i = 0; i < kClients; ++i) {
    clients.push_back(std::make_unique<RawClient>(server->port()));
    clients.back()->Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  }
  for (const auto& client : clients) {
    const std::string answer = client->ReadAll();
    for (int i = 0; i < 20; ++i) {
      EXPECT_NE(answer.find("event " + std::to_string(i) + "\n"), std::string::npos);
    }
    EXPECT_TRUE(answer.ends_with("0\r\n\r\n"));
  }
}

TEST(StreamServer, CompressesLargeBodiesIfAccepted) {
  const std::string body(4096, 'x');
  const auto server = Serve(
      [&](const Request&, Responder responder) { responder.Send({.code = 200, .body = body}); },
      {.gzip_from_bytes = 4096});
  RawClient client(server->port());
  client.Send("GET / HTTP/1.1\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n");
  const std::string packed = client.ReadAll();
  EXPECT_NE(packed.find("Content-Encoding: gzip\r\n"), std::string::npos);
  EXPECT_TRUE(packed.ends_with("\r\n\r\n" + Gzip(body)));
  RawClient plain(server->port());
  plain.Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(plain.ReadAll().ends_with(body));
}

TEST(StreamServer, HeadersCannotBeInjected) {
  const auto server = Serve([](const Request&, Responder responder) {
    responder.Send({.code = 200, .headers = {{"X", "a\r\nInjected: b"}}, .body = ""});
  });
  RawClient client(server->port());
  client.Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.ReadAll().find("\r\nInjected"), std::string::npos);
}

TEST(StreamServer, UnusedResponderReturns500) {
  const auto server = Serve([](const Request& request, Responder) {
    if (request.target == "/throw") throw std::runtime_error("broken");
  });
  for (const char* target : {"/forget", "/throw"}) {
    RawClient client(server->port());
    client.Send("GET " + std::string(target) + " HTTP/1.1\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(client.ReadAll().starts_with("HTTP/1.1 500 ")) << target;
  }
}

TEST(StreamServer, PostAndTimersRunInOrderOnServerThread) {
  const auto server = Serve(Echo);
  Waiting<std::string> order;
  std::string seen;
  std::thread::id thread;
  server->Post([&] {
    thread = std::this_thread::get_id();
    for (const char name : {'a', 'b', 'c'}) {
      server->timer().After(milliseconds(1), [&seen, name] { seen += name; });
    }
    const Timer::Id canceled = server->timer().After(milliseconds(1), [&] { seen += "never"; });
    server->timer().Cancel(canceled);
    server->timer().After(milliseconds(2), [&] {
      EXPECT_EQ(std::this_thread::get_id(), thread);
      order.Set(seen);
    });
  });
  EXPECT_EQ(order.Get(), "abc");
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST(StreamServer, StopEndsStreamsCleanly) {
  Waiting<bool> opened;
  std::atomic<bool> told = false;
  std::shared_ptr<Stream> stream;
  auto server = Serve([&](const Request&, Responder responder) {
    stream = responder.Open(200, {}, {.closed = [&] { told = true; }});
    stream->Write(Piece("x"));
    opened.Set(true);
  });
  RawClient client(server->port());
  client.Send(kGet);
  opened.Get();
  std::jthread stop([&] { server.reset(); });
  EXPECT_TRUE(client.ReadAll().ends_with("1\r\nx\r\n0\r\n\r\n"));
  stop.join();
  EXPECT_TRUE(told);
  EXPECT_FALSE(stream->Write(Piece("late"))) << "harmless after the end";
}

TEST(StreamServer, ResponderIsSafeAfterServer) {
  Waiting<bool> asked;
  std::optional<Responder> kept;
  auto server = Serve(
      [&](const Request&, Responder responder) {
        kept.emplace(std::move(responder));
        asked.Set(true);
      },
      {.stop_grace = milliseconds(1)});
  RawClient client(server->port());
  client.Send(kGet);
  asked.Get();
  server.reset();
  EXPECT_EQ(client.ReadAll(), "");
  kept->Send({.code = 200});
  kept.reset();
}

TEST(StreamServer, ResponderIsSafeAfterConnection) {
  Waiting<bool> asked;
  std::optional<Responder> kept;
  auto server = Serve([&](const Request& request, Responder responder) {
    if (request.target == "/drop") return responder.Drop();
    kept.emplace(std::move(responder));
    asked.Set(true);
  });
  {
    RawClient client(server->port());
    client.Send(kGet);
    asked.Get();
  }
  Waiting<bool> answered;
  server->Post([&] {
    kept->Send({.code = 200, .body = std::string(1 << 20, 'x')});
    answered.Set(true);
  });
  answered.Get();
  server.reset();
}

TEST(StreamServer, UnspecifiedAddressListensOnBothFamilies) {
  for (const char* address : {"::", "0.0.0.0"}) {
    const auto server = Serve(
        [](const Request&, Responder responder) {
          const std::string peer = responder.peer().address;
          responder.Send({.code = 200, .body = peer.substr(0, peer.rfind(':'))});
        },
        {.address = address});
    RawClient v4(server->port());
    v4.Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(v4.ReadAll().ends_with("\r\n\r\n127.0.0.1"));
    if (!HasIpv6()) GTEST_SKIP() << kNoIpv6;
    RawClient v6(server->port(), "::1");
    v6.Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(v6.ReadAll().ends_with("\r\n\r\n[::1]"));
  }
}

TEST(StreamServer, Ipv6AddressExcludesIpv4) {
  if (!HasIpv6()) GTEST_SKIP() << kNoIpv6;
  const auto server = Serve(Echo, {.address = "::1"});
  EXPECT_EQ(server->url(), "http://[::1]:" + std::to_string(server->port()));
  RawClient client(server->port(), "::1");
  client.Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(client.ReadAll().starts_with("HTTP/1.1 200 "));
  EXPECT_THROW(RawClient(server->port()), boost::system::system_error);
}

TEST(StreamServer, ServesOwnTransport) {
  const auto server = Serve(Echo);
  auto transport = CreateTransport({.url = server->url()});
  ASSERT_TRUE(transport);
  const auto response = (*transport)->Call({.method = "PUT", .target = "/x", .body = "b"});
  ASSERT_TRUE(response) << response.error().message();
  EXPECT_EQ(response->body, "PUT /x b");
}

}  // namespace
}  // namespace berth::http
