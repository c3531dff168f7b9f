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
    "if every step succeeded, otherwise it prints the reason. It deletes everything it created.";

}  // namespace

operator_::Command DemoCommand(operator_::Program& program) {
  auto options = std::make_shared<DemoOptions>();
  CommandLine line{.name = "demo", .help = kDemoHelp};
  line.flags = {
      {.name = "--kubeconfig",
       .target = &options->kubeconfig,
       .help = "Kubeconfig of an administrator, to use that API server instead of the in-memory\n"
               "one; it must have no controllers and no nodes of its own",
       .type = "FILE",
       .existing_file = true},
      {.name = "--keep",
       .target = &options->keep,
       .help = "Keep the cluster until Ctrl-C, and print how to reach it with kubectl"},
      {.name = "--nodes",
       .target = &options->nodes,
       .help = "Number of simulated nodes",
       .range = {{kMinNodes, kMaxNodes}}},
      {.name = "--pods",
       .target = &options->pods,
       .help = "Number of pods in addition to the pods of the samples",
       .range = {{0, kMaxPods}}},
      {.name = "--profile",
       .target = &options->profile,
       .help = "File of an additional SchedulerProfile",
       .type = "FILE",
       .existing_file = true}};
  line.footer = "Example:\n  " + program.name + " demo --nodes 20 --pods 40";
  return {.line = std::move(line), .run = [options, &program]() -> Result<int> {
            BERTH_TRY_VOID(RunDemo(*options, program));
            return operator_::kExitSuccess;
          }};
}

}  // namespace berth::sandbox
