// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "operator/command_line.h"

namespace berth::sandbox {

operator_::Command ApiserverCommand(operator_::Program& program);
operator_::Command DemoCommand(operator_::Program& program);

// The sandbox program: an in-memory cluster for the demo and for tests.
operator_::Binary SandboxBinary();

}  // namespace berth::sandbox
