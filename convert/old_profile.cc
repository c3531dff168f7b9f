// SPDX-License-Identifier: Apache-2.0
#include "convert/old_profile.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "convert/coscheduling.h"
#include "convert/network_traffic.h"
#include "crds/plugin_lists.h"

namespace berth::convert {
namespace {

constexpr std::string_view kQueueSort = "queueSort";

std::string EntryPath(std::string_view point, std::string_view list, std::string_view name) {
  return "plugins." + std::string(point) + "." + std::string(list) + "[name=" + std::string(name) +
         "]";
}

bool Scores(std::string_view point) { return point == "score" || point == crds::kMultiPoint; }

// ProfileTranslation translates one profile to current lists and arguments.
class ProfileTranslation {
 public:
  ProfileTranslation(ConfigVersion version, EngineChoice choice,
                     const crds::PluginCatalogueView& catalogue, const Reporter& reporter,
                     Draft& draft)
      : version_(version),
        choice_(choice),
        catalogue_(catalogue),
        reporter_(reporter),
        draft_(draft) {}

  void Lists(const api::OldPlugins& plugins);
  Result<void> Arguments(const std::vector<api::PluginConfig>& configs);
  void Strategy();
  void OneQueueSort();
  void ReportDefaults();

 private:
  // Returns the current plugin set for an extension point of the version, or nullptr if a set of its
  // own is no longer needed.
  const api::PluginPoint* PointOf(const std::string& name) const;
  // Returns the current plugin name. A kept image has its own spellings.
  std::string NameOf(const std::string& plugin) const {
    return choice_ == EngineChoice::kImage ? plugin : ProperName(plugin);
  }
  // Returns why a name has no meaning in the version, or "". A kept image may have a plugin of that
  // name.
  std::string WhyUnknown(const std::string& plugin) const {
    return choice_ == EngineChoice::kImage ? "" : WhyNoPlugin(version_, plugin);
  }
  // Returns the changes of a plugin of this version since then, or nullptr.
  const OldPlugin* FindOld(const std::string& plugin) const {
    return WhyNoPlugin(version_, plugin).empty() ? FindOldPlugin(plugin) : nullptr;
  }
  void DropUnknown(const std::string& path, const std::string& name, std::string why) const;
  void Enable(const api::PluginPoint& point, const std::string& written, const api::Plugin& entry);
  bool TakeStrategy(const std::string& path, const OldPlugin& old);
  void Disable(const api::PluginPoint& point, const std::string& written,
               const api::DisabledPlugin& entry);
  void DisableOld(const std::string& path, const api::PluginPoint& point, const OldPlugin& old);
  void ConvertArgs(const std::string& path, const std::string& plugin, Members& args) const;
  std::string ChosenQueueSort() const;

  api::PluginSet& SetAt(const api::PluginPoint& point) { return draft_.spec.plugins.*point.set; }

