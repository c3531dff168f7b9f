// SPDX-License-Identifier: Apache-2.0
#include "convert/convert.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/strings.h"
#include "convert/configuration.h"
#include "convert/draft.h"
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
  size_t group = 0;  // drafts of one configuration; equal drafts of a group become one profile
};

std::string StemOf(std::string_view file) {
  const size_t slash = file.rfind('/');
  if (slash != file.npos) file.remove_prefix(slash + 1);
  return std::string(file.substr(0, std::min(file.rfind('.'), file.size())));
}

bool Fits(const ObjectName& wanted, const ObjectName& found) {
  return wanted.name == found.name &&
         (wanted.ns.empty() || found.ns.empty() || wanted.ns == found.ns);
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
  const ConfigText* Find(const ConfigKey& key, bool any_key) const;
  const ConfigText* ConfigOf(const Workload& workload, const Reporter& reporter) const;
  Result<std::vector<Draft>> Drafts(const ConfigText& config);
  Result<std::vector<Draft>> PolicyDraft(const ConfigText& config);
  Result<void> AddPolicy(const api::OldPolicySource& policy, const Reporter& reporter,
                         Draft& draft);
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

// A v1alpha1 configuration may refer to its Policy.
Result<void> Session::AddPolicy(const api::OldPolicySource& policy, const Reporter& reporter,
                                Draft& draft) {
  const ConfigText* text = nullptr;
  std::string what;
  if (policy.config_map) {
    const ObjectName name{policy.config_map->namespace_, policy.config_map->name};
    text = Find({name, ""}, true);
    what = "algorithmSource.policy.configMap " + name.name;
  } else if (policy.file) {
    what = "algorithmSource.policy.file " + policy.file->path;
  }
  if (text == nullptr || text->kind != api::LegacyPolicy::kKind) {
    reporter.Dropped(what,
                     "the Policy is not in this file: convert it separately, or put both into one "
                     "file as manifests");
    return {};
  }
  used_.push_back(text);
  BERTH_TRY(std::vector<Draft> drafts, PolicyDraft(*text));
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
  for (api::PluginConfig& config : from.plugin_config) {
    json::Raw& args = ArgsOf(draft.spec, config.name);
    if (args.text.empty()) args = std::move(config.args);
  }
  std::ranges::move(from.extenders, std::back_inserter(draft.spec.extenders));
  reporter.Exact(what, "the plugins of " + text->title);
  return {};
}

Result<std::vector<Draft>> Session::Drafts(const ConfigText& config) {
  used_.push_back(&config);
  if (config.kind == api::LegacyPolicy::kKind) return PolicyDraft(config);
  const Reporter reporter = At(config.title);
  const auto version = ConfigVersionOf(config.api_version);
  if (!version) {
    return Fail(config.title.empty() ? version.error() : version.error().With(config.title));
  }
  const KnownFields known = KnownFieldsOf(config.document, *version, reporter);
  std::ranges::copy(known.misplaced, std::back_inserter(errors_));
  BERTH_TRY(const auto decoded, Decode<api::OldSchedulerConfiguration>(config, known.document));
  BERTH_TRY(std::vector<Draft> drafts,
            DraftsOf(decoded, *version, options_.engine, engine_plugins_, reporter));
  if (*version != ConfigVersion::kV1) {
    reporter.Exact("apiVersion " + config.api_version, "berth.dev/v1alpha1");
  }
  if (decoded.algorithm_source.policy) {
    BERTH_TRY_VOID(AddPolicy(*decoded.algorithm_source.policy, reporter, drafts[0]));
  }
  return drafts;
}

const ConfigText* Session::Find(const ConfigKey& key, bool any_key) const {
  for (const ConfigText& config : source_.configs) {
    if (Fits(key.config_map, config.key.config_map) && (any_key || config.key.key == key.key)) {
      return &config;
    }
  }
  return nullptr;
}

const ConfigText* Session::ConfigOf(const convert::Workload& workload,
                                    const Reporter& reporter) const {
  if (const auto name = workload.Flag("policy-configmap")) {
    const ObjectName object{workload.Flag("policy-configmap-namespace").value_or("kube-system"),
                            *name};
    if (const ConfigText* config = Find({object, "policy.cfg"}, false)) {
      reporter.Exact("--policy-configmap=" + *name, config->title);
      return config;
    }
    reporter.Dropped("--policy-configmap=" + *name, "ConfigMap " + object.ns + "/" + *name +
                                                        " with policy.cfg is not in this file");
    return nullptr;
  }
  for (const char* flag : {"policy-config-file", "config"}) {
    const auto path = workload.Flag(flag);
    if (!path) continue;
    const std::string written = std::string("--") + flag + "=" + *path;
    const auto key = workload.SourceOf(*path);
    const ConfigText* config = key ? Find(*key, false) : nullptr;
    if (config == nullptr && !key && source_.configs.size() == 1) {
      config = source_.configs.data();
      reporter.Approximate(written, config->title.empty() ? "the " + config->kind : config->title,
                           "no ConfigMap is mounted there; using the only configuration in this "
                           "file");
      return config;
    }
    if (config != nullptr) {
      reporter.Exact(written, config->title);
      return config;
    }
    reporter.Dropped(written, key ? "ConfigMap " + key->config_map.name + " with " + key->key +
                                        " is not in this file"
                                  : "no ConfigMap is mounted there");
  }
  return nullptr;
}

std::vector<GrantedRole> Session::RolesOf(const convert::Workload& workload) const {
  const std::string& account = workload.pod.spec.service_account_name;
  std::vector<GrantedRole> roles;
  for (const Binding& binding : source_.bindings) {
    const bool is_bound = std::ranges::any_of(binding.subjects, [&](const api::Subject& subject) {
      return subject.kind == "ServiceAccount" && subject.name == account && !account.empty() &&
             Fits({workload.metadata.namespace_, account}, {subject.namespace_, subject.name});
    });
    if (!is_bound) continue;
    const auto unlimited = std::ranges::find(source_.unlimited, binding.cluster_role);
    roles.push_back({binding.cluster_role, unlimited != source_.unlimited.end()});
  }
  return roles;
}

Result<void> Session::Workload(const convert::Workload& workload) {
  const Reporter reporter = At(workload.title);
  const ConfigText* config = ConfigOf(workload, reporter);
  std::vector<Draft> drafts(1);
  if (config != nullptr) {
    BERTH_TRY(drafts, Drafts(*config));
  }
  if (!workload.metadata.namespace_.empty() && options_.ns.empty()) {
    reporter.Dropped("namespace " + workload.metadata.namespace_,
                     "the scheduler runs in the operator's namespace; use --namespace to change "
                     "it");
  }
  const auto name = workload.Flag("scheduler-name");
  const size_t group = drafts_.size();
  for (Draft& draft : drafts) {
    if (draft.scheduler_name.empty() && name) draft.scheduler_name = *name;
    BERTH_TRY_VOID(ApplyWorkload(workload, RolesOf(workload), options_.engine, engine_plugins_,
                                 reporter, draft));
    drafts_.push_back({std::move(draft), workload.metadata.name, group});
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
    BERTH_TRY(std::vector<Draft> drafts, Drafts(*config));
    const std::string fallback =
        config->title.empty() ? StemOf(options_.source) : config->key.config_map.name;
    const size_t group = drafts_.size();
    for (Draft& draft : drafts) {
      AddSidecars({}, At(config->title), draft);
      drafts_.push_back({std::move(draft), fallback, group});
    }
  }
  return {};
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
    NameProfile(options_.name, named.draft.scheduler_name, named.fallback, reporter_,
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
      return ConfigError("two different schedulers would have the name \"" + name + "\"");
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
