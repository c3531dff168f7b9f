// SPDX-License-Identifier: Apache-2.0
#include "convert/old_profile.h"

#include <algorithm>
#include <map>
#include <set>

#include "api/field_error.h"
#include "base/json/field_path.h"
#include "base/strings.h"
#include "convert/coscheduling.h"
#include "convert/network_traffic.h"
#include "convert/strategies.h"
#include "crds/plugin_lists.h"

namespace berth::convert {
namespace {

constexpr std::string_view kQueueSort = "queueSort";
constexpr std::string_view kScore = "score";

std::string EntryPath(std::string_view point, std::string_view list, std::string_view name) {
  return json::ListEntryPath("plugins." + std::string(point) + "." + std::string(list), "name",
                             name);
}

bool Scores(std::string_view point) { return point == kScore || point == crds::kMultiPoint; }

// Reports whether an argument of this name probably has a secret value.
bool IsSecretName(std::string_view name) {
  static constexpr std::string_view kWords[] = {"token",     "password",   "secret", "apikey",
                                                "accesskey", "privatekey", "keydata"};
  const std::string lower = ToLower(name);
  return std::ranges::any_of(kWords, [&](std::string_view word) { return lower.ends_with(word); });
}

// ProfileTranslation translates one profile to current lists and arguments.
class ProfileTranslation {
 public:
  // `keeps_names`: the image was chosen, so every name may be one of its plugins.
  ProfileTranslation(ConfigVersion version, Defaults defaults, EngineChoice choice,
                     bool keeps_names, const crds::PluginCatalogueView& catalogue,
                     const Reporter& reporter, Draft& draft)
      : version_(version),
        defaults_(defaults),
        choice_(choice),
        keeps_names_(keeps_names),
        catalogue_(catalogue),
        reporter_(reporter),
        draft_(draft) {}

  void Lists(const api::OldPlugins& plugins);
  Result<void> Arguments(const std::vector<api::PluginConfig>& configs);
  void ChooseScoring();
  void OneQueueSort();
  void ReportDefaults();

 private:
  // Returns the current plugin set for an extension point of the version, or nullptr if a set of
  // its own is no longer needed.
  const api::PluginPoint* PointOf(const std::string& name) const;
  // Returns the current plugin name. A kept image has its own spellings.
  std::string NameOf(const std::string& plugin) const {
    return choice_ == EngineChoice::kImage ? plugin : ProperName(plugin);
  }
  // Returns why a name has no meaning in the version, or "".
  std::string WhyUnknown(const std::string& plugin) const {
    return keeps_names_ ? "" : WhyNoPlugin(version_, plugin);
  }
  // Returns the changes of a plugin of this version since then, or nullptr.
  const OldPlugin* FindOld(const std::string& plugin) const {
    return WhyNoPlugin(version_, plugin).empty() ? FindOldPlugin(plugin) : nullptr;
  }
  void DropUnknown(const std::string& path, const std::string& name, std::string why) const;
  void Enable(const api::PluginPoint& point, const std::string& written, const api::Plugin& entry);
  // Reports whether strategies are still plugins of their own in the version.
  bool HasStrategyPlugins() const { return version_ <= ConfigVersion::kV1Beta1; }
  // Returns the strategy plugin of the default profile, or "".
  std::string_view DefaultStrategy() const;
  bool DisablesScore(std::string_view plugin) const {
    return disabled_scores_.contains(crds::kAllPlugins) || disabled_scores_.contains(plugin);
  }
  bool FitScores() const;
  void AddStrategy(const std::string& path, std::string_view point, const Strategy& strategy);
  std::vector<Strategy> Strategies() const;
  void DisableStrategy(const std::string& path, std::string_view point, const OldPlugin& old);
  void SetStrategy(const Strategy& strategy);
  void ReportStrategy(const Strategy& strategy, const StrategyChoice& choice);
  void ReportStrategyArgs(const std::vector<Strategy>& strategies, const StrategyChoice& choice);
  void Disable(const api::PluginPoint& point, const std::string& written,
               const api::DisabledPlugin& entry);
  void DisableOld(const std::string& path, const api::PluginPoint& point, const OldPlugin& old);
  void ConvertArgs(const std::string& path, const std::string& plugin, Members& args) const;
  void ReportSecrets(const std::string& path, const json::Raw& args) const;
  std::string ChosenQueueSort() const;

