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
  for (const TypedCommand& command : block) {
    const ProcessOutcome outcome = RealCluster::Instance().Type(command.line);
    EXPECT_EQ(outcome.exit_code, 0) << "$ " << command.line << "\n" << outcome.err;
    const std::string difference = Disagreement(command.output, outcome.out);
    EXPECT_EQ(difference, "") << "$ " << command.line << "\n" << outcome.out;
  }
}

}  // namespace berth::e2e
