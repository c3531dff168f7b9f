// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "base/log.h"
#include "controllers/render.h"
#include "operator/commands/command.h"
#include "operator/operator_process.h"

namespace berth::operator_ {
namespace {

struct OperatorFlags {
  std::string kubeconfig;
  bool leader_elect = false;
  std::string metrics_bind_address = ":8080";
  std::string health_probe_bind_address = ":8081";
  std::string scheduler_image = controllers::DefaultSchedulerImage();
  bool allow_default_scheduler = false;
  int verbosity = 0;
  std::string logging_format = "text";
};

constexpr const char* kHelp =
    "Run the controllers: for each SchedulerProfile, render what its scheduler needs and keep it "
    "so.\n"
    "The cluster is found by --kubeconfig, then KUBECONFIG, then the service account of the pod,\n"
    "then ~/.kube/config. Metrics and probes are plain HTTP in this version.";

Result<int> Run(const OperatorFlags& flags) {
  log::Configure(
      {.format = flags.logging_format == "json" ? log::Format::kJson : log::Format::kText,
       .verbosity = flags.verbosity,
       .json_time = log::TimeUnit::kSeconds,
       .component = "operator"});
  OperatorOptions options;
  options.kubeconfig = flags.kubeconfig;
  options.leader_elect = flags.leader_elect;
  BERTH_TRY(options.metrics,
            ParseBindAddress("--metrics-bind-address", flags.metrics_bind_address));
  BERTH_TRY(options.health,
            ParseBindAddress("--health-probe-bind-address", flags.health_probe_bind_address));
  options.plan = {.default_image = flags.scheduler_image,
                  .reserved = flags.allow_default_scheduler ? crds::ReservedNames::kAllow
                                                            : crds::ReservedNames::kRefuse};
  BERTH_TRY_VOID(RunOperator(options));
  return kExitSuccess;
}

}  // namespace

void AddOperatorCommand(CLI::App& root, Program& program) {
  auto flags = std::make_shared<OperatorFlags>();
  CLI::App* command = root.add_subcommand("operator", kHelp);
  command->add_option("--kubeconfig", flags->kubeconfig, "Kubeconfig file of the cluster")
      ->type_name("FILE");
  command->add_flag("--leader-elect,!--no-leader-elect", flags->leader_elect,
                    "Elect one of several operators through Lease berth-system/berth-operator");
  command
      ->add_option("--metrics-bind-address", flags->metrics_bind_address,
                   "Where /metrics is served; 0 turns it off")
      ->type_name("ADDRESS:PORT")
      ->capture_default_str();
  command
      ->add_option("--health-probe-bind-address", flags->health_probe_bind_address,
                   "Where /healthz and /readyz are served; 0 turns them off")
      ->type_name("ADDRESS:PORT")
      ->capture_default_str();
  command
      ->add_option("--scheduler-image", flags->scheduler_image,
                   "Image of schedulers whose profile names none")
      ->type_name("IMAGE")
      ->envname("BERTH_SCHEDULER_IMAGE")
      ->capture_default_str();
  command->add_flag("--allow-default-scheduler", flags->allow_default_scheduler,
                    "Accept profiles that answer for default-scheduler, where the installed\n"
                    "CustomResourceDefinition accepts them");
  command->add_option("-v,--v", flags->verbosity, "Log verbosity, 0 to 10")->capture_default_str();
  command->add_option("--logging-format", flags->logging_format, "Form of log lines: text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->footer(
      "Example:\n  " + program.name +
      " operator --kubeconfig operator.kubeconfig --metrics-bind-address 127.0.0.1:8080");
  command->callback([flags, &program] { program.run = [flags] { return Run(*flags); }; });
}

}  // namespace berth::operator_
