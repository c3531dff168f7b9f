// SPDX-License-Identifier: Apache-2.0
#include "base/log_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/json/json.h"
#include "base/strings.h"
#include "base/time.h"

namespace berth::log {
namespace {

constexpr std::array<std::string_view, 5> kOwnKeys = {"ts", "level", "logger", "msg", "v"};

std::string_view Word(Level level) {
  switch (level) {
    case Level::kError:
      return "error";
    case Level::kWarn:
      return "warn";
    case Level::kInfo:
      return "info";
    case Level::kDebug:
      return "debug";
  }
  return "info";
}

char Letter(Level level) {
  switch (level) {
    case Level::kError:
      return 'E';
    case Level::kWarn:
      return 'W';
    case Level::kInfo:
      return 'I';
    case Level::kDebug:
      return 'D';
  }
  return 'I';
}

template <class Number>
void AppendNumber(Number number, std::string& out) {
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

void AppendQuoted(std::string_view text, std::string& out) {
  if (IsValidUtf8(text)) {
    json::AppendQuoted(text, out);
  } else {
    json::AppendQuoted(ReplaceInvalidUtf8(text), out);
  }
}

void AppendValue(const Value& value, std::string& out) {
  struct Visitor {
    std::string& out;
    void operator()(std::string_view text) const { AppendQuoted(text, out); }
    void operator()(bool truth) const { out += truth ? "true" : "false"; }
    void operator()(int64_t number) const { AppendNumber(number, out); }
    void operator()(uint64_t number) const { AppendNumber(number, out); }
    void operator()(double number) const {
      if (std::isfinite(number)) {
        AppendNumber(number, out);
      } else {  // JSON has no NaN or infinity
        out += std::isnan(number) ? "\"NaN\"" : number > 0 ? "\"+Inf\"" : "\"-Inf\"";
      }
    }
  };
  std::visit(Visitor{out}, value.variant());
}

// Appends microseconds / 10^digits with `digits` decimals.
void AppendFixed(int64_t microseconds, int digits, std::string& out) {
  std::string text = std::to_string(microseconds);
  const auto decimals = static_cast<size_t>(digits);
  if (text.size() <= decimals) text.insert(0, decimals + 1 - text.size(), '0');
  text.insert(text.size() - decimals, ".");
  out += text;
}

// A key in a text line is unquoted, so it must not contain separators.
void AppendTextKey(std::string_view key, std::string& out) {
  const bool plain = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return c > ' ' && c < 0x7F && c != '=' && c != '"';
  });
  if (plain) {
    out += key;
  } else {
    AppendQuoted(key, out);
  }
}

}  // namespace

std::string FormatText(const Record& record, const Options& options) {
  const std::string time = Time(record.time).ToMicroString();  // 2026-01-02T15:04:05.000006Z
  std::string out(1, Letter(record.level));
  out.append(time, 5, 2).append(time, 8, 2);
  out += ' ';
  out.append(time, 11, 15);
  if (!options.component.empty()) out.append(" ").append(options.component);
  out += "] ";
  AppendQuoted(record.message, out);
  for (const Field& field : record.fields) {
    out += ' ';
    AppendTextKey(field.key, out);
    out += '=';
    AppendValue(field.value, out);
  }
  return out;
}

std::string FormatJson(const Record& record, const Options& options) {
  const int64_t microseconds =
      std::chrono::floor<std::chrono::microseconds>(record.time.time_since_epoch()).count();
  std::string out = "{\"ts\":";
  AppendFixed(microseconds, options.json_time == TimeUnit::kMilliseconds ? 3 : 6, out);
  out.append(R"(,"level":")").append(Word(record.level)).append("\"");
  if (!options.component.empty()) {
    out += ",\"logger\":";
    AppendQuoted(options.component, out);
  }
  out += ",\"msg\":";
  AppendQuoted(record.message, out);
  if (record.level == Level::kInfo) {
    out += ",\"v\":";
    AppendNumber(record.verbosity, out);
  }
  for (const Field& field : record.fields) {
    std::string key(field.key);
    if (std::find(kOwnKeys.begin(), kOwnKeys.end(), key) != kOwnKeys.end()) key += '_';
    out += ',';
    AppendQuoted(key, out);
    out += ':';
    AppendValue(field.value, out);
  }
  return out + "}";
}

}  // namespace berth::log
