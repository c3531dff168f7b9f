// SPDX-License-Identifier: Apache-2.0
#include "convert/convert.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

#include "base/strings.h"
#include "convert/configuration.h"
#include "convert/draft.h"
#include "convert/links.h"
#include "convert/naming.h"
#include "convert/old_profile.h"
#include "convert/policy.h"
#include "convert/sidecars.h"
#include "convert/source.h"
#include "convert/unknown_fields.h"
#include "convert/versions.h"

namespace berth::convert {
namespace {

// Named is a draft, and the profile name to use if it has no scheduler name.
struct Named {
  Draft draft;
  std::string fallback;
  std::string longer;  // another one, if `fallback` is taken; may be empty
  std::string title;   // of its document, for errors
  size_t group = 0;    // drafts of one configuration; equal drafts of a group become one profile
};

std::string StemOf(std::string_view file) {
  const size_t slash = file.rfind('/');
  if (slash != file.npos) file.remove_prefix(slash + 1);
  return std::string(file.substr(0, std::min(file.rfind('.'), file.size())));
}

// PolicySource is a reference to a Policy, with its name in the report.
struct PolicySource {
  api::OldPolicySource source;
  std::string what;  // "--policy-configmap=c"
};

std::string WhatOf(const api::OldPolicySource& policy) {
  const std::string path = "algorithmSource.policy";
  if (policy.file) return path + ".file " + policy.file->path;
  if (policy.config_map) return path + ".configMap " + policy.config_map->name;
  return path;
}

// Returns the Policy that the flags select. Source: kube-scheduler
// cmd/kube-scheduler/app/options/deprecated.go, DeprecatedOptions.ApplyTo, at v1.22.
std::optional<PolicySource> PolicyOfFlags(const Workload& workload) {
  const auto file = workload.Flag("policy-config-file");
  const auto map = workload.Flag("policy-configmap");
  const auto legacy = workload.flags.find("use-legacy-policy-config");
  const bool is_legacy = legacy != workload.flags.end() && legacy->second == "true";
  if (file && (is_legacy || !map)) {
    return PolicySource{{.file = api::OldPolicyFile{*file}}, "--policy-config-file=" + *file};
  }
  if (!map) return std::nullopt;
  const std::string ns = workload.Flag("policy-configmap-namespace").value_or("kube-system");
  return PolicySource{{.config_map = api::OldPolicyConfigMap{*map, ns}},
                      "--policy-configmap=" + *map};
}

// Session converts one source.
class Session {
 public:
  Session(const Source& source, const Options& options, const crds::PluginCatalogueView& catalogue,
          const Reporter& reporter)
      : source_(source),
        options_(options),
        catalogue_(catalogue),
        engine_plugins_(options.engine == EngineChoice::kImage ? KubeSchedulersOwn(catalogue)
                                                               : catalogue),
        reporter_(reporter) {}

  Result<void> Workloads();
  Result<void> Rest();
  Result<std::vector<Converted>> Profiles();
  const std::vector<std::string>& errors() const { return errors_; }

 private:
  Reporter At(const std::string& title) const {
    return title.empty() ? reporter_ : reporter_.In(title + ": ");
  }
  // Reports where a reference leads. Returns the configuration, or nullptr after an error.
  const ConfigText* Follow(const Link& link, const std::string& what, const Reporter& reporter);
  Link PolicyLink(const api::OldPolicySource& policy, const convert::Workload* workload,
                  const ConfigText* beside) const;
  Result<std::vector<Draft>> DraftsOfWorkload(const convert::Workload& workload);
  Result<std::vector<Draft>> Drafts(const ConfigText& config, const convert::Workload* workload);
  Result<std::vector<Draft>> PolicyDraft(const ConfigText& config);
  void PreferFlags(const PolicySource& flags, ConfigVersion version, const Reporter& reporter,
                   api::OldSchedulerConfiguration& config) const;
  void KeepUsedSource(const ConfigText& config, const convert::Workload* workload,
                      const Reporter& reporter, api::OldAlgorithmSource& source);
  Result<void> AddPolicy(const ConfigText* policy, Draft& draft);
  Result<void> Workload(const convert::Workload& workload);
  std::vector<GrantedRole> RolesOf(const convert::Workload& workload) const;
  template <class T>
  Result<T> Decode(const ConfigText& config, const std::string& document) const;

