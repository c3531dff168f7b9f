// SPDX-License-Identifier: Apache-2.0
#include "base/bool_text.h"

#include <algorithm>

namespace berth {

std::optional<bool> ParseBool(std::string_view text) {
  static constexpr std::string_view kTrue[] = {"1", "t", "T", "true", "TRUE", "True"};
  static constexpr std::string_view kFalse[] = {"0", "f", "F", "false", "FALSE", "False"};
  if (std::ranges::find(kTrue, text) != std::end(kTrue)) return true;
  if (std::ranges::find(kFalse, text) != std::end(kFalse)) return false;
  return std::nullopt;
}

}  // namespace berth
