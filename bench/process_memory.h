// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string_view>

namespace berth::bench {

// MemoryOf gives what the kernel counts of a process, in bytes: "VmRSS", resident now; "VmHWM", the
// most that ever was. Requires: the process runs.
size_t MemoryOf(pid_t process, std::string_view field);

double Mebibytes(size_t bytes);

}  // namespace berth::bench
