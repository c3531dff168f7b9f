// SPDX-License-Identifier: Apache-2.0
#include "convert/configuration.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "convert/extenders.h"
#include "convert/old_profile.h"

namespace berth::convert {
namespace {

using Config = api::OldSchedulerConfiguration;

// Reports fields that a profile does not have.
void ReportDropped(const Config& config, const Reporter& reporter) {
  struct Row {
    const char* field;
    const json::Raw& value;
    const char* reason;
  };
  const Row rows[] = {
      {"clientConnection", config.client_connection, "the operator configures the connection"},
      {"healthzBindAddress", config.healthz_bind_address, "the operator configures the ports"},
      {"metricsBindAddress", config.metrics_bind_address, "the operator configures the ports"},
      {"enableProfiling", config.enable_profiling, "profiling is not supported"},
      {"enableContentionProfiling", config.enable_contention_profiling,
       "profiling is not supported"},
      {"parallelism", config.parallelism, "one thread evaluates all nodes"},
      {"delayCacheUntilActive", config.delay_cache_until_active, "it has no effect"},
  };
  for (const Row& row : rows) {
    if (row.value.text == "false") {
      reporter.Exact(row.field, "", "it is off");
    } else if (!row.value.text.empty()) {
      reporter.Dropped(row.field, row.reason);
    }
  }
}

void ReportLeaseName(const Config& config, const Reporter& reporter) {
  const api::OldLeaderElection& election = config.leader_election;
  const std::pair<const char*, const std::string&> names[] = {
      {"resourceLock", election.resource_lock},
      {"resourceName", election.resource_name},
      {"resourceNamespace", election.resource_namespace},
      {"lockObjectName", election.lock_object_name},
      {"lockObjectNamespace", election.lock_object_namespace}};
  for (const auto& [field, value] : names) {
    if (value.empty()) continue;
    const std::string path = std::string("leaderElection.") + field;
    if (!election.leader_elect.value_or(true)) {
      reporter.Exact(path, "", "leader election is off");
      continue;
    }
    reporter.Dropped(path,
                     "the operator sets the Lease: berth-NAME in the profile's namespace. The old "
                     "and the new scheduler use different Leases: stop the old one first");
  }
}

void ApplyElection(const Config& config, const Reporter& reporter,
                   crds::LeaderElectionSpec& target) {
  const api::OldLeaderElection& election = config.leader_election;
  if (election.leader_elect) {
    target.leader_elect = *election.leader_elect;
    reporter.Exact("leaderElection.leaderElect", "spec.leaderElection.leaderElect");
  }
  const std::tuple<const char*, const Duration&, Duration&> times[] = {
      {"leaseDuration", election.lease_duration, target.lease_duration},
      {"renewDeadline", election.renew_deadline, target.renew_deadline},
      {"retryPeriod", election.retry_period, target.retry_period}};
  for (const auto& [field, from, to] : times) {
    if (from.IsEmpty()) continue;
    to = from;
    reporter.Exact(std::string("leaderElection.") + field,
                   std::string("spec.leaderElection.") + field);
  }
}

// Applies the settings that affect every profile of the file.
void ApplyGlobals(const Config& config, const Reporter& reporter, Draft& draft) {
  if (config.pod_initial_backoff_seconds) {
    draft.spec.pod_initial_backoff_seconds = *config.pod_initial_backoff_seconds;
    reporter.Exact("podInitialBackoffSeconds", "spec.podInitialBackoffSeconds");
  }
  if (config.pod_max_backoff_seconds) {
    draft.spec.pod_max_backoff_seconds = *config.pod_max_backoff_seconds;
    reporter.Exact("podMaxBackoffSeconds", "spec.podMaxBackoffSeconds");
  }
  if (config.hard_pod_affinity_symmetric_weight) {
    SetMember(ArgsOf(draft.spec, "InterPodAffinity"), "hardPodAffinityWeight",
              {std::to_string(*config.hard_pod_affinity_symmetric_weight)});
    reporter.Exact("hardPodAffinitySymmetricWeight", "InterPodAffinity's hardPodAffinityWeight");
  }
  if (config.bind_timeout_seconds) {
    SetMember(ArgsOf(draft.spec, "VolumeBinding"), "bindTimeoutSeconds",
              {std::to_string(*config.bind_timeout_seconds)});
    reporter.Exact("bindTimeoutSeconds", "VolumeBinding's bindTimeoutSeconds");
  }
  if (config.disable_preemption.value_or(false)) {
    AppendOnce(draft.spec.plugins.post_filter.disabled, "DefaultPreemption");
    reporter.Exact("disablePreemption", "plugins.postFilter.disabled[name=DefaultPreemption]");
  }
  const auto& provider = config.algorithm_source.provider;
  if (provider == kAutoscalerProvider) {
    reporter.Approximate("algorithmSource.provider",
                         "NodeResourcesFit's scoringStrategy MostAllocated",
                         std::string(kWhyAutoscaler));
  } else if (provider) {
    reporter.Exact("algorithmSource.provider", "", "the default profile");
  }
}

constexpr const char* kPercentage = "percentageOfNodesToScore";

void ReportPercentage(int32_t percentage, const Reporter& reporter) {
  const std::string result = std::string("spec.") + kPercentage;
  if (percentage == 0) {
    reporter.Approximate(
        kPercentage, result,
        "0 meant a percentage that decreases with cluster size; Berth evaluates all nodes");
  } else {
    reporter.Exact(kPercentage, result);
  }
}

void ApplyPercentage(const Config& config, const api::OldProfile& profile, const Reporter& reporter,
                     Draft& draft) {
  const auto& own = profile.percentage_of_nodes_to_score;
  const auto& percentage = own ? own : config.percentage_of_nodes_to_score;
  if (percentage) draft.spec.percentage_of_nodes_to_score = *percentage;
  if (own) ReportPercentage(*own, reporter);
}

// Reports the percentage that is for all profiles without their own.
void ReportCommonPercentage(const Config& config, const Reporter& reporter) {
  if (!config.percentage_of_nodes_to_score) return;
  const bool is_used = std::ranges::any_of(config.profiles, [](const api::OldProfile& profile) {
    return !profile.percentage_of_nodes_to_score;
  });
  if (!is_used) return reporter.Dropped(kPercentage, "each profile has its own");
  ReportPercentage(*config.percentage_of_nodes_to_score, reporter);
}

Result<Draft> DraftOf(const Config& config, const api::OldProfile& profile, ConfigVersion version,
                      EngineChoice choice, const crds::PluginCatalogueView& catalogue,
                      const Reporter& global, const Reporter& reporter) {
  Draft draft{.scheduler_name = profile.scheduler_name};
  Defaults defaults = Defaults::kProfile;
  if (config.algorithm_source.policy) defaults = Defaults::kNone;
  if (config.algorithm_source.provider == kAutoscalerProvider) defaults = Defaults::kAutoscaler;
  BERTH_TRY_VOID(ApplyProfile(profile, version, defaults, choice, catalogue, reporter, draft));
  ApplyPercentage(config, profile, reporter, draft);
  ApplyGlobals(config, global, draft);
  ApplyElection(config, global, draft.spec.leader_election);
  const TimeoutForm form =
      version < ConfigVersion::kV1Beta1 ? TimeoutForm::kNanoseconds : TimeoutForm::kText;
  BERTH_TRY_VOID(AddExtenders(config.extenders, form, global, draft));
  return draft;
}

}  // namespace

std::vector<api::FieldError> NameErrorsOf(const Config& config) {
  std::vector<api::FieldError> errors;
  if (config.profiles.size() < 2) return errors;  // a single profile has a default name
  std::map<std::string_view, std::string> paths;
  for (size_t i = 0; i < config.profiles.size(); ++i) {
    const std::string& name = config.profiles[i].scheduler_name;
    const std::string path = api::Child(api::Index("profiles", i), "schedulerName");
    if (name.empty()) {
      errors.push_back(api::FieldError::Required(path, "each of several profiles needs one"));
      continue;
    }
    const auto [earlier, is_new] = paths.emplace(name, path);
    if (is_new) continue;
    errors.push_back(api::FieldError::Duplicate(path, name));
    errors.back().detail = "it is also " + earlier->second;
  }
  return errors;
}

Result<std::vector<Draft>> DraftsOf(const Config& config, ConfigVersion version,
                                    EngineChoice choice, const crds::PluginCatalogueView& catalogue,
                                    const Reporter& reporter) {
  ReportDropped(config, reporter);
  ReportLeaseName(config, reporter);
  std::vector<Draft> drafts;
  if (config.profiles.empty()) {
    BERTH_TRY(Draft draft, DraftOf(config, config, version, choice, catalogue, reporter, reporter));
    drafts.push_back(std::move(draft));
    return drafts;
  }
  ReportCommonPercentage(config, reporter);
  std::vector<Finding> repeated;  // findings about all profiles are reported only once
  for (size_t i = 0; i < config.profiles.size(); ++i) {
    const Reporter global = i == 0 ? reporter : Reporter(repeated);
    BERTH_TRY(Draft draft, DraftOf(config, config.profiles[i], version, choice, catalogue, global,
                                   reporter.In(api::Index("profiles", i))));
    drafts.push_back(std::move(draft));
  }
  return drafts;
}

}  // namespace berth::convert
