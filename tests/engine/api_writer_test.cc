// SPDX-License-Identifier: Apache-2.0
#include "engine/api_writer.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/client/transport.h"
#include "tests/engine/fake_server.h"

namespace berth::engine {
namespace {

using ::testing::ElementsAre;

// ApiWriterTest identifies a request by its target.
class ApiWriterTest : public ::testing::Test {
 protected:
  static ApiWriterOptions Options() {
    ApiWriterOptions options;
    options.in_flight = {{3, 3, 2, 1}};
    options.waiting = {{4, 4, 4, 4}};
    return options;
  }
  ApiWriter::Ticket Send(WriteClass write_class, const std::string& name, bool fenced = false) {
    return writer_->Send({.write_class = write_class,
                          .request = Named(name),
                          .done =
                              [this, name](const Result<std::string>& result) {
                                (result ? done_ : failed_).push_back(name);
                              },
                          .fenced = fenced});
  }
  static client::ApiRequest Named(const std::string& name) {
    client::ApiRequest request;
    request.target = name;
    return request;
  }
  // Answers requests until none is in flight; returns the sent requests, in order.
  std::vector<std::string> AnswerAll() {
    std::vector<std::string> left;
    while (server_.pending() > 0) left.push_back(server_.Answer("{}").target);
    return left;
  }