  ConfigVersion version_;
  EngineChoice choice_;
  const crds::PluginCatalogueView& catalogue_;
  const Reporter& reporter_;
  Draft& draft_;
  std::string strategy_;                       // of NodeResourcesFit, if the source selects one
  std::map<std::string, Members> strategies_;  // arguments of plugins that have become strategies
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

bool ProfileTranslation::TakeStrategy(const std::string& path, const OldPlugin& old) {
  if (old.strategy.empty() || strategy_.empty() || strategy_ == old.strategy) {
    if (!old.strategy.empty()) strategy_ = old.strategy;
    return true;
  }
  reporter_.Dropped(path,
                    "not expressible: a profile has only one scoring strategy of NodeResourcesFit, "
                    "here " +
                        strategy_);
  return false;
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
    if (!TakeStrategy(path, *old)) return;
    name = old->now;
    outcome = old->outcome;
    remark = old->remark;
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
  const bool is_replaced = crds::Lists(SetAt(point).enabled, old.now);
  if (!old.was_default) {
    reporter_.Exact(path, "", "it is not in the default profile");
  } else if (old.strategy.empty()) {
    reporter_.Approximate(path, "", "NodeVolumeLimits, which replaces it, stays enabled");
  } else if (is_replaced) {
    reporter_.Exact(path, "", "the enabled strategy replaces it");
  } else {
    AppendOnce(SetAt(point).disabled, old.now);
    reporter_.Exact(path, EntryPath(point.name, "disabled", old.now), std::string(old.remark));
  }
}

void ProfileTranslation::Disable(const api::PluginPoint& point, const std::string& written,
                                 const api::DisabledPlugin& entry) {
  const std::string path = EntryPath(written, "disabled", entry.name);
  const std::string name = NameOf(entry.name);
  if (const std::string why = WhyNoPlugin(version_, name); !why.empty()) {
    return reporter_.Dropped(path, why + ": disabling it had no effect");
  }
  if (const OldPlugin* old = FindOld(name)) return DisableOld(path, point, *old);
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

Result<void> ProfileTranslation::Arguments(const std::vector<api::PluginConfig>& configs) {
  for (const api::PluginConfig& config : configs) {
    const std::string path = "pluginConfig[name=" + config.name + "]";
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
        strategies_[std::string(old->strategy)] = std::move(args);
        reporter_.Exact(path, "scoringStrategy of NodeResourcesFit", std::string(old->remark));
      }
      continue;
    }
    json::Raw& target = ArgsOf(draft_.spec, plugin);
    if (target.text.empty()) target.text = "{}";
    for (auto& [name, value] : args) SetMember(target, name, std::move(value));
    const bool is_known = catalogue_.Find(plugin) != nullptr;
    reporter_.Add(path, "pluginConfig[name=" + plugin + "]",
                  is_known ? Outcome::kExact : Outcome::kApproximate,
                  is_known ? "" : "a custom plugin: its arguments are not validated");
  }
  return {};
}

void ProfileTranslation::Strategy() {
  if (strategy_.empty() && strategies_.contains("LeastAllocated")) strategy_ = "LeastAllocated";
  for (const auto& [name, args] : strategies_) {
    if (name != strategy_) {
      reporter_.Dropped("pluginConfig", "arguments of " + name + ", which is not enabled");
    }
  }
  if (strategy_.empty()) return;
  Members& args = strategies_[strategy_];
  if (strategy_ == "LeastAllocated" && args["resources"].text.empty()) return;  // the default
  SetMember(ArgsOf(draft_.spec, "NodeResourcesFit"), "scoringStrategy",
            ScoringStrategy(strategy_, args["resources"], args["shape"]));
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
                             crds::IsDisabled(plugins.score, change.plugin) ||
                             crds::IsDisabled(plugins.multi_point, change.plugin);
    if (version_ > change.last || is_reported) continue;
    const bool is_kept = catalogue_.Find(change.plugin) != nullptr;
    reporter_.Approximate(
        "(default profile) " + std::string(change.plugin), std::string(change.is),
        "it was " + std::string(change.was) +
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

Result<void> ApplyProfile(const api::OldProfile& profile, ConfigVersion version, bool has_defaults,
                          EngineChoice choice, const crds::PluginCatalogueView& catalogue,
                          const Reporter& reporter, Draft& draft) {
  if (choice != EngineChoice::kImage && NeedsItsImage(profile, catalogue)) {
    return ApplyProfile(profile, version, has_defaults, EngineChoice::kImage,
                        KubeSchedulersOwn(catalogue), reporter, draft);
  }
  ProfileTranslation translation(version, choice, catalogue, reporter, draft);
  translation.Lists(profile.plugins);
  BERTH_TRY_VOID(translation.Arguments(profile.plugin_config));
  translation.Strategy();
  translation.OneQueueSort();
  if (has_defaults) translation.ReportDefaults();
  return {};
}

}  // namespace berth::convert
