// SPDX-License-Identifier: Apache-2.0
#include "crds/toggle.h"

#include <algorithm>
#include <utility>

#include "base/nearest.h"
#include "base/strings.h"
#include "crds/plugin_lists.h"
#include "crds/validation.h"

namespace berth::crds {
namespace {

using api::PluginPoint;
using Points = std::vector<std::string>;

constexpr std::string_view kScore = "score";
constexpr std::string_view kQueueSort = "queueSort";

// 0 and absent mean 1, even for a plugin with a higher weight in the default profile.
int32_t InEffect(int32_t weight) { return weight == 0 ? 1 : weight; }

// Returns the weight of a plugin's scores. Source: kube-scheduler
// pkg/scheduler/framework/runtime/framework.go, getScoreWeights.
int32_t WeightOf(const PluginView& plugin, const api::Plugins& plugins) {
  for (const auto* set : {&plugins.score, &plugins.multi_point}) {
    const auto entry = std::ranges::find(set->enabled, plugin.name, &api::Plugin::name);
    if (entry != set->enabled.end()) return InEffect(entry->weight);
  }
  return InEffect(plugin.default_weight);
}

// Editor changes the lists entry by entry and records the changes.
class Editor {
 public:
  Editor(const api::Plugins& plugins, const OwnerOf& owner_of) : owner_of_(owner_of) {
    plan.plugins = plugins;
  }

  bool Runs(const PluginView& plugin, std::string_view point) const {
    return RunsAt(PointNamed(point), plan.plugins, plugin);
  }
  // Changes multiPoint, or only these points.
  void EnableAll(const PluginView& plugin);
  void EnableAt(const PluginView& plugin, const Points& points);
  void DisableAll(const PluginView& plugin);
  void DisableAt(const PluginView& plugin, const Points& points);
  // Requires: the plugin runs at score.
  void Weigh(const PluginView& plugin, int32_t weight);

  TogglePlan plan;

 private:
  api::PluginSet& SetOf(const PluginPoint& point) { return plan.plugins.*point.set; }
  void Note(std::string path, std::string what, std::string owner = {}) {
    plan.edits.push_back({std::move(path), std::move(what), std::move(owner)});
  }
  void TakeOffDisabled(const PluginPoint& point, const std::string& name);
  void PutOnEnabled(const PluginPoint& point, const std::string& name, int32_t weight);
  void TakeOffEnabled(const PluginPoint& point, const std::string& name, std::string owner);
  void PutOnDisabled(const PluginPoint& point, const std::string& name);

