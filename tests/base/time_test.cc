// SPDX-License-Identifier: Apache-2.0
#include "base/time.h"

#include <limits>

#include <gtest/gtest.h>

namespace berth {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

TEST(Time, ReadsRfc3339AndWritesUtcSeconds) {
  const struct {
    std::string_view text;
    std::string_view written;
    std::string_view micro;
  } rows[] = {
      {"2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000000Z"},
      {"2026-01-02T03:04:05.678901Z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678901Z"},
      {"2026-01-02T03:04:05.1Z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.100000Z"},
      {"2026-01-02T03:04:05.1234567899Z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456Z"},
      {"2026-01-02t03:04:05z", "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000000Z"},
      {"2026-01-02T00:30:00+01:30", "2026-01-01T23:00:00Z", "2026-01-01T23:00:00.000000Z"},
      {"2025-12-31T23:00:00-05:00", "2026-01-01T04:00:00Z", "2026-01-01T04:00:00.000000Z"},
      {"2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000Z"},
      {"1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.500000Z"},
      {"9999-12-31T23:59:59Z", "2262-04-11T23:47:16Z", "2262-04-11T23:47:16.854775Z"},
      {"0002-01-01T00:00:00Z", "1677-09-21T00:12:43Z", "1677-09-21T00:12:43.145224Z"},
  };
  for (const auto& row : rows) {
    const auto time = Time::Parse(row.text);
    ASSERT_TRUE(time.has_value()) << row.text;
    EXPECT_EQ(time->ToString(), row.written) << row.text;
    EXPECT_EQ(time->ToMicroString(), row.micro) << row.text;
    EXPECT_EQ(MicroTime::Parse(row.text)->ToString(), row.micro) << row.text;
  }
}

TEST(Time, RejectsInvalidText) {
  for (const std::string_view text :
       {"", "2026", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02 03:04:05Z",
        "2026-13-02T03:04:05Z", "2026-02-30T03:04:05Z", "2025-02-29T03:04:05Z",
        "2026-01-02T24:00:00Z", "2026-01-02T03:60:05Z", "2026-01-02T03:04:60Z",
        "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05Z ", "2026-01-02T03:04:05+0100",
        "2026-1-2T03:04:05Z", "-026-01-02T03:04:05Z", "yesterday"}) {
    const auto time = Time::Parse(text);
    ASSERT_FALSE(time.has_value()) << text;
    EXPECT_EQ(time.error().reason(), Reason::kConfig);
    EXPECT_NE(time.error().message().find("\"" + std::string(text) + "\""), std::string::npos);
    EXPECT_FALSE(MicroTime::Parse(text).has_value());
  }
}

TEST(Time, IsZeroUntilSet) {
  EXPECT_TRUE(Time().IsZero());
  EXPECT_TRUE(Time().IsEmpty());
  EXPECT_TRUE(MicroTime().IsEmpty());
  EXPECT_TRUE(Time::Parse("0001-01-01T00:00:00Z")->IsZero()) << "Go's zero time";
  EXPECT_FALSE(Time::FromUnixSeconds(1).IsZero());
}

TEST(Time, CountsAndCompares) {
  const Time start = Time::FromUnixSeconds(1767323045);
  EXPECT_EQ(start.ToString(), "2026-01-02T03:04:05Z");
  EXPECT_EQ(start.UnixSeconds(), 1767323045);
  EXPECT_EQ((start + seconds(55)).ToString(), "2026-01-02T03:05:00Z");
  EXPECT_EQ((start - seconds(6)).ToString(), "2026-01-02T03:03:59Z");
  EXPECT_EQ((start + seconds(5)) - start, seconds(5));
  EXPECT_LT(start, start + nanoseconds(1));
  EXPECT_EQ(Time::Parse("1969-12-31T23:59:59.5Z")->UnixSeconds(), -1);
  EXPECT_EQ(Time::FromUnixSeconds(std::numeric_limits<int64_t>::max()).ToString(),
            "2262-04-11T23:47:16Z");
}

// Results of Go's time package.
TEST(Duration, ReadsAndWritesLikeGo) {
  const struct {
    std::string_view text;
    std::string_view written;
    int64_t nano;
  } rows[] = {
      {"0", "0s", 0},
      {"0s", "0s", 0},
      {"-0", "0s", 0},
      {"15s", "15s", 15'000'000'000},
      {"1h", "1h0m0s", 3600'000'000'000},
      {"1m30s", "1m30s", 90'000'000'000},
      {"1.5h", "1h30m0s", 5400'000'000'000},
      {"100ms", "100ms", 100'000'000},
      {"-1.5s", "-1.5s", -1'500'000'000},
      {"+5s", "5s", 5'000'000'000},
      {"1us", "1\u00b5s", 1000},
      {"1.5\u00b5s", "1.5\u00b5s", 1500},
      {"2\u03bcs", "2\u00b5s", 2000},
      {"1ns", "1ns", 1},
      {"0.5ns", "0s", 0},
      {"1h1m1s1ms", "1h1m1.001s", 3661'001'000'000},
      {"1.000000001s", "1.000000001s", 1'000'000'001},
      {".5s", "500ms", 500'000'000},
      {"1.s", "1s", 1'000'000'000},
      {"72h3m0.5s", "72h3m0.5s", 259380'500'000'000},
      {"1ms500us", "1.5ms", 1'500'000},
      {"9223372036854775807ns", "2562047h47m16.854775807s", std::numeric_limits<int64_t>::max()},
      {"-9223372036854775808ns", "-2562047h47m16.854775808s", std::numeric_limits<int64_t>::min()},
  };
  for (const auto& row : rows) {
    const auto duration = Duration::Parse(row.text);
    ASSERT_TRUE(duration.has_value()) << row.text;
    EXPECT_EQ(duration->length().count(), row.nano) << row.text;
    EXPECT_EQ(duration->ToString(), row.written) << row.text;
  }
}

TEST(Duration, ErrorNamesTheCause) {
  const struct {
    std::string_view text;
    std::string_view why;
  } rows[] = {
      {"", "no number"},
      {"-", "no number"},
      {"1", "without a unit"},
      {"1h30", "without a unit"},
      {"s", "a unit without a number"},
      {".", "without digits"},
      {"-.s", "without digits"},
      {"1x", "unknown unit \"x\""},
      {"1 s", "unknown unit \" s\""},
      {"1d", "unknown unit \"d\", allowed are ns, us, ms, s, m, h"},
      {"3000000h", "longer than 292 years"},
      {"9223372036854775808ns", "longer than 292 years"},
      {"99999999999999999999999999h", "longer than 292 years"},
  };
  for (const auto& row : rows) {
    const auto duration = Duration::Parse(row.text);
    ASSERT_FALSE(duration.has_value()) << row.text;
    EXPECT_NE(duration.error().message().find(row.why), std::string::npos)
        << duration.error().message();
  }
}

TEST(Duration, ConvertsFromAndToNanoseconds) {
  const Duration duration = std::chrono::milliseconds(1500);
  EXPECT_EQ(duration.ToString(), "1.5s");
  EXPECT_DOUBLE_EQ(duration.Seconds(), 1.5);
  EXPECT_FALSE(duration.IsEmpty());
  EXPECT_TRUE(Duration().IsEmpty());
  EXPECT_LT(Duration(seconds(1)), duration);
}

}  // namespace
}  // namespace berth
