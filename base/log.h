// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

#include "base/error.h"

// Structured logging to stderr: a message that never varies, and keys with values.
//
//   log::Info("Bound pod", {{"pod", key}, {"node", node}});
//   log::V(2).Info("Skipped pod", {{"pod", key}, {"reason", reason}});
//   log::Error("Could not bind pod", {{"pod", key}, {"err", error}});
//
// Messages begin with a capital letter, have no full stop, are in the past tense and name the kind
// of the object. Tokens, Secret data and Authorization headers are never logged, at any verbosity.
//
// Threads: all functions from any thread; a line is written whole. Configure is for the start of a
// command, before other threads log.
//
// The one logger of the process is the only global state of Berth: a log line must be possible in
// any place without a parameter, it feeds nothing back into the program, and stderr is one per
// process anyway.
namespace berth::log {

enum class Format { kText, kJson };

// How "ts" is written in JSON: kube-scheduler's lines (klog) bear milliseconds, an operator's (zap)
// seconds, both since 1970 with a fraction.
enum class TimeUnit { kMilliseconds, kSeconds };

struct Options {
  Format format = Format::kText;
  int verbosity = 0;  // -v: V(n) is written for n <= verbosity; Debug from 4
  TimeUnit json_time = TimeUnit::kMilliseconds;
  std::string component;  // e.g. "scheduler"; said in each line ("logger" in JSON) unless empty
};

// The verbosity from which Debug lines are written; the value Kubernetes uses for debugging.
inline constexpr int kDebugVerbosity = 4;

// Value is what a key may hold. Text is referred to, not copied: it need only live until the call
// returns.
class Value {
 public:
  using Variant = std::variant<std::string_view, int64_t, uint64_t, double, bool>;

  // NOLINTBEGIN(google-explicit-constructor): fields are written as {"key", value}
  Value(std::string_view text) : value_(text) {}
  Value(const std::string& text) : value_(std::string_view(text)) {}
  Value(const char* text) : value_(std::string_view(text)) {}
  Value(const ::berth::Error& error) : value_(std::string_view(error.message())) {}
  template <std::signed_integral T>
  Value(T number) : value_(static_cast<int64_t>(number)) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) Value(T number) : value_(static_cast<uint64_t>(number)) {}
  template <std::floating_point T>
  Value(T number) : value_(static_cast<double>(number)) {}
  Value(bool truth) : value_(truth) {}
  // NOLINTEND(google-explicit-constructor)

  const Variant& variant() const { return value_; }

 private:
  Variant value_;
};

struct Field {
  std::string_view key;
  Value value;
};

using Fields = std::initializer_list<Field>;

void Configure(const Options& options);

void SetVerbosity(int verbosity);

// IsEnabled says whether V(level) writes; ask before computing something only a log line needs.
bool IsEnabled(int level);

void Error(std::string_view message, Fields fields = {});
void Warn(std::string_view message, Fields fields = {});
void Info(std::string_view message, Fields fields = {});
void Debug(std::string_view message, Fields fields = {});

// Verbose is what V(level) gives; it writes nothing below that verbosity.
class Verbose {
 public:
  explicit Verbose(int level) : level_(level) {}
  explicit operator bool() const { return IsEnabled(level_); }
  void Info(std::string_view message, Fields fields = {}) const;

 private:
  int level_;
};

inline Verbose V(int level) { return Verbose(level); }

}  // namespace berth::log
