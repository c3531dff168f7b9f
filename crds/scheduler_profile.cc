// SPDX-License-Identifier: Apache-2.0
#include "crds/scheduler_profile.h"

namespace berth::crds {

const json::Type& AssignSpec::JsonType() {
  static const json::Type type = json::Describe<AssignSpec>(json::Object(
      json::Field("namespaceSelector", &AssignSpec::namespace_selector)
          .Doc("Selects pods by the labels of their namespace; absent or empty: all namespaces."),
      json::Field("objectSelector", &AssignSpec::object_selector)
          .Doc("Selects pods by their labels; absent or empty: all pods.")));
  return type;
}

const json::Type& SchedulerProfileSpec::JsonType() {
  static const json::Type type = json::Describe<SchedulerProfileSpec>(
      json::Object(
          json::Field("plugins", &SchedulerProfileSpec::plugins)
              .Doc("Plugins to enable or disable, relative to the default profile of "
                   "kube-scheduler."),
          json::Field("pluginConfig", &SchedulerProfileSpec::plugin_config)
              .Doc("Arguments of plugins.")
              .ListMap("name")
              .MaxItems(64),
          json::Field("extenders", &SchedulerProfileSpec::extenders)
              .Doc("HTTP services that take part in scheduling.")
              .ListMap("urlPrefix")
              .MaxItems(16)
              .Rule("self.filter(e, has(e.bindVerb) && e.bindVerb != '').size() <= 1",
                    Extender::kOneBinds),
          json::Field("percentageOfNodesToScore",
                      &SchedulerProfileSpec::percentage_of_nodes_to_score)
              .Doc("Percentage of the nodes that must be feasible before the search ends. 0: "
                   "a Berth engine checks every node, a KubeScheduler engine uses "
                   "a percentage that decreases with the size of the cluster.")
              .Default("0")
              .Min(0)
              .Max(100),
          json::Field("podInitialBackoffSeconds",
                      &SchedulerProfileSpec::pod_initial_backoff_seconds)
              .Doc(
                  "Backoff of a pod after its first failed attempt, in seconds; doubled with every "
                  "further attempt.")
              .Default("1")
              .Min(1)
              .Max(86400),
          json::Field("podMaxBackoffSeconds", &SchedulerProfileSpec::pod_max_backoff_seconds)
              .Doc("Maximum backoff of a pod, in seconds.")
              .Default("10")
              .Min(1)
              .Max(86400),
          json::Field("aliases", &SchedulerProfileSpec::aliases)
              .Doc("Additional scheduler names of this profile, such as the name of a deleted "
                   "scheduler to adopt its pods.")
              .ListSet()
              .MaxItems(32)
              .ItemMaxLength(253)
              .Rule("self.all(a, a != '')", kEmptyAlias)
              .Rule("!self.exists(a, a == 'default-scheduler')", kReservedAlias)
              .Rule("!self.exists(a, a.startsWith('berth.dev/'))", kBerthsAlias),
          json::Field("assign", &SchedulerProfileSpec::assign)
              .Doc("Not supported by this version: the operator does not run a profile with this "
                   "field, and the condition Stalled has the reason AssignNotSupported. Reserved "
                   "for pods that get this scheduler without naming it in spec.schedulerName."),
          json::Field("engine", &SchedulerProfileSpec::engine)
              .Doc("The scheduler program.")
              .Default("{}"),
          json::Field("namespace", &SchedulerProfileSpec::namespace_)
              .Doc("Namespace of the scheduler's pods and objects; absent: the operator's "
                   "namespace. Immutable; cannot be added or removed.")
              .Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
              .MaxLength(63)
              .Rule("self == oldSelf", kImmutable),
          json::Field("deployment", &SchedulerProfileSpec::deployment)
              .Doc("Settings of the scheduler's pods.")
              .Default("{}"),
          json::Field("leaderElection", &SchedulerProfileSpec::leader_election)
              .Doc("Leader election among the scheduler's pods.")
              .Default("{}"),
          json::Field("logging", &SchedulerProfileSpec::logging)
              .Doc("Log settings of the scheduler.")
              .Default("{}"),
          json::Field("networkPolicy", &SchedulerProfileSpec::network_policy)
              .Doc("Network restrictions of the scheduler's pods.")
              .Default("{}"),
          json::Field("rollout", &SchedulerProfileSpec::rollout)
              .Doc("How the scheduler gets changes of this profile.")
              .Default("{}"),
          json::Field("suspend", &SchedulerProfileSpec::suspend)
              .Doc("Scale the scheduler to zero and keep all objects.")
              .Default("false"),
          json::Field("deletionPolicy", &SchedulerProfileSpec::deletion_policy)
              .Doc("What happens when the profile is deleted. Delete: its objects are deleted at "
                   "once, and its pending pods wait for another scheduler of this name. "
                   "WaitForPending, not supported by this version: the deletion waits until no "
                   "pending pod names the scheduler; the operator does not run such a profile, and "
                   "the condition Stalled has the reason DeletionPolicyNotSupported.")
              .Default(R"("Delete")")
              .OneOf("Delete|WaitForPending"))
          .Rule("!has(self.podInitialBackoffSeconds) || !has(self.podMaxBackoffSeconds) || "
                "self.podMaxBackoffSeconds >= self.podInitialBackoffSeconds",
                kBackoffOrder)
          .Rule("has(self.__namespace__) == has(oldSelf.__namespace__)", kNamespaceStays)
          .Rule("!has(self.leaderElection) || !has(self.leaderElection.leaderElect) || "
                "self.leaderElection.leaderElect || self.deployment.replicas <= 1",
                kElectionNeeded)
          .Rule("!has(self.engine) || !has(self.engine.type) || "
                "self.engine.type != 'KubeScheduler' || !has(self.extenders) || "
                "self.extenders.all(e, !has(e.podSelector) && !has(e.namespaceSelector) && "
                "(!has(e.tlsConfig) || !has(e.tlsConfig.secretName) || "
                "e.tlsConfig.secretName == ''))",
                kBerthsExtenders));
  return type;
}

const json::Type& SchedulerProfile::JsonType() {
  static const json::Type type = json::Describe<SchedulerProfile>(
      json::Object(
          json::Constant("apiVersion", kApiVersion), json::Constant("kind", "SchedulerProfile"),
          json::Field("metadata", &SchedulerProfile::metadata),
          json::Field("spec", &SchedulerProfile::spec)
              .Doc("Desired configuration of the scheduler; without it the scheduler equals "
                   "kube-scheduler's default profile.")
              .Default("{}"),
          json::Field("status", &SchedulerProfile::status)
              .Doc("Observed state, written by the operator.")
              .Default(R"({"observedGeneration":-1})"))
          .Rule("self.metadata.name.size() <= 52 && "
                "self.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
                kMalformedName)
          .Rule("self.metadata.name != 'default-scheduler'", kReservedName)
          .Rule("self.metadata.name != 'operator'", kOperatorsName)
          .Rule("!has(self.spec.aliases) || !(self.metadata.name in self.spec.aliases)",
                kOwnNameAsAlias));
  return type;
}

}  // namespace berth::crds
