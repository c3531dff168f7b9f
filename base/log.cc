// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <atomic>

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "base/log_format.h"

namespace berth::log {
namespace {

// Logger is the process-wide logger. `options` is set before threads start and then only read. The
// verbosity may change at any time.
struct Logger {
  Logger() {
    stream.set_pattern("%v");
    stream.set_level(spdlog::level::trace);
    stream.flush_on(spdlog::level::trace);
  }

  Options options;
  std::atomic<int> verbosity{0};
  spdlog::logger stream{"berth", std::make_shared<spdlog::sinks::stderr_sink_mt>()};
};

// Never destroyed: threads and destructors may still log during exit.
Logger& TheLogger() {
  static auto* const logger = new Logger();
  return *logger;
}

spdlog::level::level_enum SpdlogLevel(Level level) {
  switch (level) {
    case Level::kError:
      return spdlog::level::err;
    case Level::kWarn:
      return spdlog::level::warn;
    case Level::kInfo:
      return spdlog::level::info;
    case Level::kDebug:
      return spdlog::level::debug;
  }
  return spdlog::level::info;
}

void Write(Level level, int verbosity, std::string_view message, Fields fields) {
  Logger& logger = TheLogger();
  const Record record{.level = level,
                      .verbosity = verbosity,
                      .time = std::chrono::system_clock::now(),
                      .message = message,
                      .fields = {fields.begin(), fields.size()}};
  const std::string line = logger.options.format == Format::kJson
                               ? FormatJson(record, logger.options)
                               : FormatText(record, logger.options);
  logger.stream.log(SpdlogLevel(level), spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace

void Configure(const Options& options) {
  TheLogger().options = options;
  SetVerbosity(options.verbosity);
}

void SetVerbosity(int verbosity) {
  TheLogger().verbosity.store(verbosity, std::memory_order_relaxed);
}

bool IsEnabled(int level) { return level <= TheLogger().verbosity.load(std::memory_order_relaxed); }

void Error(std::string_view message, Fields fields) { Write(Level::kError, 0, message, fields); }
void Warn(std::string_view message, Fields fields) { Write(Level::kWarn, 0, message, fields); }
void Info(std::string_view message, Fields fields) { Write(Level::kInfo, 0, message, fields); }

void Debug(std::string_view message, Fields fields) {
  if (IsEnabled(kDebugVerbosity)) Write(Level::kDebug, kDebugVerbosity, message, fields);
}

void Verbose::Info(std::string_view message, Fields fields) const {
  if (IsEnabled(level_)) Write(Level::kInfo, level_, message, fields);
}

}  // namespace berth::log