  const Source& source_;
  const Options& options_;
  const crds::PluginCatalogueView& catalogue_;
  const crds::PluginCatalogueView engine_plugins_;  // without plugins that only the image has
  const Reporter& reporter_;
  std::vector<const ConfigText*> used_;
  std::vector<Named> drafts_;
  std::vector<std::string> errors_;
};

template <class T>
Result<T> Session::Decode(const ConfigText& config, const std::string& document) const {
  auto decoded = json::Decode<T>(document);
  if (!decoded && !config.title.empty()) return Fail(decoded.error().With(config.title));
  return decoded;
}

Result<std::vector<Draft>> Session::PolicyDraft(const ConfigText& config) {
  const Reporter reporter = At(config.title);
  if (!config.api_version.empty() && config.api_version != api::LegacyPolicy::kVersion) {
    return ConfigError(reporter.PathOf("apiVersion") + ": found " +
                       json::Quoted(config.api_version) +
                       ", allowed for a Policy: " + std::string(api::LegacyPolicy::kVersion));
  }
  BERTH_TRY(auto policy, Decode<api::LegacyPolicy>(config, config.document));
  for (const std::string& field :
       UnknownFields(config.document, json::TypeOf<api::LegacyPolicy>())) {
    reporter.Dropped(field, "unknown field");
  }
  if (const std::vector<std::string> errors = ErrorsOf(policy); !errors.empty()) {
    const std::string text = "not a valid Policy:\n  " + Join(errors, "\n  ");
    errors_.push_back(config.title.empty() ? text : config.title + ": " + text);
    RemoveInvalid(policy);
  }
  std::vector<Draft> drafts(1);
  BERTH_TRY_VOID(ApplyPolicy(policy, catalogue_, reporter, drafts[0]));
  return drafts;
}

const ConfigText* Session::Follow(const Link& link, const std::string& what,
                                  const Reporter& reporter) {
  if (link.config == nullptr) {
    errors_.push_back(reporter.PathOf(what) + ": " + link.problem +
                      ": add it to the file, as a ConfigMap or as a document of its own");
    return nullptr;
  }
  const ConfigText& config = *link.config;
  const std::string found = config.title.empty() ? "the " + config.kind : config.title;
  reporter.Add(what, found, link.remark.empty() ? Outcome::kExact : Outcome::kApproximate,
               link.remark);
  used_.push_back(link.config);
  return link.config;
}

Link Session::PolicyLink(const api::OldPolicySource& policy, const convert::Workload* workload,
                         const ConfigText* beside) const {
  if (policy.config_map) {
    return FindPolicyMap(source_, {policy.config_map->namespace_, policy.config_map->name});
  }
  return FindFile(source_, {.path = policy.file->path,
                            .kind = api::LegacyPolicy::kKind,
                            .workload = workload,
                            .beside = beside});
}

// Leaves only the source that kube-scheduler uses. A Policy that is not used does not become a
// profile of its own either. Source: kube-scheduler pkg/scheduler/scheduler.go, New, at v1.18 to
// v1.22.
void Session::KeepUsedSource(const ConfigText& config, const convert::Workload* workload,
                             const Reporter& reporter, api::OldAlgorithmSource& source) {
  const auto ignore = [&](const api::OldPolicySource& policy, const std::string& used) {
    reporter.Dropped(WhatOf(policy), "kube-scheduler ignores it beside " + used);
    if (!policy.file && !policy.config_map) return;
    const Link link = PolicyLink(policy, workload, &config);
    if (link.config != nullptr) used_.push_back(link.config);
  };
  auto& policy = source.policy;
  if (policy && policy->file && policy->config_map) {
    ignore({.config_map = policy->config_map}, "algorithmSource.policy.file");
    policy->config_map.reset();
  }
  if (policy && source.provider) {
    ignore(*policy, "algorithmSource.provider");
    policy.reset();
  }
}

// Adds a Policy to the draft of the configuration that refers to it. Without one it is the Policy
// without lists, which has the default ones.
Result<void> Session::AddPolicy(const ConfigText* policy, Draft& draft) {
  std::vector<Draft> drafts(1);
  if (policy != nullptr) {
    BERTH_TRY(drafts, PolicyDraft(*policy));
  } else {
    BERTH_TRY_VOID(ApplyPolicy({}, catalogue_, reporter_, drafts[0]));
  }
  crds::SchedulerProfileSpec& from = drafts[0].spec;
  for (const api::PluginPoint& point : api::kPluginPoints) {
    api::PluginSet& set = draft.spec.plugins.*point.set;
    for (const api::Plugin& plugin : (from.plugins.*point.set).enabled) {
      AppendOnce(set.enabled, plugin.name, plugin.weight);
    }
    for (const api::DisabledPlugin& plugin : (from.plugins.*point.set).disabled) {
      AppendOnce(set.disabled, plugin.name);
    }
  }
  for (const api::PluginConfig& config : from.plugin_config) {
    json::Raw& args = ArgsOf(draft.spec, config.name);
    BERTH_TRY(const auto members, json::Decode<Members>(config.args.text));
    for (const auto& [name, value] : members) SetMember(args, name, value);
  }
  std::ranges::move(from.extenders, std::back_inserter(draft.spec.extenders));
  return {};
}

// The flags of a Policy replace the profiles of a configuration. Schedulers before 1.19 ignored
// them beside --config, and 1.23 removed them. Source: kube-scheduler
// cmd/kube-scheduler/app/options/options.go, Options.ApplyTo, at v1.17 to v1.22.
void Session::PreferFlags(const PolicySource& flags, ConfigVersion version,
                          const Reporter& reporter, api::OldSchedulerConfiguration& config) const {
  if (version < ConfigVersion::kV1Beta1 || version > ConfigVersion::kV1Beta2) {
    reporter.Dropped(flags.what,
                     "kube-schedulers with this version of the configuration ignore "
                     "or reject it beside --config");
    return;
  }
  config.algorithm_source.policy = flags.source;
  if (config.profiles.empty()) return;
  config.profiles.clear();
  reporter.Dropped("profiles of --config", "the Policy of " + flags.what + " replaces them");
}

Result<std::vector<Draft>> Session::Drafts(const ConfigText& config,
                                           const convert::Workload* workload) {
  used_.push_back(&config);
  if (config.kind == api::LegacyPolicy::kKind) return PolicyDraft(config);
  const Reporter reporter = At(config.title);
  const auto version = ConfigVersionOf(config.api_version);
  if (!version) {
    return Fail(config.title.empty() ? version.error() : version.error().With(config.title));
  }
  const KnownFields known = KnownFieldsOf(config.document, *version, reporter);
  std::ranges::copy(known.misplaced, std::back_inserter(errors_));
  BERTH_TRY(auto decoded, Decode<api::OldSchedulerConfiguration>(config, known.document));
  KeepUsedSource(config, workload, reporter, decoded.algorithm_source);
  const auto& policy = decoded.algorithm_source.policy;
  std::string what = policy ? WhatOf(*policy) : "";
  Reporter at = reporter;
  if (const auto flags = workload != nullptr ? PolicyOfFlags(*workload) : std::nullopt) {
    const Reporter flag_reporter = At(workload->title);
    PreferFlags(*flags, *version, flag_reporter, decoded);
    if (policy && what.empty()) {
      what = flags->what;
      at = flag_reporter;
    }
  }
  for (const api::FieldError& error : NameErrorsOf(decoded)) {
    errors_.push_back(reporter.PathOf(error.ToString()));
  }
  BERTH_TRY(std::vector<Draft> drafts,
            DraftsOf(decoded, *version, options_.engine, engine_plugins_, reporter));
  if (*version != ConfigVersion::kV1) {
    reporter.Exact("apiVersion " + config.api_version, "berth.dev/v1alpha1");
  }
  if (!policy) return drafts;
  const ConfigText* text = nullptr;
  if (policy->file || policy->config_map) {
    text = Follow(PolicyLink(*policy, workload, &config), what, at);
    if (text == nullptr) return drafts;
  } else {
    at.Exact(what, "", "it names no Policy: the default predicates and priorities");
  }
  BERTH_TRY_VOID(AddPolicy(text, drafts[0]));
  return drafts;
}

Result<std::vector<Draft>> Session::DraftsOfWorkload(const convert::Workload& workload) {
  const Reporter reporter = At(workload.title);
  if (const auto path = workload.Flag("config")) {
    const Link link =
        FindFile(source_, {.path = *path, .kind = kConfigKind, .workload = &workload});
    const ConfigText* config = Follow(link, "--config=" + *path, reporter);
    if (config != nullptr) return Drafts(*config, &workload);
  } else if (const auto policy = PolicyOfFlags(workload)) {
    const Link link = PolicyLink(policy->source, &workload, nullptr);
    const ConfigText* text = Follow(link, policy->what, reporter);
    if (text != nullptr) return PolicyDraft(*text);
  }
  return std::vector<Draft>(1);
}

std::vector<GrantedRole> Session::RolesOf(const convert::Workload& workload) const {
  const std::string& account = workload.pod.spec.service_account_name;
  std::vector<GrantedRole> roles;
  for (const Binding& binding : source_.bindings) {
    const bool is_bound = std::ranges::any_of(binding.subjects, [&](const api::Subject& subject) {
      const std::string& ns = workload.metadata.namespace_;
      return subject.kind == "ServiceAccount" && subject.name == account && !account.empty() &&
             (ns.empty() || subject.namespace_.empty() || ns == subject.namespace_);
    });
    if (!is_bound) continue;
    const auto unlimited = std::ranges::find(source_.unlimited, binding.cluster_role);
    roles.push_back({binding.cluster_role, unlimited != source_.unlimited.end()});
  }
  return roles;
}

Result<void> Session::Workload(const convert::Workload& workload) {
  const Reporter reporter = At(workload.title);
  if (auto checked = workload.CheckSwitches(); !checked) {
    return Fail(checked.error().With(workload.title));
  }
  BERTH_TRY(std::vector<Draft> drafts, DraftsOfWorkload(workload));
  if (!workload.metadata.namespace_.empty() && options_.ns.empty()) {
    reporter.Dropped("namespace " + workload.metadata.namespace_,
                     "the scheduler runs in the operator's namespace; use --namespace to change "
                     "it");
  }
  const auto name = workload.Flag("config") ? std::nullopt : workload.Flag("scheduler-name");
  const size_t group = drafts_.size();
  for (Draft& draft : drafts) {
    if (draft.scheduler_name.empty() && name) draft.scheduler_name = *name;
    BERTH_TRY_VOID(ApplyWorkload(workload, RolesOf(workload), options_.engine, engine_plugins_,
                                 reporter, draft));
    drafts_.push_back({std::move(draft), workload.metadata.name, "", workload.title, group});
  }
  return {};
}

Result<void> Session::Workloads() {
  for (const convert::Workload& workload : source_.workloads) BERTH_TRY_VOID(Workload(workload));
  return {};
}

// Converts configurations that no workload of the file uses.
Result<void> Session::Rest() {
  std::vector<const ConfigText*> named;  // configurations that may refer to a Policy come first
  for (const ConfigText& config : source_.configs) {
    if (config.kind != api::LegacyPolicy::kKind) named.push_back(&config);
  }
  for (const ConfigText& config : source_.configs) {
    if (config.kind == api::LegacyPolicy::kKind) named.push_back(&config);
  }
  for (const ConfigText* config : named) {
    if (std::ranges::find(used_, config) != used_.end()) continue;
    BERTH_TRY(std::vector<Draft> drafts, Drafts(*config, nullptr));
    const std::string& map = config->key.config_map.name;
    const std::string fallback = config->title.empty() ? StemOf(options_.source) : map;
    const std::string longer = config->title.empty() ? "" : map + "-" + StemOf(config->key.key);
    const std::string title =
        config->title.empty() ? "document " + std::to_string(config->number) : config->title;
    const size_t group = drafts_.size();
    for (Draft& draft : drafts) {
      AddSidecars({}, At(config->title), draft);
      drafts_.push_back({std::move(draft), fallback, longer, title, group});
    }
  }
  return {};
}

std::string TitleOf(const Named& named) {
  const std::string& name = named.draft.scheduler_name;
  return named.title + (name.empty() ? "" : " with schedulerName " + json::Quoted(name));
}

// Returns the fallback for a profile's name that no earlier profile has.
const std::string& FallbackOf(const Named& named, std::span<const Converted> earlier) {
  const std::string name = ProfileNameOf("", named.draft.scheduler_name, named.fallback);
  const bool is_taken = std::ranges::any_of(
      earlier, [&](const Converted& converted) { return converted.profile.metadata.name == name; });
  return is_taken && !named.longer.empty() ? named.longer : named.fallback;
}

Result<std::vector<Converted>> Session::Profiles() {
  std::vector<Converted> profiles;
  std::vector<const Named*> first;  // the draft that each profile was made of
  for (const Named& named : drafts_) {
    const auto equal = std::ranges::find_if(first, [&](const Named* other) {
      return other->group == named.group && other->draft.spec == named.draft.spec;
    });
    if (equal != first.end()) {
      AddAlias(named.draft.scheduler_name, reporter_,
               profiles[static_cast<size_t>(equal - first.begin())].profile);
      continue;
    }
    Converted& converted = profiles.emplace_back();
    converted.profile.spec = named.draft.spec;
    converted.profile.spec.namespace_ = options_.ns;
    converted.comments = named.draft.comments;
    NameProfile(options_.name, named.draft.scheduler_name, FallbackOf(named, profiles), reporter_,
                converted.profile);
    first.push_back(&named);
  }
  if (profiles.empty()) {
    return ConfigError("no Policy, KubeSchedulerConfiguration or scheduler found");
  }
  for (size_t i = 0; i < profiles.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const std::string& name = profiles[i].profile.metadata.name;
      if (name != profiles[j].profile.metadata.name) continue;
      if (!options_.name.empty()) {
        return ConfigError("--name allows only one profile, but the file converts to " +
                           std::to_string(profiles.size()) + ": leave it out");
      }
      return ConfigError("two different schedulers would have the name \"" + name +
                         "\": " + TitleOf(*first[j]) + " and " + TitleOf(*first[i]) +
                         ": rename one, or remove it from the file");
    }
  }
  return profiles;
}

}  // namespace

Result<Conversion> Convert(std::string_view text, const Options& options,
                           const crds::PluginCatalogueView& catalogue) {
  Conversion conversion;
  const Reporter reporter(conversion.findings);
  const auto within = [&options](const Error& error) { return Fail(error.With(options.source)); };
  const auto source = ReadSource(text, reporter);
  if (!source) return within(source.error());
  if (options.engine == EngineChoice::kImage && source->workloads.empty()) {
    return ConfigError(options.source + ": no Deployment or other workload with an image to keep");
  }
  Session session(*source, options, catalogue, reporter);
  if (auto done = session.Workloads(); !done) return within(done.error());
  if (auto done = session.Rest(); !done) return within(done.error());
  for (const std::string& error : session.errors()) {
    conversion.errors.push_back(options.source + ": " + error);
  }
  if (!conversion.errors.empty()) return conversion;
  auto profiles = session.Profiles();
  if (!profiles) return within(profiles.error());
  conversion.profiles = std::move(*profiles);
  return conversion;
}

}  // namespace berth::convert
