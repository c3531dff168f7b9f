// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

#include "base/error.h"

// Structured logging to stderr: a constant message with key/value pairs.
//
//   log::Info("Bound pod", {{"pod", key}, {"node", node}});
//   log::V(2).Info("Skipped pod", {{"pod", key}, {"reason", reason}});
//   log::Error("Could not bind pod", {{"pod", key}, {"err", error}});
//
// Messages begin with a capital letter, have no full stop, are in the past tense and name the kind
// of the object. Tokens, Secret data and Authorization headers are never logged, at any verbosity.
//
// Threads: call any function from any thread; each line is written atomically. Call Configure at
// program start, before other threads log.
//
// The logger is the only global state of Berth. Any code must be able to log without a parameter,
// logging has no effect on the program, and a process has only one stderr.
namespace berth::log {

enum class Format { kText, kJson };

// Unit of "ts" in JSON, as a fraction since 1970: milliseconds as in kube-scheduler (klog), or
// seconds as in operators (zap).
enum class TimeUnit { kMilliseconds, kSeconds };

struct Options {
  Format format = Format::kText;
  int verbosity = 0;  // -v: V(n) is written for n <= verbosity; Debug from 4
  TimeUnit json_time = TimeUnit::kMilliseconds;
  std::string component;  // e.g. "scheduler"; added to each line ("logger" in JSON) unless empty
};

// The verbosity that enables Debug lines, as in Kubernetes.
inline constexpr int kDebugVerbosity = 4;

// Value is the value of a key. Text is referenced, not copied; it must live until the call returns.
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

// Reports whether V(level) is enabled. Check it before computing values for a log line only.
bool IsEnabled(int level);

void Error(std::string_view message, Fields fields = {});
void Warn(std::string_view message, Fields fields = {});
void Info(std::string_view message, Fields fields = {});
void Debug(std::string_view message, Fields fields = {});

// Verbose is returned by V(level). It writes nothing if the level is disabled.
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
