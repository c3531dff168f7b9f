// SPDX-License-Identifier: Apache-2.0
#include "crds/validation.h"

#include <algorithm>
#include <string>

#include "base/names.h"
#include "crds/bounds.h"

namespace berth::crds {
namespace {

using api::FieldError;
using Errors = std::vector<FieldError>;

bool IsProfileName(std::string_view name) {
  return name.size() <= static_cast<size_t>(kMaxProfileName) && CheckDnsLabel(name).empty();
}

void CheckName(const std::string& name, ReservedNames reserved, Errors& errors) {
  const std::string path = "metadata.name";
  if (name.empty()) {
    errors.push_back(FieldError::Required(path, "it is the scheduler name that pods give"));
  } else if (!IsProfileName(name)) {
    errors.push_back(
        FieldError::Invalid(path, name, std::string(SchedulerProfile::kMalformedName)));
  } else if (name == kDefaultScheduler && reserved == ReservedNames::kRefuse) {
    errors.push_back(FieldError::Invalid(path, name, std::string(SchedulerProfile::kReservedName)));
  } else if (std::string(kObjectPrefix) + name == kOperatorName) {
    errors.push_back(
        FieldError::Invalid(path, name, std::string(SchedulerProfile::kOperatorsName)));
  }
}

void CheckAliases(const SchedulerProfile& profile, ReservedNames reserved, Errors& errors) {
  const std::vector<std::string>& aliases = profile.spec.aliases;
  for (size_t i = 0; i < aliases.size(); ++i) {
    const std::string path = api::Index("spec.aliases", i);
    const auto refuse = [&](std::string_view why) {
      errors.push_back(FieldError::Invalid(path, aliases[i], std::string(why)));
    };
    if (aliases[i].empty()) refuse(SchedulerProfileSpec::kEmptyAlias);
    if (aliases[i] == kDefaultScheduler && reserved == ReservedNames::kRefuse) {
      refuse(SchedulerProfileSpec::kReservedAlias);
    }
    if (aliases[i] == profile.metadata.name) refuse(SchedulerProfile::kOwnNameAsAlias);
  }
}

void CheckExtenders(const std::vector<Extender>& extenders, Errors& errors) {
  int64_t binding = 0;
  for (const Extender& extender : extenders) {
    const std::string path = "spec.extenders[urlPrefix=" + extender.url_prefix + "]";
    if (!extender.bind_verb.empty()) ++binding;
    if (!extender.prioritize_verb.empty() && extender.weight <= 0) {
      errors.push_back(FieldError::Invalid(path + ".weight", extender.weight,
                                           std::string(Extender::kWeightNeeded)));
    }
    if (extender.tls_config && !extender.tls_config->key_data.empty()) {
      errors.push_back(
          FieldError::Forbidden(path + ".tlsConfig.keyData", std::string(ExtenderTls::kNoKeyData)));
    }
  }
  if (binding > 1) {
    errors.push_back(
        FieldError::Invalid("spec.extenders", binding, std::string(Extender::kOneBinds)));
  }
}

void CheckKeys(const api::StringMap& map, const std::string& path, Errors& errors) {
  for (const auto& [key, value] : map) {
    for (const std::string& problem : CheckQualifiedName(key)) {
      errors.push_back(FieldError::Invalid(path, key, problem));
    }
  }
}

void CheckLabels(const api::StringMap& labels, const std::string& path, Errors& errors) {
  CheckKeys(labels, path, errors);
  for (const auto& [key, value] : labels) {
    for (const std::string& problem : CheckLabelValue(value)) {
      errors.push_back(FieldError::Invalid(path + "[" + key + "]", value, problem));
    }
  }
}

void CheckDeployment(const DeploymentSpec& deployment, Errors& errors) {
  CheckLabels(deployment.node_selector, "spec.deployment.nodeSelector", errors);
  CheckLabels(deployment.pod_labels, "spec.deployment.podLabels", errors);
  CheckKeys(deployment.pod_annotations, "spec.deployment.podAnnotations", errors);
  for (const auto& [key, value] : deployment.pod_labels) {
    if (key.starts_with("berth.dev/") || key.starts_with("app.kubernetes.io/")) {
      errors.push_back(FieldError::Invalid("spec.deployment.podLabels", key,
                                           std::string(DeploymentSpec::kOwnLabels)));
    }
  }
  for (const auto& [key, value] : deployment.pod_annotations) {
    if (key.starts_with("berth.dev/")) {
      errors.push_back(FieldError::Invalid("spec.deployment.podAnnotations", key,
                                           std::string(DeploymentSpec::kOwnAnnotations)));
    }
  }
}

void CheckLeaderElection(const SchedulerProfileSpec& spec, Errors& errors) {
  const LeaderElectionSpec& election = spec.leader_election;
  const std::string path = "spec.leaderElection";
  const auto refuse = [&](const std::string& field, const Duration& value, std::string_view why) {
    errors.push_back(FieldError::Invalid(path + field, value.ToString(), std::string(why)));
  };
  for (const auto& [field, value] : {std::pair{".leaseDuration", election.lease_duration},
                                     std::pair{".renewDeadline", election.renew_deadline},
                                     std::pair{".retryPeriod", election.retry_period}}) {
    if (value.length().count() <= 0) refuse(field, value, LeaderElectionSpec::kPositive);
  }
  if (!election.leader_elect) {
    if (spec.deployment.replicas > 1) {
      errors.push_back(
          FieldError::Forbidden("spec", std::string(SchedulerProfileSpec::kElectionNeeded)));
    }
    return;
  }
  if (election.lease_duration <= election.renew_deadline) {
    refuse("", election.lease_duration, LeaderElectionSpec::kLeaseOutlastsRenewal);
  }
  if (election.renew_deadline.length() * 10 <= election.retry_period.length() * 12) {
    refuse("", election.renew_deadline, LeaderElectionSpec::kRenewalOutlastsRetry);
  }
}

// The CEL rules of the resource, once more: those CheckBounds cannot see.
void CheckRules(const SchedulerProfileSpec& spec, Errors& errors) {
  const auto queue_sorts = static_cast<int64_t>(spec.plugins.queue_sort.enabled.size());
  if (queue_sorts > 1) {
    errors.push_back(FieldError::Invalid("spec.plugins.queueSort.enabled", queue_sorts,
                                         std::string(api::Plugins::kOneQueueSort)));
  }
  CheckExtenders(spec.extenders, errors);
  if (spec.pod_max_backoff_seconds < spec.pod_initial_backoff_seconds) {
    errors.push_back(FieldError::Invalid("spec.podMaxBackoffSeconds", spec.pod_max_backoff_seconds,
                                         std::string(SchedulerProfileSpec::kBackoffOrder)));
  }
  CheckDeployment(spec.deployment, errors);
  CheckLeaderElection(spec, errors);
}

}  // namespace

bool PluginsAreKnown(const EngineSpec& engine) {
  return engine.type == "Berth" && engine.image.empty();
}

Errors Validate(const SchedulerProfile& profile, const PluginCatalogueView& catalogue,
                ReservedNames reserved) {
  Errors errors;
  CheckName(profile.metadata.name, reserved, errors);
  CheckAliases(profile, reserved, errors);
  const auto add = [&errors](Errors more) {
    std::move(more.begin(), more.end(), std::back_inserter(errors));
  };
  add(CheckBounds(json::TypeOf<SchedulerProfileSpec>(), &profile.spec, "spec"));
  CheckRules(profile.spec, errors);
  if (PluginsAreKnown(profile.spec.engine)) add(ValidatePlugins(profile.spec, catalogue));
  return errors;
}

}  // namespace berth::crds
