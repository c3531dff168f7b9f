// SPDX-License-Identifier: Apache-2.0
#include "http/client/line_queue.h"

#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace berth::http {
namespace {

void Ignore() {}

std::string Line(LineQueue& queue) {
  const auto line = queue.Next();
  return line && *line ? **line : "<no line>";
}

TEST(LineQueue, JoinsLinesFromPieces) {
  LineQueue queue(100, 100);
  queue.Append("fir", Ignore);
  queue.Append("st\nsec", Ignore);
  queue.Append("ond\r\n\nlast", Ignore);
  queue.End({});
  EXPECT_EQ(Line(queue), "first");
  EXPECT_EQ(Line(queue), "second");
  EXPECT_EQ(Line(queue), "");
  EXPECT_EQ(Line(queue), "last");
  EXPECT_EQ(*queue.Next(), std::nullopt);
  EXPECT_EQ(*queue.Next(), std::nullopt) << "the end is permanent";
}

TEST(LineQueue, RejectsLineAboveLimit) {
  LineQueue queue(8, 100);
  queue.Append("short\n123456", Ignore);
  queue.Append("789\nnever read\n", Ignore);
  EXPECT_EQ(Line(queue), "short");
  const auto too_long = queue.Next();
  ASSERT_FALSE(too_long);
  EXPECT_EQ(too_long.error().reason(), Reason::kRequestEntityTooLarge);
  EXPECT_NE(too_long.error().message().find("8 bytes"), std::string::npos);
}

TEST(LineQueue, PausesTheProducerUntilHalfIsRead) {
  LineQueue queue(100, 10);
  int resumed = 0;
  const auto resume = [&] { ++resumed; };
  EXPECT_TRUE(queue.Append("12345\n", resume));
  EXPECT_FALSE(queue.Append("67890\nabc\n", resume));
  Line(queue);
  EXPECT_EQ(resumed, 0) << "more than half is still buffered";
  Line(queue);
  EXPECT_EQ(resumed, 1);
  Line(queue);
  EXPECT_EQ(resumed, 1) << "called once";
}

TEST(LineQueue, CloseReleasesProducerAndConsumer) {
  LineQueue queue(100, 1);
  int resumed = 0;
  queue.Append("waiting\n", [&] { ++resumed; });
  queue.Close();
  EXPECT_EQ(resumed, 1);
  EXPECT_EQ(queue.Next().error().reason(), Reason::kCanceled);
  EXPECT_TRUE(queue.Append("late\n", Ignore)) << "dropped";
  EXPECT_EQ(queue.Next().error().reason(), Reason::kCanceled);
}

TEST(LineQueue, FirstEndCounts) {
  LineQueue queue(100, 100);
  queue.End(Fail(Reason::kTimeout, "silent"));
  queue.End({});
  EXPECT_EQ(queue.Next().error().reason(), Reason::kTimeout);
}

TEST(LineQueue, NextWaitsForAnotherThread) {
  LineQueue queue(100, 100);
  std::jthread producer([&] { queue.Append("hello\n", Ignore); });
  EXPECT_EQ(Line(queue), "hello");
}

}  // namespace
}  // namespace berth::http
