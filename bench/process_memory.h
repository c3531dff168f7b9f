// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string_view>

namespace berth::bench {

// Returns a memory figure of a process from the kernel, in bytes: "VmRSS" is the current resident
// set, "VmHWM" its peak. Requires: the process runs.
size_t MemoryOf(pid_t process, std::string_view field);

double Mebibytes(size_t bytes);

}  // namespace berth::bench
