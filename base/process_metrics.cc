// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/file.h"
#include "base/metrics.h"
#include "base/strings.h"

namespace berth {
namespace {

double CpuSeconds() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

size_t OpenFiles() {
  std::error_code failed;
  const std::filesystem::directory_iterator files("/proc/self/fd", failed);
  if (failed) return 0;
  const auto count = std::distance(begin(files), end(files));
  return static_cast<size_t>(count) - 1;  // one of them belongs to the iterator
}

double ToNumber(std::string_view text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// ProcessStat is parsed from /proc/self/stat; see proc(5).
struct ProcessStat {
  double threads = 0;
  double start_seconds = 0;  // since boot
  double resident_bytes = 0;
};

std::optional<ProcessStat> ReadProcessStat() {
  const auto content = ReadFile("/proc/self/stat");
  if (!content) return std::nullopt;
  // The second field is the program's name in parentheses and may contain blanks. The third begins
  // after the last parenthesis.
  const size_t name_end = content->rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  const auto fields = Split(TrimSpace(std::string_view(*content).substr(name_end + 1)), ' ');
  constexpr size_t kFirst = 3;  // proc(5) numbers fields from 1
  if (fields.size() <= 24 - kFirst) return std::nullopt;
  const auto field = [&](size_t number) { return ToNumber(fields[number - kFirst]); };
  return ProcessStat{
      .threads = field(20),
      .start_seconds = field(22) / static_cast<double>(::sysconf(_SC_CLK_TCK)),
      .resident_bytes = field(24) * static_cast<double>(::sysconf(_SC_PAGESIZE)),
  };
}

double BootSeconds() {
  const auto content = ReadFile("/proc/stat");
  if (!content) return 0;
  for (const std::string_view line : Split(*content, '\n')) {
    constexpr std::string_view kBoot = "btime ";
    if (line.starts_with(kBoot)) return ToNumber(line.substr(kBoot.size()));
  }
  return 0;
}

}  // namespace

void AddProcessMetrics(MetricsRegistry& registry) {
  Counter& cpu = registry.AddCounter("process_cpu_seconds_total",
                                     "Total user and system CPU time spent in seconds.");
  Gauge& memory =
      registry.AddGauge("process_resident_memory_bytes", "Resident memory size in bytes.");
  Gauge& files = registry.AddGauge("process_open_fds", "Number of open file descriptors.");
  Gauge& threads = registry.AddGauge("berth_threads", "Number of threads of the process.");
  Gauge& start = registry.AddGauge("process_start_time_seconds",
                                   "Start time of the process since unix epoch in seconds.");
  if (const auto stat = ReadProcessStat()) start.Set(BootSeconds() + stat->start_seconds);
  registry.BeforeCollect([&cpu, &memory, &files, &threads] {
    cpu.Increment(std::max(0.0, CpuSeconds() - cpu.Value()));
    files.Set(static_cast<double>(OpenFiles()));
    if (const auto stat = ReadProcessStat()) {
      memory.Set(stat->resident_bytes);
      threads.Set(stat->threads);
    }
  });
}

}  // namespace berth
