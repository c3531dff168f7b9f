// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/harness/readme.h"

#include "base/file.h"
#include "tests/e2e/harness/real_cluster.h"

namespace berth::e2e {

std::vector<std::vector<TypedCommand>> ReadmeBlocks() {
  const auto text = ReadFile(integration::SourceFile("README.md").string());
  return CommandsOf(integration::Must("README.md", text), "## On a cluster");
}

void TypeBlock(const std::vector<TypedCommand>& block) {
  integration::TypeBlock(
      block, [](const std::string& line) { return RealCluster::Instance().Type(line); });
}

}  // namespace berth::e2e
