// SPDX-License-Identifier: Apache-2.0
#include "sandbox/demo/demo.h"

#include <memory>

#include "operator/commands/command.h"

namespace berth::operator_ {
namespace {

constexpr int kMinNodes = 3;
constexpr int kMaxNodes = 5000;
constexpr int kMaxPods = 10000;

constexpr const char* kHelp =
    "Show Berth at work on this machine: simulated nodes, the real operator and schedulers as\n"
    "processes, profiles that are applied, pods that arrive, and why each is where it is. Ends "
    "with\n"
    "code 0 when everything came about, else with the reason. Nothing stays behind.";

}  // namespace

void AddDemoCommand(CLI::App& root, Program& program) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command = root.add_subcommand("demo", kHelp);
  command
      ->add_option("--kubeconfig", options->kubeconfig,
                   "Administrator of an API server to use in place of the in-memory one; it must\n"
                   "have no controllers and no nodes of its own")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  command->add_flag("--keep", options->keep,
                    "Stay until Ctrl-C, and say how to reach the cluster with kubectl");
  command->add_option("--nodes", options->nodes, "How many nodes to simulate")
      ->check(CLI::Range(kMinNodes, kMaxNodes))
      ->capture_default_str();
  command->add_option("--pods", options->pods, "How many pods arrive beside those of the samples")
      ->check(CLI::Range(0, kMaxPods))
      ->capture_default_str();
  command->add_option("--profile", options->profile, "A further SchedulerProfile to run")
      ->type_name("FILE")
      ->check(CLI::ExistingFile);
  command->footer("Example:\n  " + program.name + " demo --nodes 20 --pods 40");
  command->callback([options, &program] {
    program.run = [options, &program]() -> Result<int> {
      BERTH_TRY_VOID(RunDemo(*options, program));
      return kExitSuccess;
    };
  });
}

}  // namespace berth::operator_
