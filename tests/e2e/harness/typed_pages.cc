// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/harness/typed_pages.h"

#include <string>

#include "base/file.h"
#include "tests/e2e/harness/real_cluster.h"

namespace berth::e2e {
namespace {

std::vector<std::vector<TypedCommand>> BlocksOf(const std::string& page,
                                                const std::string& heading = {}) {
  const auto text = ReadFile(integration::SourceFile(page).string());
  return CommandsOf(integration::Must(page, text), heading);
}

}  // namespace

std::vector<std::vector<TypedCommand>> ClusterPageBlocks() {
  return BlocksOf("docs/on-a-cluster.md");
}

std::vector<std::vector<TypedCommand>> ReadmeBlocks() {
  return BlocksOf("README.md", "## On a cluster");
}

void TypeBlock(const std::vector<TypedCommand>& block) {
  integration::TypeBlock(
      block, [](const std::string& line) { return RealCluster::Instance().Type(line); });
}

}  // namespace berth::e2e
