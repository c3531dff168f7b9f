// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <string>
#include <vector>

#include "operator/command_line.h"

int main(int argc, char** argv) {
  using namespace berth::operator_;
  const std::vector<std::string> arguments(argv, argv + argc);
  return RunCommandLine(BerthBinary(), arguments, std::cin, std::cout, std::cerr);
}
