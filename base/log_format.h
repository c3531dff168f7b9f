// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "base/log.h"

// Formats one log line. Pure functions, so that tests need no stream. Used only by log.cc.
namespace berth::log {

enum class Level { kError, kWarn, kInfo, kDebug };

struct Record {
  Level level = Level::kInfo;
  int verbosity = 0;  // n of V(n)
  std::chrono::system_clock::time_point time;
  std::string_view message;
  std::span<const Field> fields;
};

// Formats a line like klog, in UTC, without a line end:
//   I0102 15:04:05.000006 scheduler] "Bound pod" pod="default/web" node="n1" attempts=2
// Strings are quoted as in JSON, so that a value cannot forge a line.
std::string FormatText(const Record& record, const Options& options);

// Formats one JSON object on one line, without a line end. Always valid JSON and UTF-8:
//   {"ts":1767366245000.006,"level":"info","logger":"scheduler","msg":"Bound
//   pod","v":0,"pod":"default/web"}
// "v" is only in info lines. A caller's key equal to one of these five gets the suffix "_".
std::string FormatJson(const Record& record, const Options& options);

}  // namespace berth::log
