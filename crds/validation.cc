// SPDX-License-Identifier: Apache-2.0
#include "crds/validation.h"

#include <algorithm>
#include <string>

#include "base/json/field_path.h"
#include "base/names.h"
#include "crds/bounds.h"
#include "crds/extra_args.h"
#include "crds/rules.h"

namespace berth::crds {
namespace {

using api::FieldError;
using Errors = std::vector<FieldError>;

void CheckKeys(const api::StringMap& map, const std::string& path, Errors& errors) {
  for (const auto& [key, value] : map) {
    for (const std::string& error : CheckQualifiedName(key)) {
      errors.push_back(FieldError::Invalid(json::MapEntryPath(path, key), key, error));
    }
  }
}

void CheckLabels(const api::StringMap& labels, const std::string& path, Errors& errors) {
  CheckKeys(labels, path, errors);
  for (const auto& [key, value] : labels) {
    for (const std::string& error : CheckLabelValue(value)) {
      errors.push_back(FieldError::Invalid(json::MapEntryPath(path, key), value, error));
    }
  }
}

// Source: kubernetes pkg/apis/core/validation/validation.go, validateResourceRequirements.
void CheckRequests(const api::ResourceRequirements& resources, const std::string& path,
                   Errors& errors) {
  for (const auto& [name, amount] : resources.requests) {
    const auto limit = resources.limits.find(name);
    if (limit == resources.limits.end() || amount <= limit->second) continue;
    errors.push_back(FieldError::Invalid(
        json::MapEntryPath(path + ".requests", name), amount.ToString(),
        "must be less than or equal to " + name + " limit of " + limit->second.ToString()));
  }
}

// Labels and annotations of pods must have the form that Kubernetes requires, which the schema of a
// map cannot express.
void CheckDeployment(const DeploymentSpec& deployment, Errors& errors) {
  CheckLabels(deployment.node_selector, "spec.deployment.nodeSelector", errors);
  CheckLabels(deployment.pod_labels, "spec.deployment.podLabels", errors);
  CheckKeys(deployment.pod_annotations, "spec.deployment.podAnnotations", errors);
  CheckRequests(deployment.resources, "spec.deployment.resources", errors);
  for (const Sidecar& sidecar : deployment.sidecars) {
    CheckRequests(sidecar.resources, SidecarPath(sidecar) + ".resources", errors);
  }
}

// The pattern of durations in the schema has no sign. Those of leaderElection have a rule, too.
void CheckTimeouts(const std::vector<Extender>& extenders, Errors& errors) {
  for (const Extender& extender : extenders) {
    const Duration& timeout = extender.http_timeout;
    if (timeout.length().count() >= 0) continue;
    const std::string path =
        json::ListEntryPath("spec.extenders", "urlPrefix", extender.url_prefix);
    errors.push_back(FieldError::Invalid(api::Child(path, "httpTimeout"), timeout.ToString(),
                                         "must not be negative"));
  }
}

// Reports whether the kubelet would substitute one of these variables in the text.
bool Expands(std::string_view text, const std::vector<std::string>& variables) {
  return std::ranges::any_of(variables, [text](const std::string& name) {
    return text.find("$(" + name + ")") != text.npos;
  });
}

// Returns the names of variables with a value from a Secret, directly or through $(NAME) of an
// earlier variable. Source: kubernetes pkg/kubelet/kubelet_pods.go, makeEnvironmentVariables.
std::vector<std::string> SecretVariables(const std::vector<api::EnvVar>& env) {
  std::vector<std::string> secret;
  for (const api::EnvVar& variable : env) {
    const bool is_secret = variable.value_from && variable.value_from->secret_key_ref;
    if (is_secret || Expands(variable.value, secret)) secret.push_back(variable.name);
  }
  return secret;
}

// Arguments are not secret: programs log them, and process lists show them.
void CheckArguments(const SchedulerProfileSpec& spec, Errors& errors) {
  const auto check = [&errors](const std::vector<std::string>& arguments,
                               const std::vector<api::EnvVar>& env, const std::string& path) {
    const std::vector<std::string> secret = SecretVariables(env);
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!Expands(arguments[i], secret)) continue;
      errors.push_back(FieldError::Invalid(api::Index(path, i), arguments[i],
                                           "must not name a variable that comes from a Secret"));
    }
  };
  const DeploymentSpec& deployment = spec.deployment;
  check(spec.engine.command, deployment.env, "spec.engine.command");
  check(spec.engine.extra_args, deployment.env, "spec.engine.extraArgs");
  for (const Sidecar& sidecar : deployment.sidecars) {
    check(sidecar.command, sidecar.env, SidecarPath(sidecar) + ".command");
    check(sidecar.args, sidecar.env, SidecarPath(sidecar) + ".args");
  }
}

constexpr std::string_view kOnDefaultScheduler[] = {SchedulerProfile::kReservedName,
                                                    SchedulerProfileSpec::kReservedAlias};

}  // namespace

bool PluginsAreKnown(const EngineSpec& engine) {
  return !engine.IsKubeScheduler() && engine.image.empty();
}

bool PluginNamesAreKnown(const EngineSpec& engine) { return engine.image.empty(); }

PluginCatalogueView CatalogueOf(const EngineSpec& engine, const PluginCatalogueView& catalogue) {
  return engine.IsKubeScheduler() ? OfKubeScheduler(catalogue) : catalogue;
}

Errors Validate(const SchedulerProfile& profile, const PluginCatalogueView& catalogue,
                DefaultSchedulerName default_scheduler) {
  Errors errors;
  if (profile.metadata.name.empty()) {
    errors.push_back(FieldError::Required(
        "metadata.name", "it is the scheduler name in spec.schedulerName of pods"));
  }
  const auto add = [&errors](Errors more) {
    std::move(more.begin(), more.end(), std::back_inserter(errors));
  };
  add(CheckBounds(json::TypeOf<SchedulerProfileSpec>(), &profile.spec, "spec"));
  const bool allows_it = default_scheduler == DefaultSchedulerName::kAllow;
  add(allows_it ? CheckRules(profile, kOnDefaultScheduler) : CheckRules(profile));
  CheckDeployment(profile.spec.deployment, errors);
  CheckTimeouts(profile.spec.extenders, errors);
  CheckArguments(profile.spec, errors);
  for (FieldError& error : CheckExtraArgs(profile.spec.engine)) {
    // A rule rejects the operator's flags; an argument gets one error.
    const bool is_rejected =
        std::ranges::find(errors, error.path, &FieldError::path) != errors.end();
    if (!is_rejected) errors.push_back(std::move(error));
  }
  const EngineSpec& engine = profile.spec.engine;
  if (PluginNamesAreKnown(engine)) {
    add(ValidatePlugins(profile.spec, CatalogueOf(engine, catalogue)));
  }
  return errors;
}

}  // namespace berth::crds
