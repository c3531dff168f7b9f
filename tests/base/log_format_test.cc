// SPDX-License-Identifier: Apache-2.0
#include "base/log_format.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/time.h"

namespace berth::log {
namespace {

Record MakeRecord(Level level, std::string_view message, std::span<const Field> fields = {}) {
  return {.level = level,
          .verbosity = 0,
          .time = Time::Parse("2026-01-02T15:04:05.000006Z")->point(),
          .message = message,
          .fields = fields};
}

TEST(FormatText, FormatsLikeKlog) {
  const ::berth::Error error(Reason::kConflict, "object was changed");
  const std::string node = "n1";
  const Field fields[] = {{"pod", "default/web"}, {"node", node},
                          {"attempts", 2},        {"big", uint64_t{18446744073709551615U}},
                          {"seconds", 0.25},      {"ok", true},
                          {"err", error}};
  EXPECT_EQ(
      FormatText(MakeRecord(Level::kInfo, "Bound pod", fields), {.component = "scheduler"}),
      "I0102 15:04:05.000006 scheduler] \"Bound pod\" pod=\"default/web\" node=\"n1\" attempts=2 "
      "big=18446744073709551615 seconds=0.25 ok=true err=\"object was changed\"");
  EXPECT_EQ(FormatText(MakeRecord(Level::kError, "x"), {}), "E0102 15:04:05.000006] \"x\"");
  EXPECT_EQ(FormatText(MakeRecord(Level::kWarn, "x"), {})[0], 'W');
  EXPECT_EQ(FormatText(MakeRecord(Level::kDebug, "x"), {})[0], 'D');
}

TEST(FormatText, EscapesLineEndsInValues) {
  const Field fields[] = {{"a b", "x\nE0102 forged \"quoted\""}, {"", "\x1b[31m"}};
  EXPECT_EQ(FormatText(MakeRecord(Level::kInfo, "Read\nfile", fields), {}),
            "I0102 15:04:05.000006] \"Read\\nfile\" \"a b\"=\"x\\nE0102 forged \\\"quoted\\\"\" "
            "\"\"=\"\\u001b[31m\"");
}

TEST(FormatJson, WritesOneObjectWithKlogsKeys) {
  const Field fields[] = {{"pod", "default/web"}, {"attempts", -2}, {"ok", false}};
  Record record = MakeRecord(Level::kInfo, "Bound pod", fields);
  record.verbosity = 3;
  EXPECT_EQ(
      FormatJson(record, {.format = Format::kJson, .component = "scheduler"}),
      "{\"ts\":1767366245000.006,\"level\":\"info\",\"logger\":\"scheduler\",\"msg\":\"Bound pod\","
      "\"v\":3,\"pod\":\"default/web\",\"attempts\":-2,\"ok\":false}");
}

TEST(FormatJson, WritesSecondsForOperators) {
  EXPECT_EQ(FormatJson(MakeRecord(Level::kError, "x"), {.json_time = TimeUnit::kSeconds}),
            "{\"ts\":1767366245.000006,\"level\":\"error\",\"msg\":\"x\"}");
}

TEST(FormatJson, WritesSmallTimesWithLeadingZeros) {
  const Record record{.time = std::chrono::system_clock::time_point(std::chrono::microseconds(7))};
  EXPECT_EQ(FormatJson(record, {}).substr(0, 12), "{\"ts\":0.007,");
}

TEST(FormatJson, AppendsUnderscoreToReservedKeys) {
  const Field fields[] = {{"msg", "other"}, {"ts", 1}, {"v", 2}, {"level", 3}, {"logger", 4}};
  const auto line = nlohmann::json::parse(FormatJson(MakeRecord(Level::kInfo, "x", fields), {}));
  EXPECT_EQ(line["msg"], "x");
  EXPECT_EQ(line["msg_"], "other");
  EXPECT_EQ(line["ts_"], 1);
  EXPECT_EQ(line["v_"], 2);
  EXPECT_EQ(line["level_"], 3);
  EXPECT_EQ(line["logger_"], 4);
}

TEST(FormatJson, WritesNanAndInfinityAsStrings) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Field fields[] = {{"a", infinity}, {"b", -infinity}, {"c", std::nan("")}};
  const auto line = nlohmann::json::parse(FormatJson(MakeRecord(Level::kWarn, "x", fields), {}));
  EXPECT_EQ(line["a"], "+Inf");
  EXPECT_EQ(line["b"], "-Inf");
  EXPECT_EQ(line["c"], "NaN");
}

TEST(FormatJson, WritesValidJsonForAnyBytes) {
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) {
    std::string key(random() % 6, ' ');
    std::string value(random() % 40, ' ');
    for (char& c : key) c = static_cast<char>(random());
    for (char& c : value) c = static_cast<char>(random());
    const Field fields[] = {{key, value}};
    const std::string line = FormatJson(MakeRecord(Level::kInfo, value, fields), {});
    const auto parsed = nlohmann::json::parse(line, nullptr, false);
    ASSERT_FALSE(parsed.is_discarded()) << line;
    ASSERT_EQ(line.find('\n'), std::string::npos);
  }
}

TEST(FormatJson, ReplacesInvalidUtf8) {
  const Field fields[] = {{"a", "x\xFFy\xC3\xA9"}};
  const auto line = nlohmann::json::parse(FormatJson(MakeRecord(Level::kInfo, "x", fields), {}));
  EXPECT_EQ(line["a"], "x\uFFFDy\u00e9");
}

}  // namespace
}  // namespace berth::log
