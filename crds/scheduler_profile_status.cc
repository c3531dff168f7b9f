// SPDX-License-Identifier: Apache-2.0
#include "crds/scheduler_profile_status.h"

namespace berth::crds {

const json::Type& ObjectRecord::JsonType() {
  static const json::Type type = json::Describe<ObjectRecord>(json::Object(
      json::Field("kind", &ObjectRecord::kind).Doc("Kind of the object.").Required().MaxLength(63),
      json::Field("name", &ObjectRecord::name).Doc("Name of the object.").Required().MaxLength(253),
      json::Field("uid", &ObjectRecord::uid).Doc("uid of the object.").Required().MaxLength(128)));
  return type;
}

const json::Type& SchedulerStatus::JsonType() {
  static const json::Type type = json::Describe<SchedulerStatus>(json::Object(
      json::Field("namespace", &SchedulerStatus::namespace_)
          .Doc("Namespace of the scheduler's objects."),
      json::Field("deployment", &SchedulerStatus::deployment)
          .Doc("Name of the scheduler's Deployment."),
      json::Field("replicas", &SchedulerStatus::replicas).Doc("Number of scheduler pods."),
      json::Field("readyReplicas", &SchedulerStatus::ready_replicas)
          .Doc("Number of ready scheduler pods."),
      json::Field("names", &SchedulerStatus::names)
          .Doc("Scheduler names in use, including those that are being released.")
          .ListSet()
          .MaxItems(256)
          .ItemMaxLength(253),
      json::Field("leader", &SchedulerStatus::leader)
          .Doc("Holder of the Lease: the pod that schedules."),
      json::Field("configHash", &SchedulerStatus::config_hash)
          .Doc("Hash of the rendered configuration."),
      json::Field("appliedConfigHash", &SchedulerStatus::applied_config_hash)
          .Doc("Hash of the configuration that the scheduler last reported."),
      json::Field("objects", &SchedulerStatus::objects)
          .Doc("Objects that the operator wrote for this profile. They stay the profile's if "
               "another client removes their owner reference.")
          .ListMap("uid")
          .MaxItems(256),
      json::Field("revision", &SchedulerStatus::revision)
          .Doc("Not written by this version. Reserved for the name of the ControllerRevision that "
               "holds the accepted spec.")));
  return type;
}

const json::Type& PluginStatus::JsonType() {
  static const json::Type type = json::Describe<PluginStatus>(json::Object(
      json::Field("name", &PluginStatus::name).Doc("Name of the plugin.").Required().MaxLength(128),
      json::Field("points", &PluginStatus::points)
          .Doc("Extension points at which the plugin runs.")
          .ListSet()
          .MaxItems(16),
      json::Field("weight", &PluginStatus::weight)
          .Doc("Weight of its scores; absent if it does not score."),
      json::Field("ready", &PluginStatus::ready).Doc("True if the scheduler can run the plugin."),
      json::Field("reason", &PluginStatus::reason).Doc("Why the plugin is not ready.")));
  return type;
}

const json::Type& HistoryEntry::JsonType() {
  static const json::Type type = json::Describe<HistoryEntry>(json::Object(
      json::Field("revision", &HistoryEntry::revision)
          .Doc("Name of the ControllerRevision that holds the spec.")
          .Required()
          .MaxLength(253),
      json::Field("generation", &HistoryEntry::generation)
          .Doc("Generation of the profile with this spec."),
      json::Field("configHash", &HistoryEntry::config_hash)
          .Doc("Hash of the configuration rendered from the spec."),
      json::Field("time", &HistoryEntry::time).Doc("Time at which the spec was accepted."),
      json::Field("result", &HistoryEntry::result).Doc("Whether the scheduler applied the spec.")));
  return type;
}

const json::Type& SchedulerProfileStatus::JsonType() {
  static const json::Type type = json::Describe<SchedulerProfileStatus>(json::Object(
      json::Field("observedGeneration", &SchedulerProfileStatus::observed_generation)
          .Doc("Generation of the profile that this status describes; -1 before the operator has "
               "observed it."),
      json::Field("conditions", &SchedulerProfileStatus::conditions)
          .Doc("State of the profile. Always: Valid, Available, ConfigApplied. Ready, except while "
               "Suspended is True; while Paused is True only if it is True. Only while True: "
               "Paused, Suspended, Reconciling, Stalled. The first one summarizes the profile: "
               "Paused, Suspended or Ready.")
          .ListMap("type")
          .MaxItems(16),
      json::Field("scheduler", &SchedulerProfileStatus::scheduler).Doc("The running scheduler."),
      json::Field("plugins", &SchedulerProfileStatus::plugins)
          .Doc("Effective plugins, including those of the default profile.")
          .ListMap("name")
          .MaxItems(128),
      json::Field("pluginCount", &SchedulerProfileStatus::plugin_count)
          .Doc("Number of effective plugins."),
      json::Field("capabilities", &SchedulerProfileStatus::capabilities)
          .Doc("ClusterRoles the scheduler is bound to, without the prefix berth:.")
          .ListSet()
          .MaxItems(64),
      json::Field("warnings", &SchedulerProfileStatus::warnings)
          .Doc("Settings that are accepted but have no effect or probably an unintended one.")
          .MaxItems(64)
          .ItemMaxLength(1024),
      json::Field("pendingPods", &SchedulerProfileStatus::pending_pods)
          .Doc("Number of pods that name this scheduler and have no node. A change takes up to ten "
               "seconds to appear. Absent while the scheduler does not report, and with engine "
               "KubeScheduler, which never reports it."),
      json::Field("history", &SchedulerProfileStatus::history)
          .Doc("Not written by this version. Reserved for the last ten accepted specs, newest "
               "first.")
          .MaxItems(10)));
  return type;
}

}  // namespace berth::crds
