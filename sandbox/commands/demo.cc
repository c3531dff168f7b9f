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
    "Show Berth at work on this machine: simulated nodes, the real operator and schedulers as\n"
    "processes, profiles that are applied, pods that arrive, and why each is where it is. Ends "
    "with\n"
    "code 0 when everything came about, else with the reason. Nothing stays behind.";

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
