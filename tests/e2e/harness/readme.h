// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/integration/harness/typed_document.h"

namespace berth::e2e {

// The blocks of README's section "On a cluster": the first installs Berth, the last removes it.
std::vector<std::vector<TypedCommand>> ReadmeBlocks();

// TypeBlock types them; the test fails where one fails or prints something else than shown.
void TypeBlock(const std::vector<TypedCommand>& block);

}  // namespace berth::e2e
