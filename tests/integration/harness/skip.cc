// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/skip.h"

#include <cstdlib>
#include <string_view>

namespace berth::integration {

bool IsCi() {
  const char* const ci = std::getenv("CI");
  return ci != nullptr && std::string_view(ci) == "true";
}

}  // namespace berth::integration
