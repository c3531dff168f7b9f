// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "operator/command_line.h"

namespace berth::operator_ {

inline constexpr const char* kMinimal =
    "apiVersion: berth.dev/v1alpha1\nkind: SchedulerProfile\nmetadata: {name: hello}\n";

struct Answer {
  int code = 0;
  std::string out;
  std::string err;
};

// Runs `berth` with these arguments in the test's own process.
inline Answer Berth(std::vector<std::string> arguments, const std::string& input = "",
                    const std::string& program = "/usr/bin/berth") {
  arguments.insert(arguments.begin(), program);
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  Answer answer;
  answer.code = RunCommandLine(BerthBinary(), arguments, in, out, err);
  answer.out = out.str();
  answer.err = err.str();
  return answer;
}

}  // namespace berth::operator_
