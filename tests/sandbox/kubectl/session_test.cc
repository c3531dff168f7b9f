// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <re2/re2.h>

#include "base/file.h"
#include "base/strings.h"
#include "client/kubeconfig.h"
#include "tests/integration/harness/control_plane.h"
#include "tests/integration/harness/kubectl.h"
#include "tests/integration/harness/wait.h"

// session.txt, command by command; for its format see README.md.
namespace berth::integration {
namespace {

constexpr std::chrono::seconds kDemoLimit(120);

struct Step {
  int line = 0;
  bool must_fail = false;
  std::string command;
  std::vector<std::string> patterns;
};

std::vector<Step> ReadSession(const std::string& text) {
  std::vector<Step> steps;
  int number = 0;
  for (const std::string_view line : Split(text, '\n')) {
    ++number;
    if (line.starts_with("$")) {
      const bool must_fail = line.starts_with("$!");
      steps.push_back({.line = number,
                       .must_fail = must_fail,
                       .command = std::string(TrimSpace(line.substr(must_fail ? 2 : 1))),
                       .patterns = {}});
    } else if (line.starts_with("  ") && !steps.empty()) {
      steps.back().patterns.emplace_back(line.substr(2));
    }
  }
  return steps;
}

class KubectlSession : public ::testing::Test {
 protected:
  // Starts a demo with --keep, and waits until its steps are finished.
  void StartDemo() {
    demo_ = std::make_unique<Process>(Arguments{SandboxBinary(), "demo", "--keep", "--pods", "2"},
                                      folder_.path() / "output",
                                      Variables{{"TMPDIR", folder_.path().string()}});
    ASSERT_TRUE(PollUntil(kDemoLimit, [this] {
      return !demo_->IsRunning() || demo_->Output().find("export KUBECONFIG=") != std::string::npos;
    }));
    ASSERT_TRUE(demo_->IsRunning()) << demo_->Output();
    const std::string output = demo_->Output();
    ASSERT_TRUE(RE2::PartialMatch(output, "export KUBECONFIG='?([^'\n]+)", &kubeconfig_)) << output;
  }

  Variables Environment() const {
    const auto config = Must("the demo's kubeconfig", client::LoadKubeconfig({kubeconfig_}, ""));
    const std::string scratch = folder_.path() / "scratch";
    std::filesystem::create_directory(scratch);
    const std::string authority = scratch + "/ca.crt";
    std::ofstream(authority) << config.tls.ca.data;
    return {{"KUBECONFIG", kubeconfig_},
            {"HOME", folder_.path().string()},  // for kubectl's discovery cache
            {"PATH", KubectlBinary().parent_path().string() + ":" + std::getenv("PATH")},
            {"OBJECTS", SourceFile("tests/sandbox/kubectl/objects").string()},
            {"SCRATCH", scratch},
            {"SERVER", config.server},
            {"AUTHORITY", authority}};
  }

  const TemporaryFolder folder_;
  std::unique_ptr<Process> demo_;
  std::string kubeconfig_;
};

TEST_F(KubectlSession, EachCommandPrintsExpectedOutput) {
  NEEDS_KUBECTL();
  const std::vector<Step> steps =
      ReadSession(Must("the session", ReadFile("tests/sandbox/kubectl/session.txt")));
  ASSERT_GT(steps.size(), 100U);
  ASSERT_NO_FATAL_FAILURE(StartDemo());
  const Variables environment = Environment();
  for (const Step& step : steps) {
    const ProcessOutcome outcome = integration::Run({"sh", "-c", step.command}, {}, environment);
    const std::string printed = outcome.out + outcome.err;
    const std::string where = "session.txt:" + std::to_string(step.line) + ": " + step.command;
    EXPECT_EQ(outcome.exit_code != 0, step.must_fail) << where << "\n" << printed;
    for (const std::string& pattern : step.patterns) {
      EXPECT_TRUE(RE2::PartialMatch(printed, "(?m)" + pattern))
          << where << "\nnot found: " << pattern << "\nin: " << printed;
    }
  }
}

}  // namespace
}  // namespace berth::integration