  const OwnerOf& owner_of_;
};

// An entry of another field manager stays, because `enabled` takes precedence over it.
void Editor::TakeOffDisabled(const PluginPoint& point, const std::string& name) {
  std::string path = EntryPath(point, "disabled", name);
  if (!Lists(SetOf(point).disabled, name) || !owner_of_(path).empty()) return;
  std::erase_if(SetOf(point).disabled, [&](const auto& entry) { return entry.name == name; });
  Note(std::move(path), "removed");
}

void Editor::PutOnEnabled(const PluginPoint& point, const std::string& name, int32_t weight) {
  SetOf(point).enabled.push_back({.name = name, .weight = weight});
  Note(EntryPath(point, "enabled", name),
       weight == 0 ? "added" : "added with weight " + std::to_string(weight));
  if (!Lists(SetOf(point).disabled, name)) return;
  const std::string disabled = EntryPath(point, "disabled", name);
  plan.notes.push_back(disabled + " is kept because it is owned by " + owner_of_(disabled) +
                       ": it has no effect on a plugin that is listed in enabled");
}

void Editor::TakeOffEnabled(const PluginPoint& point, const std::string& name, std::string owner) {
  std::erase_if(SetOf(point).enabled, [&](const auto& entry) { return entry.name == name; });
  Note(EntryPath(point, "enabled", name), "removed", std::move(owner));
}

void Editor::PutOnDisabled(const PluginPoint& point, const std::string& name) {
  SetOf(point).disabled.push_back({.name = name});
  Note(EntryPath(point, "disabled", name), "added");
}

void Editor::EnableAll(const PluginView& plugin) {
  const auto runs = [&](const std::string& point) { return Runs(plugin, point); };
  if (std::ranges::all_of(plugin.points, runs)) return;
  if (!ComesWithMultiPoint(plan.plugins, plugin)) {
    const PluginPoint& multi = PointNamed(kMultiPoint);
    TakeOffDisabled(multi, plugin.name);
    if (!ComesWithMultiPoint(plan.plugins, plugin)) {
      PutOnEnabled(multi, plugin.name, plugin.Implements(kScore) ? plugin.default_weight : 0);
    }
  }
  EnableAt(plugin, plugin.points);
}

void Editor::EnableAt(const PluginView& plugin, const Points& points) {
  for (const std::string& name : points) {
    if (Runs(plugin, name)) continue;
    const PluginPoint& point = PointNamed(name);
    TakeOffDisabled(point, plugin.name);
    if (Runs(plugin, name)) continue;
    // An entry at a point needs its own weight.
    const int32_t weight = name == kScore ? WeightOf(plugin, plan.plugins) : 0;
    PutOnEnabled(point, plugin.name, weight == 1 ? 0 : weight);
  }
}

void Editor::DisableAll(const PluginView& plugin) {
  const auto runs = [&](const std::string& point) { return Runs(plugin, point); };
  if (std::ranges::none_of(plugin.points, runs)) return;
  const PluginPoint& multi = PointNamed(kMultiPoint);
  if (Lists(SetOf(multi).enabled, plugin.name)) {
    const bool is_others = !owner_of_(EntryPath(multi, "enabled", plugin.name)).empty();
    if (!is_others) TakeOffEnabled(multi, plugin.name, "");
  }
  const bool is_listed = Lists(SetOf(multi).enabled, plugin.name);
  if (!is_listed && ComesWithMultiPoint(plan.plugins, plugin)) PutOnDisabled(multi, plugin.name);
  DisableAt(plugin, plugin.points);
}

void Editor::DisableAt(const PluginView& plugin, const Points& points) {
  for (const std::string& name : points) {
    const PluginPoint& point = PointNamed(name);
    if (Lists(SetOf(point).enabled, plugin.name)) {
      TakeOffEnabled(point, plugin.name, owner_of_(EntryPath(point, "enabled", plugin.name)));
    }
    if (Runs(plugin, name)) PutOnDisabled(point, plugin.name);
  }
}

void Editor::Weigh(const PluginView& plugin, int32_t weight) {
  if (WeightOf(plugin, plan.plugins) == weight) return;
  for (const std::string_view name : {kScore, kMultiPoint}) {
    const PluginPoint& point = PointNamed(name);
    auto& enabled = SetOf(point).enabled;
    const auto entry = std::ranges::find(enabled, plugin.name, &api::Plugin::name);
    if (entry == enabled.end()) continue;
    std::string path = EntryPath(point, "enabled", plugin.name) + ".weight";
    std::string owner = owner_of_(path);
    if (name == kMultiPoint && !owner.empty()) break;  // an entry at score takes precedence
    Note(std::move(path),
         "from " + std::to_string(InEffect(entry->weight)) + " to " + std::to_string(weight),
         std::move(owner));
    entry->weight = weight;
    return;
  }
  PutOnEnabled(PointNamed(kScore), plugin.name, weight);
}

// With another image an engine may have plugins that this version does not know.
PluginView Unknown(const std::string& name) {
  PluginView plugin{.name = name};
  for (const PluginPoint& point : api::kPluginPoints) {
    if (point.name != kMultiPoint) plugin.points.emplace_back(point.name);
  }
  return plugin;
}

Result<PluginView> FindPlugin(const SchedulerProfileSpec& spec,
                              const PluginCatalogueView& catalogue, const std::string& name) {
  const PluginView* const known = catalogue.Find(name);
  const bool may_be_others = !PluginNamesAreKnown(spec.engine);
  if (known != nullptr && (known->served || !may_be_others)) return *known;
  if (may_be_others) return Unknown(name);
  return ConfigError(std::string(kUnknownPlugin) + " \"" + name + "\"" +
                     NearestHint(catalogue.Nearest(name)));
}

bool IsPoint(std::string_view name) {
  return std::ranges::find(api::kPluginPoints, name, &PluginPoint::name) !=
         std::end(api::kPluginPoints);
}

Result<void> Check(const ToggleRequest& request, const PluginView& plugin,
                   const PluginCatalogueView& engine) {
  Points points = request.points;
  if (request.verb == ToggleRequest::Verb::kWeight) points = {std::string(kScore)};
  for (const std::string& point : points) {
    if (plugin.Implements(point)) continue;
    const std::string all = Join(plugin.points, ", ");
    if (!IsPoint(point)) {
      return ConfigError("unknown extension point \"" + point + "\"" +
                         NearestHint(NearestName(point, plugin.points),
                                     "; " + plugin.name + " implements " + all));
    }
    return ConfigError(plugin.name + " does not implement " + point + "; it implements " + all);
  }
  if (!plugin.served && request.verb != ToggleRequest::Verb::kDisable) {
    return ConfigError(plugin.name + " is " + engine.WhyNotServed(plugin));
  }
  return {};
}

bool IsQueueSort(const PluginView* known) {
  return known != nullptr && known->Implements(kQueueSort);
}

// Only one queue sort plugin can be enabled, so this disables the previous one. An unknown plugin
// is not known to be a queue sort plugin.
void ReplaceQueueSort(const PluginView& plugin, const PluginCatalogueView& catalogue,
                      Editor& editor) {
  if (!IsQueueSort(catalogue.Find(plugin.name)) || !editor.Runs(plugin, kQueueSort)) return;
  for (const PluginView& other : catalogue.plugins) {
    if (other.name == plugin.name || !IsQueueSort(&other)) continue;
    if (!editor.Runs(other, kQueueSort)) continue;
    if (other.points.size() == 1) {
      editor.DisableAll(other);
    } else {
      editor.DisableAt(other, {std::string(kQueueSort)});
    }
  }
}

// Restores the default profile's queue sort plugin if none is left.
void RestoreQueueSort(const PluginView& plugin, const PluginCatalogueView& catalogue,
                      Editor& editor) {
  if (!IsQueueSort(catalogue.Find(plugin.name))) return;
  const PluginView* restored = nullptr;
  for (const PluginView& other : catalogue.plugins) {
    if (!IsQueueSort(&other)) continue;
    if (editor.Runs(other, kQueueSort)) return;
    if (other.in_default_profile && other.name != plugin.name) restored = &other;
  }
  if (restored != nullptr) editor.EnableAll(*restored);
}

// Returns the errors of the changed lists that the old lists did not have.
Result<void> CheckOutcome(const SchedulerProfileSpec& spec, const api::Plugins& changed,
                          const PluginCatalogueView& catalogue) {
  if (!PluginNamesAreKnown(spec.engine)) return {};
  SchedulerProfileSpec after = spec;
  after.plugins = changed;
  std::vector<api::FieldError> errors = ValidatePlugins(after, catalogue);
  const std::vector<api::FieldError> before = ValidatePlugins(spec, catalogue);
  std::erase_if(errors, [&](const api::FieldError& error) {
    return std::ranges::find(before, error) != before.end();
  });
  if (errors.empty()) return {};
  return ConfigError("the profile would be invalid: " + api::Aggregate(errors));
}

Result<void> Carry(const ToggleRequest& request, const PluginView& plugin,
                   const PluginCatalogueView& catalogue, Editor& editor) {
  switch (request.verb) {
    case ToggleRequest::Verb::kEnable:
      if (request.points.empty()) {
        editor.EnableAll(plugin);
      } else {
        editor.EnableAt(plugin, request.points);
      }
      if (!editor.plan.edits.empty()) ReplaceQueueSort(plugin, catalogue, editor);
      return {};
    case ToggleRequest::Verb::kDisable:
      if (request.points.empty()) {
        editor.DisableAll(plugin);
      } else {
        editor.DisableAt(plugin, request.points);
      }
      if (!editor.plan.edits.empty()) RestoreQueueSort(plugin, catalogue, editor);
      return {};
    case ToggleRequest::Verb::kWeight:
      if (!editor.Runs(plugin, kScore)) {
        return ConfigError(plugin.name +
                           " does not run at score in this profile, so a weight has no effect: "
                           "enable it first");
      }
      editor.Weigh(plugin, request.weight);
      return {};
  }
  return {};
}

}  // namespace

bool TogglePlan::ChangesForeignFields() const {
  return std::ranges::any_of(edits, [](const ToggleEdit& edit) { return !edit.owner.empty(); });
}

Result<TogglePlan> PlanToggle(const SchedulerProfileSpec& spec,
                              const PluginCatalogueView& catalogue, const ToggleRequest& request,
                              const OwnerOf& owner_of) {
  const PluginCatalogueView engines = CatalogueOf(spec.engine, catalogue);
  BERTH_TRY(const PluginView plugin, FindPlugin(spec, engines, request.plugin));
  BERTH_TRY_VOID(Check(request, plugin, engines));
  Editor editor(spec.plugins, owner_of);
  BERTH_TRY_VOID(Carry(request, plugin, engines, editor));
  BERTH_TRY_VOID(CheckOutcome(spec, editor.plan.plugins, engines));
  return std::move(editor.plan);
}

}  // namespace berth::crds