  bool may_write_ = true;
  FakeServer server_;
  std::optional<ApiWriter> writer_{std::in_place, server_, [this] {
                                     ApiWriterOptions options = Options();
                                     options.may_write = [this] { return may_write_; };
                                     return options;
                                   }()};
  std::vector<std::string> done_, failed_;
};

TEST_F(ApiWriterTest, SendsEvictionsBetweenBindingsAndStatusPatches) {
  for (int i = 0; i < 3; ++i) Send(WriteClass::kBinding, "in flight");
  Send(WriteClass::kStatus, "status");
  Send(WriteClass::kEviction, "eviction");
  Send(WriteClass::kBinding, "binding");
  EXPECT_THAT(AnswerAll(),
              ElementsAre("in flight", "in flight", "in flight", "binding", "eviction", "status"));
}

TEST_F(ApiWriterTest, SendsBindingsBeforeStatusPatchesBeforeEvents) {
  Send(WriteClass::kEvent, "event 1");
  Send(WriteClass::kEvent, "event 2");
  Send(WriteClass::kStatus, "status 1");
  Send(WriteClass::kStatus, "status 2");
  Send(WriteClass::kBinding, "binding 1");
  Send(WriteClass::kBinding, "binding 2");
  EXPECT_THAT(AnswerAll(),
              ElementsAre("event 1", "status 1", "binding 1", "binding 2", "status 2", "event 2"));
  EXPECT_EQ(done_.size(), 6u);
}

TEST_F(ApiWriterTest, LowerClassesLeaveCapacityForHigherClasses) {
  for (const char* name : {"1", "2", "3"}) Send(WriteClass::kEvent, name);
  EXPECT_EQ(server_.pending(), 1u);
  for (const char* name : {"4", "5"}) Send(WriteClass::kStatus, name);
  EXPECT_EQ(server_.pending(), 2u);
  for (const char* name : {"6", "7"}) Send(WriteClass::kBinding, name);
  EXPECT_EQ(server_.pending(), 3u);
}

TEST(ApiWriterOptions, InFlightLimitsEqualTheTransportConnections) {
  EXPECT_EQ(ApiWriterOptions().in_flight[WriteClass::kBinding],
            http::TransportOptions().normal_limit);
}

TEST_F(ApiWriterTest, DropsAndCountsRequestsBeyondTheClassLimit) {
  for (int i = 0; i < 2; ++i) Send(WriteClass::kStatus, "in flight");
  for (int i = 0; i < 4; ++i) Send(WriteClass::kStatus, "waits");
  Send(WriteClass::kStatus, "too many");
  EXPECT_THAT(failed_, ElementsAre("too many"));
  Send(WriteClass::kEvent, "another class");
  const ApiWriterStatistics now = writer_->Statistics();
  EXPECT_EQ(now.waiting[WriteClass::kStatus], 4u);
  EXPECT_EQ(now.dropped[WriteClass::kStatus], 1u);
  EXPECT_EQ(now.waiting[WriteClass::kEvent], 1u);
  EXPECT_EQ(now.dropped[WriteClass::kEvent], 0u);
  EXPECT_EQ(AnswerAll().size(), 7u);
  EXPECT_EQ(writer_->Statistics().waiting[WriteClass::kStatus], 0u);
}

TEST_F(ApiWriterTest, ReplacedRequestKeepsItsPosition) {
  for (int i = 0; i < 2; ++i) Send(WriteClass::kStatus, "in flight");
  const ApiWriter::Ticket first = Send(WriteClass::kStatus, "old");
  Send(WriteClass::kStatus, "behind");
  EXPECT_TRUE(writer_->Replace(first, Named("new")));
  EXPECT_THAT(AnswerAll(), ElementsAre("in flight", "in flight", "new", "behind"));
  EXPECT_FALSE(writer_->Replace(first, Named("too late")));
}

TEST_F(ApiWriterTest, WithdrawnRequestIsNeitherSentNorAnswered) {
  for (int i = 0; i < 2; ++i) Send(WriteClass::kStatus, "in flight");
  const ApiWriter::Ticket ticket = Send(WriteClass::kStatus, "withdrawn");
  EXPECT_TRUE(writer_->Withdraw(ticket));
  EXPECT_FALSE(writer_->Withdraw(ticket));
  EXPECT_THAT(AnswerAll(), ElementsAre("in flight", "in flight"));
  EXPECT_THAT(done_, ElementsAre("in flight", "in flight"));
  EXPECT_TRUE(failed_.empty());
}

TEST_F(ApiWriterTest, ChecksTheFenceAtSendTime) {
  for (int i = 0; i < 3; ++i) Send(WriteClass::kBinding, "in flight", true);
  Send(WriteClass::kBinding, "fenced", true);
  Send(WriteClass::kBinding, "reads", false);
  may_write_ = false;
  EXPECT_THAT(AnswerAll(), ElementsAre("in flight", "in flight", "in flight", "reads"));
  EXPECT_THAT(failed_, ElementsAre("fenced"));
}

TEST_F(ApiWriterTest, DiscardDropsOneClass) {
  for (int i = 0; i < 3; ++i) Send(WriteClass::kBinding, "in flight");
  Send(WriteClass::kStatus, "status 1");
  Send(WriteClass::kStatus, "status 2");
  Send(WriteClass::kEvent, "event");
  writer_->Discard(WriteClass::kStatus);
  EXPECT_THAT(failed_, ElementsAre("status 1", "status 2"));
  EXPECT_EQ(writer_->Statistics().dropped[WriteClass::kStatus], 2u);
  EXPECT_THAT(AnswerAll(), ElementsAre("in flight", "in flight", "in flight", "event"));
}

TEST_F(ApiWriterTest, ClosedWriterDropsQueuedAndNewRequests) {
  for (int i = 0; i < 3; ++i) Send(WriteClass::kBinding, "in flight");
  Send(WriteClass::kStatus, "waits");
  writer_->Close();
  Send(WriteClass::kEvent, "comes");
  EXPECT_THAT(failed_, ElementsAre("waits", "comes"));
  EXPECT_EQ(AnswerAll().size(), 3u);
  EXPECT_EQ(done_.size(), 3u);
}

TEST_F(ApiWriterTest, CallsNoCallbackAfterItsDestruction) {
  for (int i = 0; i < 4; ++i) Send(WriteClass::kBinding, "never answered");
  writer_.reset();
  EXPECT_EQ(AnswerAll().size(), 3u) << "the fourth was never sent";
  EXPECT_TRUE(done_.empty());
  EXPECT_TRUE(failed_.empty());
}

}  // namespace
}  // namespace berth::engine
