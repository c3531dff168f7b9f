// SPDX-License-Identifier: Apache-2.0
#include "client/event_recorder.h"

#include <atomic>

#include <gtest/gtest.h>

#include "tests/client/stub_client.h"

namespace berth::client {
namespace {

using http::StubReply;
using http::StubRequest;
using std::chrono::seconds;

Occurrence Scheduled(const std::string& pod) {
  return {.reason = "Scheduled",
          .action = "Binding",
          .note = "Successfully assigned work/" + pod + " to n1",
          .regarding = {.kind = "Pod", .namespace_ = "work", .name = pod}};
}

EventRecorderOptions Options() {
  return {
      .controller = "batch", .instance = "batch-h", .retry_delay = std::chrono::milliseconds(1)};
}

TEST(EventRecorder, WritesAnEventAndThenItsSeries) {
  StubClient stub([](const StubRequest&, StubReply& reply) { reply.Send(201, "{}"); });
  EventRecorder recorder(*stub.client, Options(), stub.clock);
  recorder.Record(Scheduled("a"));
  ASSERT_TRUE(recorder.Flush(seconds(10)));
  recorder.Record(Scheduled("a"));
  recorder.Record(Scheduled("a"));
  ASSERT_TRUE(recorder.Flush(seconds(10)));
  const auto requests = stub.server.requests();
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0].method, "POST");
  EXPECT_EQ(requests[0].target, "/apis/events.k8s.io/v1/namespaces/work/events");
  EXPECT_NE(requests[0].body.find("Successfully assigned work/a to n1"), std::string::npos);
  EXPECT_EQ(requests[1].method, "PATCH");
  EXPECT_TRUE(requests[1].target.starts_with("/apis/events.k8s.io/v1/namespaces/work/events/a."));
  EXPECT_NE(requests[1].body.find("\"count\":2"), std::string::npos) << requests[1].body;
  EXPECT_EQ(recorder.dropped(), 0u);
}

TEST(EventRecorder, TriesAgainWhileTheServerIsBusy) {
  std::atomic<int> calls = 0;
  StubClient stub(
      [&](const StubRequest&, StubReply& reply) { reply.Send(++calls < 3 ? 500 : 201, "{}"); });
  EventRecorder recorder(*stub.client, Options(), stub.clock);
  recorder.Record(Scheduled("a"));
  EXPECT_TRUE(recorder.Flush(seconds(10)));
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(recorder.dropped(), 0u);
}

TEST(EventRecorder, ASeriesWhoseEventIsGoneIsWrittenAnew) {
  std::atomic<int> creates = 0;
  StubClient stub([&](const StubRequest& request, StubReply& reply) {
    if (request.method == "PATCH") return reply.Send(404, StatusJson(404, "NotFound", "gone"));
    ++creates;
    reply.Send(201, "{}");
  });
  EventRecorder recorder(*stub.client, Options(), stub.clock);
  recorder.Record(Scheduled("a"));
  ASSERT_TRUE(recorder.Flush(seconds(10)));
  recorder.Record(Scheduled("a"));
  EXPECT_TRUE(recorder.Flush(seconds(10)));
  EXPECT_EQ(creates, 2);
}

TEST(EventRecorder, AnEventThatIsThereAlreadyWasPostedTwice) {
  StubClient stub([](const StubRequest&, StubReply& reply) {
    reply.Send(409, StatusJson(409, "AlreadyExists", "there"));
  });
  EventRecorder recorder(*stub.client, Options(), stub.clock);
  recorder.Record(Scheduled("a"));
  EXPECT_TRUE(recorder.Flush(seconds(10)));
  EXPECT_EQ(recorder.dropped(), 0u);
}

TEST(EventRecorder, CountsWhatIsRefusedAndWhatIsTooMuch) {
  StubClient stub([](const StubRequest&, StubReply& reply) {
    reply.Send(403, StatusJson(403, "Forbidden", "no"));
  });
  EventRecorderOptions options = Options();
  options.burst = 2;
  EventRecorder recorder(*stub.client, options, stub.clock);
  for (int i = 0; i < 3; ++i) {
    Occurrence occurrence = Scheduled("a");
    occurrence.reason += std::to_string(i);
    recorder.Record(occurrence);
  }
  EXPECT_TRUE(recorder.Flush(seconds(10)));
  EXPECT_EQ(recorder.dropped(), 3u) << "two refused, one over the burst";
  EXPECT_EQ(stub.server.requests().size(), 2u);
}

TEST(EventRecorder, BoundsWhatWaitsAndWhatIsInFlight) {
  http::Gate gate;
  std::atomic<int> running = 0, most = 0;
  StubClient stub([&](const StubRequest&, StubReply& reply) {
    most = std::max<int>(most, ++running);
    gate.Wait();
    --running;
    reply.Send(201, "{}");
  });
  EventRecorderOptions options = Options();
  options.max_pending = 5;
  options.max_in_flight = 2;
  EventRecorder recorder(*stub.client, options, stub.clock);
  recorder.Record(Scheduled("a"));
  recorder.Record(Scheduled("b"));
  ASSERT_TRUE(http::Eventually([&] { return running == 2; }));
  for (int i = 0; i < 8; ++i) recorder.Record(Scheduled("p" + std::to_string(i)));
  EXPECT_EQ(recorder.dropped(), 3u);
  gate.Open();
  EXPECT_TRUE(recorder.Flush(seconds(10)));
  EXPECT_EQ(most, 2);
  EXPECT_EQ(stub.server.requests().size(), 7u);
}

}  // namespace
}  // namespace berth::client
