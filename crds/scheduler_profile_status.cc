// SPDX-License-Identifier: Apache-2.0
#include "crds/scheduler_profile_status.h"

namespace berth::crds {

const json::Type& SchedulerStatus::JsonType() {
  static const json::Type type = json::Describe<SchedulerStatus>(json::Object(
      json::Field("namespace", &SchedulerStatus::namespace_)
          .Doc("Namespace of the scheduler's objects."),
      json::Field("deployment", &SchedulerStatus::deployment).Doc("Name of its Deployment."),
      json::Field("replicas", &SchedulerStatus::replicas).Doc("Scheduler pods that exist."),
      json::Field("readyReplicas", &SchedulerStatus::ready_replicas)
          .Doc("Scheduler pods that are ready."),
      json::Field("names", &SchedulerStatus::names)
          .Doc("Scheduler names that it answers for, those that it is giving up included.")
          .ListSet()
          .MaxItems(256)
          .ItemMaxLength(253),
      json::Field("leader", &SchedulerStatus::leader)
          .Doc("Who holds the Lease: the pod that schedules."),
      json::Field("configHash", &SchedulerStatus::config_hash)
          .Doc("Hash of the configuration that was rendered."),
      json::Field("appliedConfigHash", &SchedulerStatus::applied_config_hash)
          .Doc("Hash of the configuration that the scheduler runs, as last known."),
      json::Field("revision", &SchedulerStatus::revision)
          .Doc("Name of the ControllerRevision that holds the accepted spec.")));
  return type;
}

const json::Type& PluginStatus::JsonType() {
  static const json::Type type = json::Describe<PluginStatus>(json::Object(
      json::Field("name", &PluginStatus::name).Doc("Name of the plugin.").Required().MaxLength(128),
      json::Field("points", &PluginStatus::points)
          .Doc("Extension points it runs at.")
          .ListSet()
          .MaxItems(16),
      json::Field("weight", &PluginStatus::weight)
          .Doc("Factor of its scores; absent where it does not score."),
      json::Field("ready", &PluginStatus::ready).Doc("The scheduler can run it."),
      json::Field("reason", &PluginStatus::reason).Doc("Why it cannot.")));
  return type;
}

const json::Type& HistoryEntry::JsonType() {
  static const json::Type type = json::Describe<HistoryEntry>(json::Object(
      json::Field("revision", &HistoryEntry::revision)
          .Doc("Name of the ControllerRevision.")
          .Required()
          .MaxLength(253),
      json::Field("generation", &HistoryEntry::generation).Doc("Generation of the profile."),
      json::Field("configHash", &HistoryEntry::config_hash)
          .Doc("Hash of the configuration made from it."),
      json::Field("time", &HistoryEntry::time).Doc("When it was accepted."),
      json::Field("result", &HistoryEntry::result).Doc("What became of it.")));
  return type;
}

const json::Type& SchedulerProfileStatus::JsonType() {
  static const json::Type type = json::Describe<SchedulerProfileStatus>(json::Object(
      json::Field("observedGeneration", &SchedulerProfileStatus::observed_generation)
          .Doc("Generation of the profile this status is about; -1 before the operator has "
               "looked at it."),
      json::Field("conditions", &SchedulerProfileStatus::conditions)
          .Doc("Valid, Available, ConfigApplied and Ready; Suspended, Reconciling and Stalled "
               "only while true.")
          .ListMap("type")
          .MaxItems(16),
      json::Field("scheduler", &SchedulerProfileStatus::scheduler).Doc("The scheduler that runs."),
      json::Field("plugins", &SchedulerProfileStatus::plugins)
          .Doc("Plugins in effect, the default ones included.")
          .ListMap("name")
          .MaxItems(128),
      json::Field("pluginCount", &SchedulerProfileStatus::plugin_count)
          .Doc("Number of plugins in effect."),
      json::Field("capabilities", &SchedulerProfileStatus::capabilities)
          .Doc("ClusterRoles the scheduler is bound to, without the prefix berth:.")
          .ListSet()
          .MaxItems(64),
      json::Field("warnings", &SchedulerProfileStatus::warnings)
          .Doc("What is accepted and has no effect, or probably not the one that was meant.")
          .MaxItems(64)
          .ItemMaxLength(1024),
      json::Field("pendingPods", &SchedulerProfileStatus::pending_pods)
          .Doc("Pods that name this scheduler and have no node, as of at most ten seconds ago; "
               "absent while the scheduler is not heard of, and with engine KubeScheduler, "
               "which does not say it."),
      json::Field("history", &SchedulerProfileStatus::history)
          .Doc("The last ten accepted specs, newest first.")
          .MaxItems(10)));
  return type;
}

}  // namespace berth::crds
