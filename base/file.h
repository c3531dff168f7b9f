// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth {

inline constexpr size_t kMaxFileBytes = size_t{64} << 20;

// ReadFile reads a whole file of at most kMaxFileBytes. Errors name the path and the system's
// reason; the Reason is kNotFound when there is no such file, else kConfig.
Result<std::string> ReadFile(const std::string& path);

// Readers says who may read a file that is written: all, less the umask (0644), or its owner (0600).
enum class Readers { kAll, kOwner };

// WriteFile replaces a file in one step: readers see the old or the new content, never a part, also
// after a crash. It is written beside the target, in the same folder, and moved. A symbolic link to a
// file stays, and the file is replaced. A device or a pipe (/dev/null, /dev/stdout) is written to: a
// rename by root would replace it for the whole machine. Error: kConfig with path and reason; the old
// file stands.
Result<void> WriteFile(const std::string& path, std::string_view content,
                       Readers readers = Readers::kAll);

}  // namespace berth
