// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <string>
#include <vector>

#include "sandbox/commands/commands.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  return berth::operator_::RunCommandLine(berth::sandbox::SandboxBinary(), arguments, std::cin,
                                          std::cout, std::cerr);
}
