// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <stop_token>
#include <thread>

#include <gtest/gtest.h>

#include "http/client/transport.h"
#include "tests/http/client/connect.h"
#include "tests/support/http/stub_server.h"

namespace berth::http {
namespace {

using std::chrono::milliseconds;

class LineStreamTest : public EachLibrary {};
INSTANTIATE_TEST_SUITE_P(, LineStreamTest, ::testing::ValuesIn(kLibraries), NameOf);

TEST_P(LineStreamTest, ReturnsLinesAcrossChunks) {
  Gate first_read;
  StubServer server([&](const StubRequest&, StubReply& reply) {
    reply.Begin(200);
    reply.Chunk("{\"a\":1}\n{\"b\"");
    first_read.Wait();
    reply.Chunk(":2}\n{\"c\":3}");
    reply.Chunk("\n");
    reply.End();
  });
  auto transport = Connect(server);
  auto stream = transport->Open({.target = "/watch"});
  ASSERT_TRUE(stream) << stream.error().message();
  EXPECT_EQ((*stream)->code(), 200);
  EXPECT_EQ(**(*stream)->Next(), "{\"a\":1}");
  first_read.Open();
  EXPECT_EQ(**(*stream)->Next(), "{\"b\":2}");
  EXPECT_EQ(**(*stream)->Next(), "{\"c\":3}");
  EXPECT_EQ(*(*stream)->Next(), std::nullopt);
}

TEST_P(LineStreamTest, OpensWithAnyStatusCode) {
  StubServer server([](const StubRequest&, StubReply& reply) { reply.Send(410, "gone\n"); });
  auto transport = Connect(server);
  auto stream = transport->Open({});
  ASSERT_TRUE(stream);
  EXPECT_EQ((*stream)->code(), 410);
  EXPECT_EQ(**(*stream)->Next(), "gone");
}

TEST_P(LineStreamTest, SilenceEndsStream) {
  StubServer server([](const StubRequest&, StubReply& reply) {
    reply.Begin(200);
    reply.Chunk("one\n");
    reply.WaitForPeer();
  });
  auto transport = Connect(server, {.silence_limit = milliseconds(200)});
  auto stream = transport->Open({});
  ASSERT_TRUE(stream);
  EXPECT_EQ(**(*stream)->Next(), "one");
  const auto silent = (*stream)->Next();
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().reason(), Reason::kTimeout);
  EXPECT_NE(silent.error().message().find("no data from"), std::string::npos);
}

TEST_P(LineStreamTest, BrokenConnectionIsError) {
  StubServer server([](const StubRequest&, StubReply& reply) {
    reply.Begin(200);
    reply.Chunk("one\n");
    reply.Close();
  });
  auto transport = Connect(server);
  auto stream = transport->Open({});
  ASSERT_TRUE(stream);
  EXPECT_EQ(**(*stream)->Next(), "one");
  EXPECT_EQ((*stream)->Next().error().reason(), Reason::kUnavailable);
}

TEST_P(LineStreamTest, StopTokenWakesTheReader) {
  std::atomic<bool> peer_gone = false;
  StubServer server([&](const StubRequest&, StubReply& reply) {
    reply.Begin(200);
    reply.WaitForPeer();
    peer_gone = true;
  });
  auto transport = Connect(server);
  std::stop_source stop;
  auto stream = transport->Open({}, stop.get_token());
  ASSERT_TRUE(stream);
  std::jthread stopper([&] { stop.request_stop(); });
  EXPECT_EQ((*stream)->Next().error().reason(), Reason::kCanceled);
  EXPECT_TRUE(Eventually([&] { return peer_gone.load(); })) << "the connection must be closed";
}

TEST_P(LineStreamTest, DestructorClosesConnection) {
  std::atomic<bool> peer_gone = false;
  StubServer server([&](const StubRequest&, StubReply& reply) {
    reply.Begin(200);
    reply.WaitForPeer();
    peer_gone = true;
  });
  auto transport = Connect(server);
  ASSERT_TRUE(transport->Open({}));
  EXPECT_TRUE(Eventually([&] { return peer_gone.load(); }));
}

TEST_P(LineStreamTest, TimeoutBoundsTheWaitForHeaders) {
  StubServer server([](const StubRequest&, StubReply& reply) { reply.WaitForPeer(); });
  auto transport = Connect(server);
  const auto stream = transport->Open({.timeout = milliseconds(50)});
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().reason(), Reason::kTimeout);
}

TEST_P(LineStreamTest, RejectsLineAboveLimit) {
  StubServer server([](const StubRequest&, StubReply& reply) {
    reply.Begin(200);
    reply.Chunk(std::string(5000, 'x'));
    reply.WaitForPeer();
  });
  auto transport = Connect(server, {.max_line_bytes = 1000});
  auto stream = transport->Open({});
  ASSERT_TRUE(stream);
  EXPECT_EQ((*stream)->Next().error().reason(), Reason::kRequestEntityTooLarge);
}

TEST_P(LineStreamTest, SlowReaderSlowsServerDown) {
  constexpr int kChunks = 2000;  // 64 KiB each: far more than sockets and buffers hold
  std::atomic<int> written = 0;
  StubServer server([&](const StubRequest&, StubReply& reply) {
    reply.Begin(200);
    std::string chunk(65536, 'x');
    chunk.back() = '\n';
    for (int i = 0; i < kChunks; ++i) {
      reply.Chunk(chunk);
      ++written;
    }
    reply.End();
  });
  auto transport = Connect(server, {.stream_buffer_bytes = 1 << 20});
  auto stream = transport->Open({});
  ASSERT_TRUE(stream);
  // The server stops when the socket buffers are full: its count then stays constant.
  int last = -1;
  ASSERT_TRUE(Eventually([&] {
    const int now = written;
    std::this_thread::sleep_for(milliseconds(50));
    const bool stands = now > 0 && now == last;
    last = now;
    return stands;
  }));
  EXPECT_LT(last, kChunks / 2);
  int lines = 0;
  while (true) {
    const auto line = (*stream)->Next();
    ASSERT_TRUE(line) << line.error().message();
    if (!*line) break;
    ++lines;
  }
  EXPECT_EQ(lines, kChunks);
}

TEST_P(LineStreamTest, StreamsDoNotUseRequestLanes) {
  StubServer server([](const StubRequest& request, StubReply& reply) {
    if (request.target == "/watch") {
      reply.Begin(200);
      reply.WaitForPeer();
    } else {
      reply.Send(200, "ok");
    }
  });
  auto transport = Connect(server, {.normal_limit = 1});
  std::vector<std::unique_ptr<LineStream>> watches;
  for (int i = 0; i < 5; ++i) {
    auto stream = transport->Open({.target = "/watch"});
    ASSERT_TRUE(stream);
    watches.push_back(std::move(*stream));
  }
  EXPECT_TRUE(transport->Call({.target = "/request"}));
}

}  // namespace
}  // namespace berth::http
