// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

namespace berth {

std::string NearestHint(const std::optional<std::string>& nearest, std::string_view otherwise) {
  return nearest ? "; nearest: " + *nearest : std::string(otherwise);
}

}  // namespace berth
