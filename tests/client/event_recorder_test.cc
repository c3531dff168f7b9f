// SPDX-License-Identifier: Apache-2.0
#include "client/event_recorder.h"

#include <atomic>

#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "tests/client/stub_client.h"

namespace berth::client {
namespace {

using http::StubReply;
using http::StubRequest;
using std::chrono::milliseconds;
using std::chrono::seconds;

Occurrence Scheduled(const std::string& pod) {
  return {.reason = "Scheduled",
          .action = "Binding",
          .note = "Successfully assigned work/" + pod + " to n1",
          .regarding = {.kind = "Pod", .namespace_ = "work", .name = pod}};
}

EventRecorderOptions Options() {
  return {.controller = "batch", .host = "h", .first_retry_delay = milliseconds(1)};
}

// Replies with an error that is retried.
void Fail(StubReply& reply) { reply.Send(500, "{}"); }

TEST(EventRecorder, WritesEventThenSeries) {
  StubClient stub([](const StubRequest&, StubReply& reply) { reply.Send(201, "{}"); });
  EventRecorder recorder(SendWith(*stub.client), Options(), stub.clock);
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

TEST(EventRecorder, RetriesWhileServerIsBusy) {
  std::atomic<int> calls = 0;
  StubClient stub(
      [&](const StubRequest&, StubReply& reply) { reply.Send(++calls < 3 ? 500 : 201, "{}"); });
  EventRecorder recorder(SendWith(*stub.client), Options(), stub.clock);
  recorder.Record(Scheduled("a"));
  EXPECT_TRUE(recorder.Flush(seconds(10)));
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(recorder.dropped(), 0u);
}

TEST(EventRecorder, RecreatesDeletedEventOfSeries) {
  std::atomic<int> creates = 0;
  StubClient stub([&](const StubRequest& request, StubReply& reply) {
    if (request.method == "PATCH") return reply.Send(404, StatusJson(404, "NotFound", "gone"));
    ++creates;
    reply.Send(201, "{}");
  });
  EventRecorder recorder(SendWith(*stub.client), Options(), stub.clock);
  recorder.Record(Scheduled("a"));
  ASSERT_TRUE(recorder.Flush(seconds(10)));
  recorder.Record(Scheduled("a"));
  EXPECT_TRUE(recorder.Flush(seconds(10)));
  EXPECT_EQ(creates, 2);
}

TEST(EventRecorder, TreatsAlreadyExistsAsWritten) {
  StubClient stub([](const StubRequest&, StubReply& reply) {
    reply.Send(409, StatusJson(409, "AlreadyExists", "there"));
  });
  EventRecorder recorder(SendWith(*stub.client), Options(), stub.clock);
  recorder.Record(Scheduled("a"));
  EXPECT_TRUE(recorder.Flush(seconds(10)));
  EXPECT_EQ(recorder.dropped(), 0u);
}

TEST(EventRecorder, WaitingRetryDoesNotDelayOtherEvents) {
  std::atomic<bool> busy = true;
  StubClient stub([&](const StubRequest& request, StubReply& reply) {
    if (busy && request.body.find("work/stuck to") != std::string::npos) return Fail(reply);
    reply.Send(201, "{}");
  });
  EventRecorderOptions options = Options();
  options.first_retry_delay = options.max_retry_delay = std::chrono::hours(1);
  EventRecorder recorder(SendWith(*stub.client), options, stub.clock);
  recorder.Record(Scheduled("stuck"));
  ASSERT_TRUE(http::Eventually([&] { return stub.server.requests().size() == 1; }));
  for (int i = 0; i < 50; ++i) recorder.Record(Scheduled("p" + std::to_string(i)));
  ASSERT_TRUE(http::Eventually([&] { return stub.server.requests().size() == 51; }));

  busy = false;
  EXPECT_TRUE(recorder.Flush(seconds(10))) << "Flush does not wait for the hour to pass";
  EXPECT_EQ(stub.server.requests().size(), 52u);
  EXPECT_EQ(recorder.dropped(), 0u);
}

// One connection reset among the events of a large batch of jobs: no event is lost, even if the
// process ends right after the last one.
TEST(EventRecorder, DrainLosesNoEventAfterFailedWrite) {
  constexpr int kEvents = 15000;
  for (const std::string failing : {"p7000", "p14960"}) {
    const SystemClock clock;
    std::atomic<int> written = 0;
    std::atomic<bool> failed = false;
    const auto send = [&](const ApiRequest& request, const Callback<std::string>& done) {
      const bool fails = request.body.find("work/" + failing + " to") != std::string::npos;
      if (fails && !failed.exchange(true)) return done(Failure(Error(Reason::kUnavailable, "")));
      ++written;
      done("{}");
    };
    EventRecorder recorder(send, {.controller = "batch", .host = "h"}, clock);
    for (int i = 0; i < kEvents; ++i) recorder.Record(Scheduled("p" + std::to_string(i)));
    EXPECT_TRUE(recorder.Flush(std::chrono::minutes(5)));  // no limit but for a hang
    EXPECT_TRUE(failed);
    EXPECT_EQ(written, kEvents);
    EXPECT_EQ(recorder.dropped(), 0u);
  }
}

TEST(EventRecorder, RetryDelayDoublesUpToMaximum) {
  FakeClock clock;
  std::atomic<int> stuck = 0, others = 0;
  const auto send = [&](const ApiRequest& request, const Callback<std::string>& done) {
    const bool fails = request.body.find("work/stuck to") != std::string::npos;
    done(fails ? Result<std::string>(Failure(Error(Reason::kUnavailable, "busy"))) : "{}");
    ++(fails ? stuck : others);  // after its retry is scheduled
  };
  EventRecorderOptions options = Options();
  options.first_retry_delay = milliseconds(4);
  options.max_retry_delay = milliseconds(12);
  options.max_tries = 4;
  options.random = [] { return 0.5; };
  EventRecorder recorder(send, options, clock);
  recorder.Record(Scheduled("stuck"));
  int tries = 1;
  for (const int due : {3, 6, 9}) {  // three quarters of 4, 8 and 12 ms
    ASSERT_TRUE(http::Eventually([&] { return stuck == tries; }));
    clock.Advance(milliseconds(due - 1));
    // When another event is written, the recorder has processed the retries that are due.
    recorder.Record(Scheduled("p" + std::to_string(tries)));
    ASSERT_TRUE(http::Eventually([&] { return others == tries; }));
    EXPECT_EQ(stuck, tries) << "not before " << due << " ms";
    clock.Advance(milliseconds(1));
    ++tries;
  }
  EXPECT_TRUE(http::Eventually([&] { return recorder.dropped() == 1; }));
}

TEST(EventRecorder, CountsEventsDroppedAtShutdown) {
  StubClient stub([](const StubRequest&, StubReply& reply) { Fail(reply); });
  MetricsRegistry metrics;
  Counter& dropped = AddDroppedEvents(metrics);
  EventRecorderOptions options = Options();
  options.first_retry_delay = options.max_retry_delay = std::chrono::hours(1);
  options.dropped = &dropped;
  {
    EventRecorder recorder(SendWith(*stub.client), options, stub.clock);
    for (int i = 0; i < 3; ++i) recorder.Record(Scheduled("p" + std::to_string(i)));
  }
  EXPECT_EQ(dropped.Value(), 3);
}

TEST(EventRecorder, WritesCountOfExistingRepeatedEvent) {
  std::atomic<int> patches = 0;
  StubClient stub([&](const StubRequest& request, StubReply& reply) {
    if (request.method == "POST") {
      return reply.Send(409, StatusJson(409, "AlreadyExists", "there"));
    }
    // The event is gone at the first PATCH and exists again when it is recreated.
    if (++patches == 1) return reply.Send(404, StatusJson(404, "NotFound", "gone"));
    reply.Send(200, "{}");
  });
  EventRecorder recorder(SendWith(*stub.client), Options(), stub.clock);
  recorder.Record(Scheduled("a"));
  ASSERT_TRUE(recorder.Flush(seconds(10)));
  recorder.Record(Scheduled("a"));
  EXPECT_TRUE(recorder.Flush(seconds(10)));
  EXPECT_EQ(patches, 2);
  EXPECT_EQ(recorder.dropped(), 0u);
}

TEST(EventRecorder, CountsRejectedAndExcessEvents) {
  StubClient stub([](const StubRequest&, StubReply& reply) {
    reply.Send(403, StatusJson(403, "Forbidden", "no"));
  });
  EventRecorderOptions options = Options();
  options.spam_limit = SpamLimit{.burst = 2};
  EventRecorder recorder(SendWith(*stub.client), options, stub.clock);
  for (int i = 0; i < 3; ++i) {
    Occurrence occurrence = Scheduled("a");
    occurrence.reason += std::to_string(i);
    recorder.Record(occurrence);
  }
  EXPECT_TRUE(recorder.Flush(seconds(10)));
  EXPECT_EQ(recorder.dropped(), 3u) << "two rejected, one over the burst";
  EXPECT_EQ(stub.server.requests().size(), 2u);
}

TEST(EventRecorder, BoundsPendingAndInFlightWrites) {
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
  EventRecorder recorder(SendWith(*stub.client), options, stub.clock);
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
