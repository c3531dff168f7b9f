// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include "base/json/field_path.h"
#include "base/strings.h"
#include "convert/old_profile.h"
#include "convert/sidecars.h"
#include "convert/strategies.h"
#include "convert/workload.h"

namespace berth::convert {
namespace {

using Names = std::vector<std::string>;

// Flags that the operator sets itself, as prefixes.
struct OperatorsFlag {
  std::string_view prefix;
  std::string_view reason;
};
constexpr OperatorsFlag kOperators[] = {
    {"kubeconfig", "the operator configures the connection"},
    {"master", "the operator configures the connection"},
    {"kube-api", "the operator configures the connection"},
    {"address", "the operator configures the ports"},
    {"port", "the operator configures the ports"},
    {"bind-address", "the operator configures the ports"},
    {"secure-port", "the operator configures the ports"},
    {"tls-", "the operator configures the ports"},
    {"cert-dir", "the operator configures the ports"},
    {"client-ca-file", "the operator configures the ports"},
    {"authentication-", "the operator configures access to a scheduler"},
    {"authorization-", "the operator configures access to a scheduler"},
    {"requestheader-", "the operator configures access to a scheduler"},
    {"leader-elect-resource", "the operator sets the Lease: berth-NAME in the profile's namespace"},
    {"lock-object", "the operator sets the Lease: berth-NAME in the profile's namespace"},
    {"profiling", "profiling is not supported"},
    {"contention-profiling", "profiling is not supported"},
    {"logtostderr", "schedulers log to standard error"},
    {"alsologtostderr", "schedulers log to standard error"},
    {"use-legacy-policy-config", "the Policy is converted"},
};

// Flags that were handled before: the location of the configuration.
constexpr std::string_view kSources[] = {"config", "policy-config-file", "policy-configmap",
                                         "policy-configmap-namespace", "scheduler-name"};

// Source: kube-scheduler cmd/kube-scheduler/app/options/options.go, Options.ApplyTo, at v1.17 to
// v1.22: a configuration file replaces these.
constexpr std::string_view kIgnoredBesideConfig[] = {"scheduler-name", "algorithm-provider",
                                                     "hard-pod-affinity-symmetric-weight"};

// Returns the plugins of the profile that are unknown to this version.
Names UnknownPlugins(const crds::SchedulerProfileSpec& spec,
                     const crds::PluginCatalogueView& catalogue) {
  Names names;
  const auto look = [&](const std::string& name) {
    if (catalogue.Find(name) == nullptr && std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  };
  for (const api::PluginPoint& point : api::kPluginPoints) {
    for (const api::Plugin& plugin : (spec.plugins.*point.set).enabled) look(plugin.name);
  }
  for (const api::PluginConfig& config : spec.plugin_config) look(config.name);
  return names;
}

// A stock image contains no user plugins. The scheduler-plugins project has an image of the same
// name: registry.k8s.io/scheduler-plugins/kube-scheduler:v0.34.7.
bool IsStock(std::string_view image) {
  const std::vector<std::string_view> path = Split(image.substr(0, image.find('@')), '/');
  const std::string_view last = path.back();
  if (path.size() > 1 && path[path.size() - 2] == "scheduler-plugins") return false;
  return last.substr(0, last.find(':')) == "kube-scheduler";
}

// Application applies one workload to one draft.
class Application {
 public:
  Application(const Workload& workload, const Reporter& reporter, Draft& draft)
      : workload_(workload), reporter_(reporter), spec_(draft.spec), draft_(draft) {}

  void ConvertSidecars();
  // Requires: the sidecars were added.
  Result<void> Engine(EngineChoice choice, const Names& unknown,
                      const std::vector<GrantedRole>& roles);
  Result<void> Flags();
  void Deployment();
  void ReportRendered();

 private:
  void KeepImage(const Names& unknown);
  void PullSecrets();
  void Role(const GrantedRole& role);
  bool KeepsImage() const { return !spec_.engine.image.empty(); }
  Result<void> Flag(const std::string& name, const std::string& value);
  void Provider(const std::string& value);
  Result<int32_t> Number(const std::string& name, const std::string& value) const;
  void Other(const std::string& name, const std::string& value);

  template <class From, class To>
  void Copy(const std::string& path, const From& from, To& to, const std::string& field) {
    if (from == From{}) return;
    to = from;
    reporter_.Exact(path, "spec.deployment." + field);
  }

  const Workload& workload_;
  const Reporter& reporter_;
  crds::SchedulerProfileSpec& spec_;
  Draft& draft_;
};

Result<void> Application::Engine(EngineChoice choice, const Names& unknown,
                                 const std::vector<GrantedRole>& roles) {
  const std::string& image = workload_.scheduler().image;
  if (choice == EngineChoice::kImage && image.empty()) {
    return ConfigError(reporter_.PathOf("image") + ": there is no image to keep");
  }
  if (choice == EngineChoice::kImage || !(unknown.empty() || IsStock(image) || image.empty())) {
    KeepImage(choice == EngineChoice::kImage ? Names{} : unknown);
  } else if (!image.empty()) {
    reporter_.Exact("image", "spec.engine.type Berth",
                    "Berth has all plugins: the image " + image + " is not needed");
  }
  PullSecrets();
  for (const GrantedRole& role : roles) Role(role);
  return {};
}

void Application::KeepImage(const Names& unknown) {
  const api::Container& container = workload_.scheduler();
  crds::EngineSpec& engine = spec_.engine;
  engine.type = crds::EngineSpec::kKubeScheduler;
  engine.image = container.image;
  engine.command = workload_.program;
  const std::string why =
      unknown.empty() ? "kept"
                      : "kept for " + Join(unknown, ", ") + ", which this version does not have";
  reporter_.Approximate("image", "spec.engine.image " + container.image,
                        why +
                            "; the operator must allow it (--allowed-images), and it must read "
                            "kubescheduler.config.k8s.io/v1, as kube-schedulers since 1.25 do");
  if (!engine.command.empty()) reporter_.Exact("command", "spec.engine.command");
  if (!container.image_pull_policy.empty()) engine.image_pull_policy = container.image_pull_policy;
}

void Application::Role(const GrantedRole& role) {
  const std::string path = "ClusterRole " + role.name;
  if (!KeepsImage()) {
    reporter_.Dropped(path, "the operator grants only the permissions that the plugins need");
  } else if (role.name.starts_with("system:")) {
    reporter_.Exact(path, "", "a KubeScheduler engine is always bound to it");
  } else if (role.allows_everything) {
    reporter_.Dropped(path,
                      "it allows everything. The engine has system:kube-scheduler and "
                      "system:volume-scheduler; put further permissions of its plugins into a "
                      "ClusterRole in spec.engine.clusterRoles");
  } else {
    spec_.engine.cluster_roles.push_back(role.name);
    reporter_.Approximate(path, "spec.engine.clusterRoles",
                          "the operator must allow it (--allowed-cluster-roles)");
  }
}

void Application::PullSecrets() {
  const auto& secrets = workload_.pod.spec.image_pull_secrets;
  if (secrets.empty()) return;
  const bool has_image = std::ranges::any_of(
      spec_.deployment.sidecars, [](const auto& sidecar) { return !sidecar.image.empty(); });
  if (!KeepsImage() && !has_image) {
    return reporter_.Dropped("imagePullSecrets", "the image is not needed");
  }
  spec_.engine.image_pull_secrets = secrets;
  reporter_.Approximate("imagePullSecrets", "spec.engine.imagePullSecrets",
                        "the Secrets must exist in the profile's namespace");
}

Result<int32_t> Application::Number(const std::string& name, const std::string& value) const {
  int32_t number = 0;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (code == std::errc() && end == value.data() + value.size()) return number;
  return ConfigError(reporter_.PathOf("--" + name) + ": expected a number, found " + Quote(value));
}

void Application::Other(const std::string& name, const std::string& value) {
  if (value == "false" && name.ends_with("profiling")) {
    return reporter_.Exact("--" + name, "", "it is off");
  }
  for (const OperatorsFlag& flag : kOperators) {
    if (name.starts_with(flag.prefix)) {
      return reporter_.Dropped("--" + name, std::string(flag.reason));
    }
  }
  if (!KeepsImage()) {
    return reporter_.Dropped("--" + name, "Berth's scheduler has no such flag");
  }
  spec_.engine.extra_args.push_back("--" + name + (value.empty() ? "" : "=" + value));
  reporter_.Exact("--" + name, "spec.engine.extraArgs");
}

void Application::Provider(const std::string& value) {
  if (!spec_.plugins.multi_point.disabled.empty()) {
    reporter_.Dropped("--algorithm-provider", "the Policy replaces it");
  } else if (value == kAutoscalerProvider) {
    SetMember(ArgsOf(spec_, kFit), "scoringStrategy", ScoringStrategy("MostAllocated", {}, {}));
    reporter_.Approximate("--algorithm-provider",
                          "NodeResourcesFit's scoringStrategy MostAllocated",
                          std::string(kWhyAutoscaler));
  } else {
    reporter_.Approximate("--algorithm-provider", "", "the default profile of this version");
  }
}

Result<void> Application::Flag(const std::string& name, const std::string& value) {
  if (std::ranges::find(kIgnoredBesideConfig, name) != std::end(kIgnoredBesideConfig) &&
      workload_.Flag("config")) {
    reporter_.Dropped("--" + name, "kube-scheduler ignores it beside --config");
    return {};
  }
  crds::LeaderElectionSpec& election = spec_.leader_election;
  const std::pair<std::string_view, Duration*> times[] = {
      {"leader-elect-lease-duration", &election.lease_duration},
      {"leader-elect-renew-deadline", &election.renew_deadline},
      {"leader-elect-retry-period", &election.retry_period}};
  for (const auto& [flag, target] : times) {
    if (name != flag) continue;
    const auto time = Duration::Parse(value);
    if (!time) return Fail(time.error().With(reporter_.PathOf("--" + name)));
    *target = *time;
    reporter_.Exact("--" + name, "spec.leaderElection");
    return {};
  }
  if (name == "leader-elect") {
    election.leader_elect = value == "true";
    reporter_.Exact("--" + name, "spec.leaderElection.leaderElect");
  } else if (name == "v") {
    BERTH_TRY(spec_.logging.verbosity, Number(name, value));
    reporter_.Exact("--v", "spec.logging.verbosity " + value);
  } else if (name == "logging-format") {
    spec_.logging.format = value;
    reporter_.Exact("--" + name, "spec.logging.format");
  } else if (name == "hard-pod-affinity-symmetric-weight") {
    BERTH_TRY(const int32_t weight, Number(name, value));
    SetMember(ArgsOf(spec_, "InterPodAffinity"), "hardPodAffinityWeight", {std::to_string(weight)});
    reporter_.Exact("--" + name, "InterPodAffinity's hardPodAffinityWeight");
  } else if (name == "algorithm-provider") {
    Provider(value);
  } else if (std::ranges::find(kSources, name) == std::end(kSources)) {
    Other(name, value);
  }
  return {};
}

Result<void> Application::Flags() {
  for (const auto& [name, value] : workload_.flags) BERTH_TRY_VOID(Flag(name, value));
  return {};
}

void Application::Deployment() {
  crds::DeploymentSpec& deployment = spec_.deployment;
  const api::PodSpec& pod = workload_.pod.spec;
  const api::Container& container = workload_.scheduler();
  if (workload_.replicas) {
    deployment.replicas = *workload_.replicas;
    reporter_.Exact("replicas", "spec.deployment.replicas " + std::to_string(deployment.replicas));
  }
  Copy("resources", container.resources, deployment.resources, "resources");
  if (pod.node_selector)
    Copy("nodeSelector", *pod.node_selector, deployment.node_selector, "nodeSelector");
  Copy("tolerations", pod.tolerations, deployment.tolerations, "tolerations");
  if (pod.affinity) {
    deployment.affinity = *pod.affinity;
    reporter_.Exact("affinity", "spec.deployment.affinity");
  }
  Copy("priorityClassName", pod.priority_class_name, deployment.priority_class_name,
       "priorityClassName");
  Copy("env", container.env, deployment.env, "env");
  if (!workload_.pod.metadata.labels.empty()) {
    reporter_.Dropped("labels",
                      "the operator sets the pod labels that it selects by; put others into "
                      "spec.deployment.podLabels");
  }
  if (pod.host_network) {
    reporter_.Dropped("hostNetwork", "scheduler pods do not use the host network");
  }
  if (!pod.service_account_name.empty()) {
    reporter_.Dropped("serviceAccountName " + pod.service_account_name,
                      "each profile has its own service account with the permissions that its "
                      "plugins need");
  }
  if (!pod.volumes.empty()) {
    reporter_.Dropped("volumes", "the operator mounts the configuration");
  }
  ReportRendered();
}

// Reports the settings that the operator renders alike for every scheduler.
void Application::ReportRendered() {
  const api::PodSpec& pod = workload_.pod.spec;
  const api::Container& container = workload_.scheduler();
  if (container.liveness_probe || container.readiness_probe || container.startup_probe) {
    reporter_.Dropped("probes", "the operator configures the probes");
  }
  if (!container.ports.empty()) {
    reporter_.Dropped("ports", "the operator configures the ports");
  }
  if (pod.security_context || container.security_context) {
    reporter_.Dropped("securityContext", "scheduler pods use the restricted Pod Security Standard");
  }
  for (const api::Container& init : pod.init_containers) {
    reporter_.Dropped(json::ListEntryPath("initContainers", "name", init.name),
                      "scheduler pods have no init containers");
  }
}

// A container beside the scheduler is probably an extender called at a loopback address.
void Application::ConvertSidecars() {
  std::vector<const api::Container*> beside;
  for (const api::Container& container : workload_.pod.spec.containers) {
    if (&container != &workload_.scheduler()) beside.push_back(&container);
  }
  const auto taken = AddSidecars(beside, reporter_, draft_);
  for (const api::Container* container : beside) {
    if (std::ranges::find(taken, container) != taken.end()) continue;
    reporter_.Dropped(json::ListEntryPath("containers", "name", container->name),
                      "scheduler pods only have sidecars for extenders");
  }
}

}  // namespace

Result<void> ApplyWorkload(const Workload& workload, const std::vector<GrantedRole>& roles,
                           EngineChoice choice, const crds::PluginCatalogueView& catalogue,
                           const Reporter& reporter, Draft& draft) {
  Application application(workload, reporter, draft);
  application.ConvertSidecars();
  BERTH_TRY_VOID(application.Engine(choice, UnknownPlugins(draft.spec, catalogue), roles));
  BERTH_TRY_VOID(application.Flags());
  application.Deployment();
  return {};
}

}  // namespace berth::convert
