// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>

#include "base/log.h"
#include "client/kubeconfig.h"
#include "operator/commands/command.h"
#include "operator/commands/installation_flags.h"
#include "operator/operator_process.h"
#include "operator/process.h"

namespace berth::operator_ {
namespace {

struct OperatorFlags : InstallationFlags {
  std::string kubeconfig;
  bool leader_elect = false;
  bool pod_groups = OperatorOptions().pod_groups;
  std::string metrics_bind_address = ":8080";
  std::string health_probe_bind_address = ":8081";
  int max_concurrent_rollouts = controllers::PlanOptions().max_concurrent_rollouts;
  LogFlags log;
};

constexpr const char* kOperatorHelp =
    "Run the operator: reconcile SchedulerProfiles.\n\n"
    "The operator finds the cluster by --kubeconfig, then KUBECONFIG, then the service\n"
    "account of the pod, then ~/.kube/config. Metrics and probes are plain HTTP in this\n"
    "version.";

Result<int> Run(OperatorFlags flags) {
  ConfigureLog(flags.log, "operator", log::TimeUnit::kSeconds);
  OperatorOptions options;
  options.leader_elect = flags.leader_elect;
  options.pod_groups = flags.pod_groups;
  BERTH_TRY(options.metrics,
            ParseBindAddress("--metrics-bind-address", flags.metrics_bind_address));
  BERTH_TRY(options.health,
            ParseBindAddress("--health-probe-bind-address", flags.health_probe_bind_address));
  auto cluster = client::LoadClientConfig({.kubeconfig = flags.kubeconfig});
  if (flags.ns.empty() && cluster && cluster->is_in_cluster) flags.ns = cluster->default_namespace;
  BERTH_TRY(options.plan, PlanOptionsOf(flags));
  BERTH_TRY(options.cluster, std::move(cluster));
  options.plan.max_concurrent_rollouts = flags.max_concurrent_rollouts;
  if (flags.scheduler_image.empty()) options.image_of = FindOwnPod(client::ProcessEnvironment());
  BERTH_TRY_VOID(RunOperator(options));
  return kExitSuccess;
}

}  // namespace

Command OperatorCommand(Program& program) {
  auto flags = std::make_shared<OperatorFlags>();
  CommandLine line{.name = "operator", .help = kOperatorHelp};
  line.flags = {
      {.name = "--kubeconfig",
       .target = &flags->kubeconfig,
       .help = "Kubeconfig file of the cluster",
       .type = "FILE"},
      {.name = "--leader-elect,!--no-leader-elect",
       .target = &flags->leader_elect,
       .help =
           "Elect a leader among several operators with the Lease berth-operator in --namespace"},
      {.name = "--pod-groups,!--no-pod-groups",
       .target = &flags->pod_groups,
       .help = "Maintain the status of PodGroups if the API server serves them; turn it off if\n"
               "another controller does, such as that of scheduler-plugins (on by default)"},
      {.name = "--metrics-bind-address",
       .target = &flags->metrics_bind_address,
       .help = "Listen address of /metrics; 0 turns it off",
       .type = "ADDRESS:PORT"},
      {.name = "--health-probe-bind-address",
       .target = &flags->health_probe_bind_address,
       .help = "Listen address of /healthz and /readyz; 0 turns them off. /healthz fails if a\n"
               "worker has not moved for 5 minutes",
       .type = "ADDRESS:PORT"},
      {.name = "--max-concurrent-rollouts",
       .target = &flags->max_concurrent_rollouts,
       .help = "Maximum number of schedulers replaced at once because this operator version\n"
               "renders them differently; changes of profiles do not wait",
       .type = "N",
       .range = {{1, 10'000}}}};
  for (Flag& flag : FlagsOf(static_cast<InstallationFlags&>(*flags))) {
    line.flags.push_back(std::move(flag));
  }
  for (Flag& flag : FlagsOf(flags->log)) line.flags.push_back(std::move(flag));
  line.footer = "Example:\n  " + program.name +
                " operator --kubeconfig operator.kubeconfig --metrics-bind-address 127.0.0.1:8080";
  return {.line = std::move(line), .run = [flags] { return Run(*flags); }};
}

}  // namespace berth::operator_
