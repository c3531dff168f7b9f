// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <optional>

#include "cel/libraries.h"

namespace berth::cel {
namespace {

using std::chrono::days;
using std::chrono::seconds;

// Parses "UTC" or an offset such as "+02:00" or "-8:30". Zone names are not supported, because
// there is no time zone database.
std::optional<seconds> ZoneOffset(std::string_view zone) {
  if (zone.empty() || zone == "UTC") return seconds(0);
  const bool is_west = zone[0] == '-';
  if (is_west || zone[0] == '+') zone.remove_prefix(1);
  const size_t colon = zone.find(':');
  if (colon == 0 || colon > 2 || zone.size() != colon + 3) return std::nullopt;
  int hours = 0;
  int minutes = 0;
  for (size_t i = 0; i < zone.size(); ++i) {
    if (i == colon) continue;
    if (zone[i] < '0' || zone[i] > '9') return std::nullopt;
    int& part = i < colon ? hours : minutes;
    part = part * 10 + (zone[i] - '0');
  }
  if (hours > 23 || minutes > 59) return std::nullopt;
  const seconds offset(hours * 3600 + minutes * 60);
  return is_west ? -offset : offset;
}

struct LocalTime {
  std::chrono::sys_days day;
  std::chrono::year_month_day date;
  std::chrono::hh_mm_ss<seconds> clock;
  int32_t nanos;
};

using Part = int64_t (*)(const LocalTime& local);

// Returns a part of a timestamp, in UTC or in the zone of the second argument.
template <Part part>
Value PartOf(Arguments a) {
  const std::string_view zone = a.size() > 1 ? a[1].AsString() : "UTC";
  const auto offset = ZoneOffset(zone);
  if (!offset) return Value::Error("unknown time zone " + std::string(zone));
  const std::chrono::sys_seconds instant(seconds(a[0].AsTimestamp().seconds) + *offset);
  const auto day = std::chrono::floor<days>(instant);
  return Value::Int(
      part({day, std::chrono::year_month_day(day), std::chrono::hh_mm_ss<seconds>(instant - day),
            a[0].AsTimestamp().nanos}));
}

int64_t Year(const LocalTime& local) { return static_cast<int>(local.date.year()); }
int64_t Month(const LocalTime& local) { return static_cast<unsigned>(local.date.month()) - 1; }
int64_t Date(const LocalTime& local) { return static_cast<unsigned>(local.date.day()); }
int64_t DayOfMonth(const LocalTime& local) { return Date(local) - 1; }
int64_t DayOfWeek(const LocalTime& local) { return std::chrono::weekday(local.day).c_encoding(); }
int64_t DayOfYear(const LocalTime& local) {
  const std::chrono::sys_days new_year =
      local.date.year() / std::chrono::January / std::chrono::day(1);
  return (local.day - new_year).count();
}
int64_t Hours(const LocalTime& local) { return local.clock.hours().count(); }
int64_t Minutes(const LocalTime& local) { return local.clock.minutes().count(); }
int64_t Seconds(const LocalTime& local) { return local.clock.seconds().count(); }
int64_t Milliseconds(const LocalTime& local) { return local.nanos / 1'000'000; }

// Returns the whole duration in that unit.
template <int64_t nanos_per_unit>
Value Whole(Arguments a) {
  return Value::Int(a[0].AsDuration().nanos / nanos_per_unit);
}

#define BERTH_CEL_PART(name, part)                      \
  {"(timestamp)." name "() -> int", PartOf<part>}, {    \
    "(timestamp)." name "(string) -> int", PartOf<part> \
  }

constexpr FunctionRow kTimeRows[] = {
    BERTH_CEL_PART("getFullYear", Year),
    BERTH_CEL_PART("getMonth", Month),
    BERTH_CEL_PART("getDayOfYear", DayOfYear),
    BERTH_CEL_PART("getDate", Date),
    BERTH_CEL_PART("getDayOfMonth", DayOfMonth),
    BERTH_CEL_PART("getDayOfWeek", DayOfWeek),
    BERTH_CEL_PART("getHours", Hours),
    BERTH_CEL_PART("getMinutes", Minutes),
    BERTH_CEL_PART("getSeconds", Seconds),
    BERTH_CEL_PART("getMilliseconds", Milliseconds),
    {"(duration).getHours() -> int", Whole<3'600'000'000'000>},
    {"(duration).getMinutes() -> int", Whole<60'000'000'000>},
    {"(duration).getSeconds() -> int", Whole<1'000'000'000>},
    {"(duration).getMilliseconds() -> int", Whole<1'000'000>},
};

#undef BERTH_CEL_PART

}  // namespace

std::span<const FunctionRow> TimeFunctions() { return kTimeRows; }

}  // namespace berth::cel
