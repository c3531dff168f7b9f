// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/container_runner.h"

#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>

#include <gmock/gmock.h>

#include "base/file.h"

namespace berth::simulation {
namespace {

using State = ContainerView::State;
using std::chrono::seconds;
using ::testing::HasSubstr;

class ContainerRunnerTest : public ::testing::Test {
 protected:
  ContainerRunnerTest() { std::filesystem::remove(log_); }
  ~ContainerRunnerTest() override {
    runner_.reset();  // it writes to the log
    std::filesystem::remove(log_);
  }

  void Start(std::vector<std::string> arguments, const std::string& policy) {
    ContainerProbes probes = *ContainerProbes::Create({}, "127.0.0.1");
    runner_ = std::make_unique<ContainerRunner>(
        ContainerRunner::Options{.initial = {.name = "main"},
                                 .launch = {.arguments = std::move(arguments),
                                            .environment = {{"GREETING", "hello"}},
                                            .log = log_},
                                 .restart_policy = policy},
        std::move(probes), clock_, [this] {
          std::lock_guard lock(mutex_);
          changed_.notify_all();
        });
  }
  // Waits until the view matches; returns false after a long time.
  bool Reaches(const std::function<bool(const ContainerView&)>& wanted) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, seconds(20), [&] { return wanted(runner_->view()); });
  }

  const std::string log_ =
      ::testing::TempDir() + "berth-runner-test-" + std::to_string(::getpid()) + ".log";
  SystemClock clock_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::unique_ptr<ContainerRunner> runner_;
};

TEST_F(ContainerRunnerTest, ProcessGetsOnlyItsOwnVariables) {
  Start({"/bin/sh", "-c", "echo $GREETING $HOME; exit 3"}, "Never");
  ASSERT_TRUE(Reaches([](const ContainerView& view) { return view.state == State::kTerminated; }));
  EXPECT_EQ(runner_->view().exit_code, 3);
  EXPECT_EQ(runner_->view().reason, "Error");
  EXPECT_EQ(ReadFile(log_).value_or(""), "hello\n");
}

TEST_F(ContainerRunnerTest, StopsOnRequest) {
  Start({"/bin/sleep", "1000"}, "Always");
  ASSERT_TRUE(Reaches([](const ContainerView& view) { return view.ready; }));
  runner_->Stop(seconds(20));
  ASSERT_TRUE(Reaches([&](const ContainerView&) { return runner_->HasEnded(); }));
  EXPECT_EQ(runner_->view().exit_code, 128 + SIGTERM);
  EXPECT_EQ(runner_->view().restarts, 0);
}

TEST_F(ContainerRunnerTest, KillsProcessAfterGracePeriod) {
  Start({"/bin/sh", "-c", "trap '' TERM; echo ready; while :; do read x </dev/zero; done"},
        "Always");
  ASSERT_TRUE(Reaches([](const ContainerView& view) { return view.ready; }));
  runner_->Stop(seconds(0));
  ASSERT_TRUE(Reaches([&](const ContainerView&) { return runner_->HasEnded(); }));
  EXPECT_GE(runner_->view().exit_code, 128);
}

TEST_F(ContainerRunnerTest, RestartsAtOnceAndThenBacksOff) {
  Start({"/bin/false"}, "Always");
  ASSERT_TRUE(Reaches([](const ContainerView& view) { return view.reason == "CrashLoopBackOff"; }));
  EXPECT_EQ(runner_->view().restarts, 2);
  EXPECT_THAT(runner_->view().message, HasSubstr("back-off 10s"));
  runner_->Stop(seconds(0));
  EXPECT_TRUE(Reaches([&](const ContainerView&) { return runner_->HasEnded(); }));
}

TEST_F(ContainerRunnerTest, ReportsMissingProgram) {
  Start({"/nowhere/berth"}, "Never");
  ASSERT_TRUE(Reaches([&](const ContainerView&) { return runner_->HasEnded(); }));
  EXPECT_EQ(runner_->view().reason, "RunContainerError");
  EXPECT_THAT(runner_->view().message, HasSubstr("/nowhere/berth: No such file or directory"));
}

TEST(RestartDelay, DoublesUpToFiveMinutes) {
  EXPECT_EQ(RestartDelay(0), seconds(0));
  EXPECT_EQ(RestartDelay(1), seconds(10));
  EXPECT_EQ(RestartDelay(2), seconds(20));
  EXPECT_EQ(RestartDelay(50), seconds(300));
}

}  // namespace
}  // namespace berth::simulation
