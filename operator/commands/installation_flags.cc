// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/installation_flags.h"

#include <cstdint>
#include <set>

#include "api/kubernetes_version.h"
#include "base/strings.h"
#include "controllers/kube_scheduler_release.h"
#include "operator/commands/ports.h"

namespace berth::operator_ {
namespace {

Flag ListFlag(std::string name, std::vector<std::string>& target, std::string help,
              std::string type) {
  return {.name = std::move(name),
          .target = &target,
          .help = std::move(help),
          .type = std::move(type),
          .separator = ','};
}

Result<api::ResourceList> ReadRequests(const std::vector<std::string>& entries) {
  api::ResourceList requests;
  for (const std::string& entry : entries) {
    const size_t sign = entry.find('=');
    const auto amount = Quantity::Parse(entry.substr(sign == entry.npos ? entry.size() : sign + 1));
    if (sign == 0 || sign == entry.npos || !amount) {
      return ConfigError("--max-requests: found \"" + entry +
                         "\", expected RESOURCE=AMOUNT, such as memory=8Gi");
    }
    requests[entry.substr(0, sign)] = *amount;
  }
  return requests;
}

// Returns the allowances of the flags. An empty value, as in --reserved-names=, is an empty list.
crds::Allowances AllowancesOf(const InstallationFlags& flags) {
  crds::Allowances allowances = flags.allowances;
  for (const crds::AllowanceList& list : crds::AllowanceLists()) {
    std::vector<std::string>& entries = allowances.*list.entries;
    if (entries == std::vector<std::string>{""}) entries.clear();
  }
  return allowances;
}

}  // namespace

std::vector<Flag> FlagsOf(InstallationFlags& flags) {
  std::vector<Flag> all = {
      {.name = "--namespace",
       .target = &flags.ns,
       .help = "Namespace of the operator, and default namespace of schedulers; default:\n"
               "the pod's namespace, else berth-system",
       .type = "NAMESPACE",
       .environment = "POD_NAMESPACE"},
      {.name = "--scheduler-image",
       .target = &flags.scheduler_image,
       .help = "Default image of Berth's own schedulers; default: the image of the operator's\n"
               "pod (POD_NAMESPACE and POD_NAME); outside of a pod " +
               controllers::DefaultSchedulerImage(),
       .type = "IMAGE",
       .environment = "BERTH_SCHEDULER_IMAGE"},
      {.name = "--scheduler-architecture",
       .target = &flags.scheduler_architecture,
       .help = "Architecture of that image, as in the node label kubernetes.io/arch; any: a\n"
               "multi-architecture image; profiles may select other nodes",
       .type = "ARCHITECTURE",
       .one_of = {"amd64", "arm64", "ppc64le", "riscv64", "s390x", std::string(kAnyArchitecture)},
       .environment = "BERTH_SCHEDULER_ARCHITECTURE"},
      {.name = "--kube-scheduler-image",
       .target = &flags.kube_scheduler_image,
       .help = "Default image of schedulers with engine KubeScheduler; default: the stock\n"
               "kube-scheduler of the API server's minor version; commands without a cluster\n"
               "assume " +
               api::kReferenceKubernetes.ToString(),
       .type = "IMAGE",
       .environment = "BERTH_KUBE_SCHEDULER_IMAGE"},
      {.name = "--allow-default-scheduler",
       .target = &flags.allow_default_scheduler,
       .help = "Allow the name and the alias default-scheduler in profiles; the installed\n"
               "CustomResourceDefinition must allow it, too"},
      ListFlag("--max-requests", flags.max_requests,
               "Maximum requests of one scheduler pod; resources not listed may not be\n"
               "requested; default: cpu=4,ephemeral-storage=1Gi,memory=8Gi",
               "RESOURCE=AMOUNT"),
      ListFlag("--api-server-ports", flags.api_server_ports,
               "Ports of the API server, for the NetworkPolicies of schedulers;\n"
               "default: 443 and those of EndpointSlice default/kubernetes, or 443 and 6443 if\n"
               "it cannot be read",
               "PORT"),
  };
  for (const crds::AllowanceList& list : crds::AllowanceLists()) {
    all.push_back(ListFlag(std::string(list.flag), flags.allowances.*list.entries,
                           std::string(list.help), std::string(list.type)));
  }
  return all;
}

Result<controllers::PlanOptions> PlanOptionsOf(const InstallationFlags& flags) {
  controllers::PlanOptions options{.operator_namespace = NamespaceOf(flags),
                                   .kube_scheduler_image = flags.kube_scheduler_image,
                                   .allowances = AllowancesOf(flags)};
  BERTH_TRY_VOID(crds::CheckAllowances(options.allowances));
  SetDefaultImage({.name = flags.scheduler_image.empty() ? controllers::DefaultSchedulerImage()
                                                         : flags.scheduler_image},
                  options);
  if (flags.scheduler_architecture != kAnyArchitecture) {
    options.default_image.architecture = flags.scheduler_architecture;
  }
  crds::Allowances& allowances = options.allowances;
  if (flags.kube_scheduler_image.empty()) {
    for (std::string& image : controllers::KubeSchedulerImages()) {
      allowances.images.push_back(std::move(image));
    }
  } else {
    allowances.images.push_back(flags.kube_scheduler_image);
  }
  allowances.namespaces.push_back(options.operator_namespace);
  allowances.priority_classes.push_back(crds::DeploymentSpec{}.priority_class_name);
  if (flags.allow_default_scheduler) {
    allowances.default_scheduler = crds::DefaultSchedulerName::kAllow;
  }
  if (!flags.max_requests.empty()) {
    BERTH_TRY(allowances.requests, ReadRequests(flags.max_requests));
  }
  BERTH_TRY(const std::set<uint16_t> ports,
            ReadPorts("--api-server-ports", flags.api_server_ports));
  options.api_server_ports = controllers::Ports(ports.begin(), ports.end());
  return options;
}

std::string NamespaceOf(const InstallationFlags& flags) {
  return flags.ns.empty() ? std::string(crds::kDefaultNamespace) : flags.ns;
}

}  // namespace berth::operator_