  api::PluginSet& SetAt(const api::PluginPoint& point) { return draft_.spec.plugins.*point.set; }

  ConfigVersion version_;
  Defaults defaults_;
  EngineChoice choice_;
  bool keeps_names_;
  const crds::PluginCatalogueView& catalogue_;
  const Reporter& reporter_;
  Draft& draft_;
  std::vector<Strategy> strategies_;                           // that the source enables
  std::map<std::string, Members, std::less<>> strategy_args_;  // by the former plugin
  std::set<std::string, std::less<>> disabled_scores_;         // that the source disables
};

const api::PluginPoint* ProfileTranslation::PointOf(const std::string& name) const {
  if (version_ == ConfigVersion::kV1Alpha1 && name == "postFilter") {
    reporter_.Exact("plugins.postFilter", "plugins.preScore", "the extension point was renamed");
    return &crds::PointNamed("preScore");
  }
  if (name == "unreserve") {
    reporter_.Exact("plugins.unreserve", "", "reserve plugins also implement unreserve");
    return nullptr;
  }
  return &crds::PointNamed(name);
}

void ProfileTranslation::DropUnknown(const std::string& path, const std::string& name,
                                     std::string why) const {
  if (catalogue_.Find(name) != nullptr)
    why += "; the profile can have " + name + ", if it is meant";
  reporter_.Dropped(path, std::move(why));
}

void ProfileTranslation::Enable(const api::PluginPoint& point, const std::string& written,
                                const api::Plugin& entry) {
  const std::string path = EntryPath(written, "enabled", entry.name);
  std::string name = NameOf(entry.name);
  if (std::string why = WhyUnknown(name); !why.empty()) {
    return DropUnknown(path, name, std::move(why));
  }
  Outcome outcome = Outcome::kExact;
  std::string remark;
  if (const OldPlugin* old = FindOld(name)) {
    if (old->now.empty()) return reporter_.Dropped(path, std::string(old->remark));
    if (!old->strategy.empty()) {
      return AddStrategy(path, point.name,
                         {.path = path,
                          .name = old->name,
                          .type = old->strategy,
                          .weight = std::max(entry.weight, 1)});
    }
    name = old->now;
    outcome = old->outcome;
    remark = old->remark;
  }
  if (HasStrategyPlugins() && name == kFit && point.name == kScore) {
    return AddStrategy(path, point.name,
                       {.path = path, .name = kFit, .weight = std::max(entry.weight, 1)});
  }
  const crds::PluginView* view = catalogue_.Find(name);
  if (view == nullptr) {
    outcome = Outcome::kApproximate;
    remark = "a custom plugin: kept; it needs a spec.engine.image that contains it";
  } else if (point.name != crds::kMultiPoint && !view->Implements(point.name)) {
    return reporter_.Dropped(path, name + " does not implement " + std::string(point.name));
  }
  const int32_t weight = Scores(point.name) ? entry.weight : 0;
  AppendOnce(SetAt(point).enabled, name, weight);
  reporter_.Add(path,
                EntryPath(point.name, "enabled", name) +
                    (weight == 0 ? "" : ", weight " + std::to_string(weight)),
                outcome, std::move(remark));
}

void ProfileTranslation::DisableOld(const std::string& path, const api::PluginPoint& point,
                                    const OldPlugin& old) {
  if (!old.strategy.empty()) {
    DisableStrategy(path, point.name, old);
  } else if (!old.was_default) {
    reporter_.Exact(path, "", "it is not in the default profile");
  } else {
    reporter_.Approximate(path, "", "NodeVolumeLimits, which replaces it, stays enabled");
  }
}

void ProfileTranslation::Disable(const api::PluginPoint& point, const std::string& written,
                                 const api::DisabledPlugin& entry) {
  const std::string path = EntryPath(written, "disabled", entry.name);
  const std::string name = NameOf(entry.name);
  if (const std::string why = WhyNoPlugin(version_, name); !why.empty()) {
    return reporter_.Dropped(path, why + ": disabling it had no effect");
  }
  const OldPlugin* old = FindOld(name);
  // A plugin that is disabled at preScore cannot score either.
  const bool is_plain = old == nullptr || old->strategy.empty();
  if (Scores(point.name) || (point.name == "preScore" && is_plain && name != crds::kAllPlugins)) {
    disabled_scores_.emplace(old != nullptr && is_plain ? old->now : name);
  }
  if (old != nullptr) return DisableOld(path, point, *old);
  if (HasStrategyPlugins() && name == kFit && point.name == kScore) {
    return reporter_.Dropped(path, std::string(kFit) +
                                       " does not score by default in this "
                                       "version: disabling it had no effect");
  }
  const crds::PluginView* view = catalogue_.Find(name);
  if (view == nullptr && name != crds::kAllPlugins && !IsFormerPlugin(name)) {
    return reporter_.Dropped(path, "no default profile has it: disabling it had no effect");
  }
  if (name != crds::kAllPlugins && (view == nullptr || !view->in_default_profile)) {
    return reporter_.Exact(path, "", "it is not in the default profile");
  }
  AppendOnce(SetAt(point).disabled, name);
  reporter_.Exact(path, EntryPath(point.name, "disabled", name));
}

void ProfileTranslation::Lists(const api::OldPlugins& plugins) {
  std::vector<
      std::pair<const api::PluginPoint*, const std::pair<const std::string, api::PluginSet>*>>
      known;
  for (const auto& entry : plugins) {
    if (const api::PluginPoint* point = PointOf(entry.first)) known.emplace_back(point, &entry);
  }
  for (const auto& [point, entry] : known) {
    for (const api::Plugin& plugin : entry->second.enabled) Enable(*point, entry->first, plugin);
  }
  for (const auto& [point, entry] : known) {
    for (const api::DisabledPlugin& plugin : entry->second.disabled) {
      Disable(*point, entry->first, plugin);
    }
  }
}

void ProfileTranslation::ConvertArgs(const std::string& path, const std::string& plugin,
                                     Members& args) const {
  args.erase("apiVersion");
  args.erase("kind");
  if (choice_ == EngineChoice::kImage && catalogue_.Find(plugin) == nullptr) return;
  std::erase_if(args, [&](const auto& arg) {
    const std::string why = WhyNoArgument(version_, plugin, arg.first);
    if (!why.empty()) reporter_.Dropped(path + "." + arg.first, why);
    return !why.empty();
  });
  if (plugin == kFit && HasStrategyPlugins() && !FitScores() && args.erase("scoringStrategy") > 0) {
    reporter_.Dropped(path + ".scoringStrategy",
                      "in this version NodeResourcesFit scores only if it is enabled at score");
  }
  const bool is_old = version_ <= ConfigVersion::kV1Beta1;
  if (plugin == "PodTopologySpread" && is_old && args.contains("defaultConstraints") &&
      !args.contains("defaultingType")) {
    args["defaultingType"] = {R"("List")"};
    reporter_.Exact(path + ".defaultConstraints", "with defaultingType List",
                    "custom constraints implied it in that version");
  }
  const bool is_ours = choice_ != EngineChoice::kImage;  // not a plugin of the kept image
  if (is_ours && plugin == kNetworkTraffic) ConvertNetworkTraffic(path, reporter_, args);
  if (is_ours && plugin == kCoscheduling) ConvertCoscheduling(path, reporter_, args);
}

// A profile can be read by all users of the cluster that may read profiles, and so can the
// ConfigMap with the configuration.
void ProfileTranslation::ReportSecrets(const std::string& path, const json::Raw& args) const {
  const auto members = json::Decode<Members>(args.text);
  if (!members) return;
  for (const auto& [name, value] : *members) {
    const std::string inner = api::Child(path, name);
    if (value.text.starts_with('{')) ReportSecrets(inner, value);
    if (!IsSecretName(name) || !value.text.starts_with('"') || value.text == R"("")") continue;
    reporter_.Approximate(inner, "kept",
                          "by its name it is a secret, and profiles are not secret: replace it, "
                          "for example by a file in the image or the scheduler's own token");
  }
}

Result<void> ProfileTranslation::Arguments(const std::vector<api::PluginConfig>& configs) {
  for (const api::PluginConfig& config : configs) {
    const std::string path = json::ListEntryPath("pluginConfig", "name", config.name);
    Members args;
    if (!config.args.text.empty() && config.args.text != "null") {
      auto decoded = json::Decode<Members>(config.args.text);
      if (!decoded) return Fail(decoded.error().With(reporter_.PathOf(path + ".args")));
      args = std::move(*decoded);
    }
    const std::string plugin = NameOf(config.name);
    if (std::string why = WhyUnknown(plugin); !why.empty()) {
      DropUnknown(path, plugin, std::move(why));
      continue;
    }
    ConvertArgs(path + ".args", plugin, args);
    if (const OldPlugin* old = FindOld(plugin)) {
      if (old->strategy.empty()) {
        reporter_.Dropped(path, std::string(old->remark));
      } else {
        strategy_args_[std::string(old->name)] = std::move(args);
      }
      continue;
    }
    json::Raw& target = ArgsOf(draft_.spec, plugin);
    if (target.text.empty()) target.text = "{}";
    for (auto& [name, value] : args) SetMember(target, name, std::move(value));
    const bool is_known = catalogue_.Find(plugin) != nullptr;
    reporter_.Add(path, json::ListEntryPath("pluginConfig", "name", plugin),
                  is_known ? Outcome::kExact : Outcome::kApproximate,
                  is_known ? "" : "a custom plugin: its arguments are not validated");
    if (!is_known) ReportSecrets(path + ".args", config.args);
  }
  return {};
}

std::string_view ProfileTranslation::DefaultStrategy() const {
  if (!HasStrategyPlugins() || defaults_ == Defaults::kNone) return "";
  return defaults_ == Defaults::kAutoscaler ? "NodeResourcesMostAllocated"
                                            : "NodeResourcesLeastAllocated";
}

bool ProfileTranslation::FitScores() const {
  return std::ranges::find(strategies_, kFit, &Strategy::name) != strategies_.end();
}

void ProfileTranslation::AddStrategy(const std::string& path, std::string_view point,
                                     const Strategy& strategy) {
  if (point != kScore) {
    reporter_.Dropped(path,
                      std::string(strategy.name) + " does not implement " + std::string(point));
  } else if (std::ranges::find(strategies_, strategy.name, &Strategy::name) == strategies_.end()) {
    strategies_.push_back(strategy);
  }
}

void ProfileTranslation::DisableStrategy(const std::string& path, std::string_view point,
                                         const OldPlugin& old) {
  if (old.name != DefaultStrategy() || point != kScore) {
    reporter_.Exact(path, "", "it is not in the default profile");
  } else if (!strategies_.empty()) {
    reporter_.Exact(path, "", "the enabled strategy replaces it");
  } else {
    AppendOnce(draft_.spec.plugins.score.disabled, kFit);
    reporter_.Exact(path, EntryPath(kScore, "disabled", kFit), std::string(old.remark));
  }
}

// Returns the strategies that the source enables, and the default one unless it is disabled.
std::vector<Strategy> ProfileTranslation::Strategies() const {
  std::vector<Strategy> strategies = strategies_;
  const std::string_view standard = DefaultStrategy();
  if (!standard.empty() && !DisablesScore(standard) &&
      std::ranges::find(strategies, standard, &Strategy::name) == strategies.end()) {
    const OldPlugin& old = *FindOldPlugin(standard);
    strategies.push_back({.path = "(default profile) " + std::string(standard),
                          .name = old.name,
                          .type = old.strategy,
                          .is_default = true});
  }
  for (Strategy& strategy : strategies) {
    const auto args = strategy_args_.find(strategy.name);
    if (args == strategy_args_.end()) continue;
    const auto resources = args->second.find("resources");
    if (resources == args->second.end() || resources->second.text == "null") continue;
    strategy.resources.text = json::Canonical(resources->second.text).value_or("");
    if (strategy.resources == DefaultResources()) strategy.resources = {};
  }
  return strategies;
}

void ProfileTranslation::SetStrategy(const Strategy& strategy) {
  if (strategy.type.empty()) return;  // the arguments of NodeResourcesFit have it
  const auto args = strategy_args_.find(strategy.name);
  json::Raw shape;
  if (args != strategy_args_.end() && args->second.contains("shape")) {
    shape = args->second.at("shape");
  }
  const bool is_standard = strategy.type == "LeastAllocated" && strategy.resources.text.empty();
  const bool has_another = FitScores();
  if (is_standard && !has_another) return;
  SetMember(ArgsOf(draft_.spec, kFit), "scoringStrategy",
            ScoringStrategy(strategy.type, strategy.resources, shape));
}

void ProfileTranslation::ReportStrategy(const Strategy& strategy, const StrategyChoice& choice) {
  if (choice.kept == nullptr) {
    reporter_.Approximate(strategy.path, EntryPath(kScore, "disabled", kFit),
                          WhyNotKept(strategy, choice));
  } else if (&strategy != choice.kept) {
    reporter_.Dropped(strategy.path, WhyNotKept(strategy, choice));
  } else if (!strategy.is_default) {
    std::string reason = strategy.type.empty() ? "" : "now a scoring strategy of NodeResourcesFit";
    if (!reason.empty() && !choice.remark.empty()) reason += "; ";
    reporter_.Add(strategy.path,
                  EntryPath(kScore, "enabled", kFit) +
                      (choice.weight == 1 ? "" : ", weight " + std::to_string(choice.weight)),
                  choice.remark.empty() ? Outcome::kExact : Outcome::kApproximate,
                  reason + choice.remark);
  }
}

void ProfileTranslation::ReportStrategyArgs(const std::vector<Strategy>& strategies,
                                            const StrategyChoice& choice) {
  for (const auto& [plugin, args] : strategy_args_) {
    const std::string path = json::ListEntryPath("pluginConfig", "name", plugin);
    const auto found = std::ranges::find(strategies, plugin, &Strategy::name);
    if (found == strategies.end()) {
      reporter_.Dropped(path, "its plugin is not enabled");
    } else if (&*found == choice.kept) {
      reporter_.Exact(path, "scoringStrategy of NodeResourcesFit");
    } else {
      reporter_.Dropped(path, WhyNotKept(*found, choice));
    }
  }
}

// Selects the strategy of NodeResourcesFit from those of the source and of the default profile.
void ProfileTranslation::ChooseScoring() {
  const std::vector<Strategy> strategies = Strategies();
  StrategyChoice choice;
  if (!strategies.empty()) choice = ChooseStrategy(strategies);
  for (const Strategy& strategy : strategies) ReportStrategy(strategy, choice);
  ReportStrategyArgs(strategies, choice);
  if (strategies.empty()) return;
  api::PluginSet& score = draft_.spec.plugins.score;
  if (choice.kept == nullptr) {
    AppendOnce(score.disabled, kFit);
    return;
  }
  if (!choice.kept->is_default) {
    AppendOnce(score.enabled, kFit, choice.weight == 1 ? 0 : static_cast<int32_t>(choice.weight));
  }
  SetStrategy(*choice.kept);
}

// A queue has one sort plugin. In v1alpha1 it was enough to enable one; now the default one must
// also be disabled.
void ProfileTranslation::OneQueueSort() {
  api::Plugins& plugins = draft_.spec.plugins;
  constexpr std::string_view kDefault = "PrioritySort";
  const std::string chosen = ChosenQueueSort();
  if (chosen.empty() || crds::Lists(plugins.queue_sort.enabled, kDefault)) return;
  if (crds::IsDisabled(plugins.queue_sort, kDefault) ||
      crds::IsDisabled(plugins.multi_point, kDefault)) {
    return;
  }
  AppendOnce(plugins.queue_sort.disabled, kDefault);
  reporter_.Exact("plugins.queueSort", EntryPath(kQueueSort, "disabled", kDefault),
                  "a queue has only one sort plugin, and " + chosen + " is it");
}

// Returns the queue sort plugin that the profile enables, at queueSort or multiPoint.
std::string ProfileTranslation::ChosenQueueSort() const {
  const api::Plugins& plugins = draft_.spec.plugins;
  if (!plugins.queue_sort.enabled.empty()) return plugins.queue_sort.enabled[0].name;
  for (const api::Plugin& plugin : plugins.multi_point.enabled) {
    const crds::PluginView* view = catalogue_.Find(plugin.name);
    if (view != nullptr && view->Implements(kQueueSort) && !view->in_default_profile) {
      return plugin.name;
    }
  }
  return {};
}

void ProfileTranslation::ReportDefaults() {
  const api::Plugins& plugins = draft_.spec.plugins;
  for (const DefaultChange& change : DefaultChanges()) {
    const bool is_reported = crds::Lists(plugins.score.enabled, change.plugin) ||
                             crds::Lists(plugins.multi_point.enabled, change.plugin) ||
                             DisablesScore(change.plugin);
    if (version_ > change.last || is_reported) continue;
    const bool is_kept = catalogue_.Find(change.plugin) != nullptr;
    const bool is_replaced = !change.instead.empty() && !DisablesScore(change.instead);
    reporter_.Approximate(
        "(default profile) " + std::string(change.plugin), std::string(change.is),
        (is_replaced ? std::string(change.instead) + " spreads by default: " : "") + "it was " +
            std::string(change.was) +
            (is_kept ? "; spec.plugins." + std::string(change.keep) + " restores it"
                     : ", and kube-scheduler has removed it"));
  }
}

// Reports whether a profile has a plugin that is neither in the catalogue nor a former
// kube-scheduler plugin.
bool NeedsItsImage(const api::OldProfile& profile, const crds::PluginCatalogueView& catalogue) {
  const auto is_unknown = [&catalogue](const auto& entry) {
    const std::string name = ProperName(entry.name);
    return FindOldPlugin(name) == nullptr && catalogue.Find(name) == nullptr;
  };
  return std::ranges::any_of(profile.plugin_config, is_unknown) ||
         std::ranges::any_of(profile.plugins, [&](const auto& point) {
           return std::ranges::any_of(point.second.enabled, is_unknown);
         });
}

}  // namespace

crds::PluginCatalogueView KubeSchedulersOwn(crds::PluginCatalogueView catalogue) {
  std::erase_if(catalogue.plugins, [](const crds::PluginView& view) { return !view.is_upstream; });
  return catalogue;
}

Result<void> ApplyProfile(const api::OldProfile& profile, ConfigVersion version, Defaults defaults,
                          EngineChoice choice, const crds::PluginCatalogueView& catalogue,
                          const Reporter& reporter, Draft& draft) {
  const bool keeps_names = choice == EngineChoice::kImage;
  const bool needs_image = !keeps_names && NeedsItsImage(profile, catalogue);
  const crds::PluginCatalogueView plugins = needs_image ? KubeSchedulersOwn(catalogue) : catalogue;
  ProfileTranslation translation(version, defaults, needs_image ? EngineChoice::kImage : choice,
                                 keeps_names, plugins, reporter, draft);
  translation.Lists(profile.plugins);
  BERTH_TRY_VOID(translation.Arguments(profile.plugin_config));
  translation.ChooseScoring();
  translation.OneQueueSort();
  if (defaults != Defaults::kNone) translation.ReportDefaults();
  return {};
}

}  // namespace berth::convert
