// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace berth::internal {

void CheckFailed(const char* file, int line, const char* condition, std::string_view why) {
  std::string text = "CHECK failed at ";
  text.append(file).append(":").append(std::to_string(line));
  text.append(": ").append(condition).append(": ").append(why).append("\n");
  std::fputs(text.c_str(), stderr);
  std::abort();
}

}  // namespace berth::internal
