// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <span>
#include <string>

namespace berth::operator_ {

// RunCommandLine does what the arguments say and gives the exit code. `arguments[0]` is the path of
// the program: called as kubectl-berth, usage reads "kubectl berth". Never throws.
int RunCommandLine(std::span<const std::string> arguments, std::istream& in, std::ostream& out,
                   std::ostream& err);

}  // namespace berth::operator_
