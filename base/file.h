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

// WriteFile replaces a file in one step: readers see the old or the new content, never a part, also
// after a crash. It is written beside the target, in the same folder, and moved. Permissions are
// 0644 less the umask. Error: kConfig with path and reason; the old file stands.
Result<void> WriteFile(const std::string& path, std::string_view content);

}  // namespace berth
