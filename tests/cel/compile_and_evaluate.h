// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// Compiles the bytes as an expression and evaluates it on a small document. Whatever they are, it
// must end soon, without a crash and within the limits on cost. The name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
