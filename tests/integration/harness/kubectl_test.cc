// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/kubectl.h"

#include <gmock/gmock.h>

namespace berth::integration {
namespace {

std::string VersionOutput(const std::string& version) {
  return R"({"clientVersion": {"gitVersion": ")" + version + R"("}, "kustomizeVersion": "v5"})";
}

TEST(WhyUnusable, AcceptsVersionsSinceTheOldest) {
  for (const char* version : {"v1.28.0", "v1.32.4-dispatcher", "v1.37.2", "v2.0.0"}) {
    EXPECT_EQ(WhyUnusable(VersionOutput(version)), "") << version;
  }
}

TEST(WhyUnusable, AcceptsTheOldestTestedVersion) {
  EXPECT_TRUE(
      exists(std::filesystem::path("tests/kubectl") / kOldestKubectl.ToString() / "go.mod"));
}

TEST(WhyUnusable, RejectsOlderVersions) {
  EXPECT_EQ(WhyUnusable(VersionOutput("v1.20.5")),
            "kubectl on PATH is v1.20.5: tests need 1.28 or newer");
}

TEST(WhyUnusable, RejectsAProgramWithoutAVersion) {
  for (const char* output : {"", "usage: kubectl", "[]", "{}", R"({"clientVersion": 1})",
                             R"({"clientVersion": {"gitVersion": 1}})"}) {
    EXPECT_THAT(WhyUnusable(output), testing::HasSubstr("prints no version")) << output;
  }
  EXPECT_THAT(WhyUnusable(VersionOutput("latest")), testing::HasSubstr("is latest"));
}

}  // namespace
}  // namespace berth::integration
