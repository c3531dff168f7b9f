// SPDX-License-Identifier: Apache-2.0
#include "bench/process_memory.h"

#include <fstream>
#include <string>

#include "base/check.h"

namespace berth::bench {

size_t MemoryOf(pid_t process, std::string_view field) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  const std::string wanted = std::string(field) + ":";
  for (std::string key; status >> key;) {
    if (key != wanted) continue;
    size_t kibibytes = 0;
    status >> kibibytes;
    return kibibytes * 1024;
  }
  BERTH_CHECK(false, "/proc has no field " + std::string(field));
  return 0;
}

double Mebibytes(size_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

}  // namespace berth::bench
