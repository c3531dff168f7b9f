// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "base/log.h"

// How one log line looks. Pure, so it is tested without a stream; only log.cc uses it.
namespace berth::log {

enum class Level { kError, kWarn, kInfo, kDebug };

struct Record {
  Level level = Level::kInfo;
  int verbosity = 0;  // n of V(n)
  std::chrono::system_clock::time_point time;
  std::string_view message;
  std::span<const Field> fields;
};

// FormatText gives a line in klog's form, UTC, without a line end:
//   I0102 15:04:05.000006 scheduler] "Bound pod" pod="default/web" node="n1" attempts=2
// Texts are quoted as in JSON, so no value can forge a line.
std::string FormatText(const Record& record, const Options& options);

// FormatJson gives one JSON object on one line, without a line end, always valid JSON in valid
// UTF-8:
//   {"ts":1767366245000.006,"level":"info","logger":"scheduler","msg":"Bound
//   pod","v":0,"pod":"default/web"}
// "v" stands in info lines. A key of the caller that is one of these five gets a "_" behind it.
std::string FormatJson(const Record& record, const Options& options);

}  // namespace berth::log
