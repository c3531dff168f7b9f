// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/go/go_time.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

struct Case {
  const char *text, *seconds, *micros;  // what follows "parsing time TEXT"; null for a time
};

// The texts are what Go 1.26 prints.
constexpr Case kCases[] = {
    {"2020-01-01T00:00:00Z", nullptr, R"( as L: cannot parse "Z" as ".000000")"},
    {"2020-01-01T00:00:00.123456Z", nullptr, nullptr},
    {"2020-01-01T00:00:00.1234567Z", nullptr, R"( as L: cannot parse "7Z" as "Z07:00")"},
    {"2020-01-01T00:00:00+01:00", nullptr, R"( as L: cannot parse "+01:00" as ".000000")"},
    {"yesterday", R"( as L: cannot parse "yesterday" as "2006")",
     R"( as L: cannot parse "yesterday" as "2006")"},
    {"", R"( as L: cannot parse "" as "2006")", R"( as L: cannot parse "" as "2006")"},
    {"2020-1-01T00:00:00.000000Z", R"( as L: cannot parse "1-01T00:00:00.000000Z" as "01")",
     R"( as L: cannot parse "1-01T00:00:00.000000Z" as "01")"},
    {"2020-13-01T00:00:00Z", ": month out of range", ": month out of range"},
    {"2020-02-30T00:00:00.000000Z", ": day out of range", ": day out of range"},
    {"2020-01-01T25:00:00Z", ": hour out of range", ": hour out of range"},
    {"2020-01-01T00:00:00.000000+25:00", ": time zone offset hour out of range",
     ": time zone offset hour out of range"},
    {"2020-01-01T00:00:00.000000Zx", R"(: extra text: "x")", R"(: extra text: "x")"},
};

std::string Expected(const Case& each, const char* message, const std::string& layout) {
  std::string text = message;
  if (const size_t at = text.find("as L"); at != std::string::npos)
    text.replace(at, 4, "as \"" + layout + "\"");
  return std::string("parsing time \"") + each.text + "\"" + text;
}

void Check(GoTime form, const Case& each, const char* message, const std::string& layout) {
  const auto problem = GoTimeProblem(form, each.text);
  ASSERT_EQ(problem.has_value(), message != nullptr) << each.text << problem.value_or("");
  if (problem) EXPECT_EQ(*problem, Expected(each, message, layout));
}

TEST(GoTimeProblem, SaysWhatGoSays) {
  for (const Case& each : kCases) {
    Check(GoTime::kSeconds, each, each.seconds, "2006-01-02T15:04:05Z07:00");
    Check(GoTime::kMicroseconds, each, each.micros, "2006-01-02T15:04:05.000000Z07:00");
  }
}

TEST(GoTimeProblem, EscapesWhatIsNoAscii) {
  EXPECT_EQ(GoTimeProblem(GoTime::kSeconds, "2\"\xc3\xa9"),
            R"(parsing time "2\"\xc3\xa9" as "2006-01-02T15:04:05Z07:00": )"
            R"(cannot parse "2\"\xc3\xa9" as "2006")");
}

}  // namespace
}  // namespace berth::apiserver
