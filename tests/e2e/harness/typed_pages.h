// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/integration/harness/typed_document.h"

namespace berth::e2e {

// Returns the blocks of docs/on-a-cluster.md: the first installs Berth, the last removes it.
std::vector<std::vector<TypedCommand>> ClusterPageBlocks();

// Returns the blocks of the README's section "On a cluster", which installs Berth and creates the
// profile and the pod of samples/01-minimal.
std::vector<std::vector<TypedCommand>> ReadmeBlocks();

// Runs the commands of a block; the test fails if one fails or its output differs from the page.
void TypeBlock(const std::vector<TypedCommand>& block);

}  // namespace berth::e2e
