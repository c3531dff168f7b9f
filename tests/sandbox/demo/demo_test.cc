// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "base/file.h"
#include "tests/integration/harness/process.h"
#include "tests/integration/harness/wait.h"
#include "tests/support/documents/typed_command.h"

// Runs the demo as a user does: the real program with all its processes.
namespace berth::sandbox {
namespace {

using integration::PollUntil;
using integration::Process;
using integration::ProcessOutcome;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Program() {
  const char* folder = std::getenv("BERTH_BINARY_DIR");
  return std::string(folder == nullptr ? "." : folder) + "/berth-sandbox";
}

// Returns the headings of the demo that README.md shows: its lines without indentation.
std::vector<std::string> HeadingsInReadme() {
  std::vector<std::string> headings;
  for (const TypedCommand& command : AllCommandsOf(ReadFile("README.md").value())) {
    if (command.line != "scripts/demo") continue;
    for (const std::string& line : command.output) {
      if (!line.starts_with(" ") && !line.starts_with("Done in ")) headings.push_back(line);
    }
  }
  EXPECT_GE(headings.size(), 4U);
  return headings;
}

class DemoTest : public ::testing::Test {
 protected:
  DemoTest() { std::filesystem::create_directories(temporary_); }
  ~DemoTest() override { std::filesystem::remove_all(temporary_); }

  std::unique_ptr<Process> Start(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {Program(), "demo"});
    return std::make_unique<Process>(arguments, temporary_ + "/output",
                                     integration::Variables{{"TMPDIR", temporary_}});
  }
  std::string OperatorLog() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(temporary_)) {
      const std::string path = entry.path().string();
      if (path.ends_with("_manager.log")) return ReadFile(path).value_or("");
    }
    return "";
  }
  // Counts the demo and its processes: each has the temporary folder in its variables or its
  // arguments.
  int Running() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string text = ReadFile((entry.path() / "cmdline").string()).value_or("") +
                               ReadFile((entry.path() / "environ").string()).value_or("");
      if (text.find(temporary_) != std::string::npos) ++count;
    }
    return count;
  }

  const std::string temporary_ =
      ::testing::TempDir() + "berth-demo-test-" + std::to_string(::getpid());
};

TEST_F(DemoTest, FinishesAndCleansUp) {
  const auto demo = Start({"--pods", "15"});
  ASSERT_TRUE(PollUntil(std::chrono::seconds(110), [&] { return !demo->IsRunning(); }));
  const std::string story = demo->Output();
  EXPECT_EQ(demo->Stop(), 0) << story;
  EXPECT_THAT(story, AllOf(HasSubstr("5 simulated nodes"), HasSubstr("hello is Ready"),
                           HasSubstr("bin-packing is Ready"),
                           ContainsRegex("web-1 +by hello +→ .* of 5 nodes fit"),
                           HasSubstr("3 more pods, created and decided on in"),
                           ContainsRegex("bin-packing +8 have a node, 0 wait"),
                           HasSubstr("0/5 nodes are available: 1 node(s) had untolerated taint(s)"),
                           ContainsRegex("trainer runs on gpu-5, [0-9.]+ s after the patch"),
                           HasSubstr("Done in ")));
  EXPECT_THAT(story, AllOf(Not(HasSubstr("\033")), Not(HasSubstr("\r"))));
  for (const std::string& heading : HeadingsInReadme()) {
    EXPECT_THAT(story, HasSubstr("\n" + heading + "\n"));
  }
  EXPECT_EQ(Running(), 0);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(temporary_), {}), 1)
      << "only the output should be left";
}

TEST_F(DemoTest, InterruptEndsAllProcesses) {
  const auto demo = Start({"--keep", "--pods", "0"});
  ASSERT_TRUE(PollUntil(std::chrono::seconds(60), [&] {
    return !demo->IsRunning() || demo->Output().find("is Ready") != std::string::npos;
  })) << demo->Output();
  EXPECT_THAT(OperatorLog(), AllOf(HasSubstr("\"Detected API server ports\""),
                                   Not(HasSubstr("Could not detect"))));
  EXPECT_GT(Running(), 2);
  EXPECT_TRUE(demo->Stop(std::chrono::seconds(20)).has_value());
  EXPECT_EQ(Running(), 0);
}

TEST_F(DemoTest, CrashEndsAllProcesses) {
  const auto demo = Start({"--keep", "--pods", "0"});
  ASSERT_TRUE(PollUntil(std::chrono::seconds(60), [&] {
    return !demo->IsRunning() || demo->Output().find("operator pod") != std::string::npos;
  })) << demo->Output();
  EXPECT_GT(Running(), 2);
  demo->Kill();
  EXPECT_TRUE(PollUntil(std::chrono::seconds(10), [&] { return Running() == 0; }));
}

TEST_F(DemoTest, ReportsInvalidProfile) {
  const std::string profile = temporary_ + "/profile.yaml";
  ASSERT_TRUE(WriteFile(profile,
                        "apiVersion: berth.dev/v1alpha1\nkind: SchedulerProfile\n"
                        "metadata: {name: wrong}\nspec: {percentageOfNodesToScore: 200}\n"));
  const auto demo = Start({"--profile", profile});
  ASSERT_TRUE(PollUntil(std::chrono::seconds(60), [&] { return !demo->IsRunning(); }));
  EXPECT_EQ(demo->Stop(), 1);
  EXPECT_THAT(demo->Output(), AllOf(HasSubstr("error: "), HasSubstr(profile),
                                    HasSubstr("percentageOfNodesToScore")));
}

TEST(SandboxProgram, PrintsItsCommandsAndItsVersion) {
  const ProcessOutcome help = integration::Run({Program(), "help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, AllOf(ContainsRegex("\n  demo +Show Berth at work [^\n]*\\.\n"),
                              ContainsRegex("\n  apiserver +Run an in-memory [^\n]*\\.\n")));
  const ProcessOutcome version = integration::Run({Program(), "--version"});
  EXPECT_THAT(version.out, ::testing::MatchesRegex("berth-sandbox [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

}  // namespace
}  // namespace berth::sandbox
