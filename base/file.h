// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth {

inline constexpr size_t kMaxFileBytes = size_t{64} << 20;

// Reads a whole file of at most kMaxFileBytes. Errors name the path and the system's reason. The
// Reason is kNotFound if the file does not exist, else kConfig.
Result<std::string> ReadFile(const std::string& path);

// Readers selects the mode of a written file: 0644 minus the umask (kAll) or 0600 (kOwner).
enum class Readers { kAll, kOwner };

// Replaces a file atomically: readers see the old or the new content, also after a crash. Writes a
// temporary file in the same directory and renames it. A symbolic link stays and its target is
// replaced. A device or a pipe (/dev/null, /dev/stdout) is written in place, because a rename by
// root would replace it for the whole machine. Errors (kConfig) name the path and the reason; the
// old file is unchanged.
Result<void> WriteFile(const std::string& path, std::string_view content,
                       Readers readers = Readers::kAll);

}  // namespace berth
