// SPDX-License-Identifier: Apache-2.0
#include "sandbox/demo/demo.h"

#include <memory>

#include "sandbox/commands/commands.h"

namespace berth::sandbox {
namespace {

constexpr int kMinNodes = 3;
constexpr int kMaxNodes = 5000;
constexpr int kMaxPods = 10000;

constexpr const char* kDemoHelp =
    "Show Berth at work on simulated nodes.\n\n"
    "The operator and the schedulers are the real programs, as processes of this machine. The\n"
    "demo applies profiles, creates pods, and explains each placement. It exits with code 0\n"
    "if every step succeeded, else it prints the reason. It removes all that it created.";

}  // namespace

operator_::Command DemoCommand(operator_::Program& program) {
  auto options = std::make_shared<DemoOptions>();
  CommandLine line{.name = "demo", .help = kDemoHelp};
  line.flags = {
      {.name = "--kubeconfig",
       .target = &options->kubeconfig,
       .help = "Administrator of an API server to use in place of the in-memory one; it must\n"
               "have no controllers and no nodes of its own",
       .type = "FILE",
       .existing_file = true},
      {.name = "--keep",
       .target = &options->keep,
       .help = "Stay until Ctrl-C, and say how to reach the cluster with kubectl"},
      {.name = "--nodes",
       .target = &options->nodes,
       .help = "How many nodes to simulate",
       .range = {{kMinNodes, kMaxNodes}}},
      {.name = "--pods",
       .target = &options->pods,
       .help = "How many pods arrive beside those of the samples",
       .range = {{0, kMaxPods}}},
      {.name = "--profile",
       .target = &options->profile,
       .help = "A further SchedulerProfile to run",
       .type = "FILE",
       .existing_file = true}};
  line.footer = "Example:\n  " + program.name + " demo --nodes 20 --pods 40";
  return {.line = std::move(line), .run = [options, &program]() -> Result<int> {
            BERTH_TRY_VOID(RunDemo(*options, program));
            return operator_::kExitSuccess;
          }};
}

}  // namespace berth::sandbox
