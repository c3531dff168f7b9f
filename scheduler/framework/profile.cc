// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/profile.h"

#include <algorithm>
#include <exception>

#include "base/check.h"
#include "base/json/json.h"
#include "scheduler/framework/extender.h"
#include "scheduler/framework/guard.h"

namespace berth::scheduler {
namespace {

// The hint of registrations without a hint function: always requeue.
const Plugin& AlwaysQueue() {
  static const Plugin plugin;
  return plugin;
}

// The events of a plugin that lists none. Upstream leaves VolumeAttachment and ResourceSlice out.
constexpr Resource kEveryResource[] = {
    Resource::kPod,
    Resource::kNode,
    Resource::kPersistentVolume,
    Resource::kPersistentVolumeClaim,
    Resource::kCsiNode,
    Resource::kCsiDriver,
    Resource::kCsiStorageCapacity,
    Resource::kStorageClass,
    Resource::kResourceClaim,
    Resource::kDeviceClass,
};

constexpr PointSet kRejectingPoints = {ExtensionPoint::kPreEnqueue, ExtensionPoint::kPreFilter,
                                       ExtensionPoint::kFilter, ExtensionPoint::kReserve,
                                       ExtensionPoint::kPermit};

bool CanReject(const PluginDescriptor& plugin) {
  for (size_t i = 0; i < kExtensionPointCount; ++i) {
    const auto point = static_cast<ExtensionPoint>(i);
    if (kRejectingPoints.Has(point) && plugin.points.Has(point)) return true;
  }
  return false;
}

const json::Raw& ArgsFor(std::string_view plugin, const std::vector<api::PluginConfig>& configs) {
  static const json::Raw kNone;
  const auto found = std::find_if(configs.begin(), configs.end(),
                                  [&](const auto& config) { return config.name == plugin; });
  return found == configs.end() ? kNone : found->args;
}

Result<std::unique_ptr<Plugin>> MakePlugin(const PluginDescriptor& descriptor,
                                           const json::Raw& args, const PluginHandle& handle) {
  const std::string context = "initializing plugin \"" + std::string(descriptor.name) + "\"";
  try {
    auto made = descriptor.create(args, handle);
    if (!made) return Fail(made.error().With(context));
    return made;
  } catch (const std::exception& thrown) {
    return ConfigError(context + ": threw an exception: " + thrown.what());
  }
}

const PluginCall* CallOf(PluginCalls* calls, std::string_view plugin, ExtensionPoint point) {
  constexpr std::string_view kSuffix = "Plugin";
  if (calls == nullptr) return nullptr;
  std::string_view name = InterfaceOf(point);
  name.remove_suffix(kSuffix.size());
  return calls->Of(plugin, name);
}

// QueueSort is the queue sort plugin of a profile with its arguments.
struct QueueSort {
  std::string plugin;
  std::string args;  // as canonical JSON
};

QueueSort QueueSortOf(const Profile& profile, const api::KubeSchedulerProfile& spec) {
  const std::string& plugin = profile.effective().At(ExtensionPoint::kQueueSort).front();
  return {plugin, json::Encode(ArgsFor(plugin, spec.plugin_config))};
}

Result<void> CheckSameSort(const QueueSort& first, const QueueSort& sort,
                           const std::string& profile) {
  if (sort.plugin != first.plugin) {
    return ConfigError("initializing profiles: different queue sort plugins for profile \"" +
                       profile + "\": \"" + sort.plugin + "\", first: \"" + first.plugin + "\"");
  }
  if (sort.args != first.args) {
    return ConfigError("initializing profiles: different queue sort plugin args for profile \"" +
                       profile + "\"");
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<const Profile>> Profile::Create(const api::KubeSchedulerProfile& spec,
                                                       int32_t percentage_of_nodes_to_score,
                                                       const Registry& registry,
                                                       const PluginHandle& handle,
                                                       std::shared_ptr<const Extenders> extenders) {
  std::shared_ptr<Profile> profile(new Profile());
  if (extenders != nullptr && !extenders->empty()) profile->extenders_ = std::move(extenders);
  profile->scheduler_name_ = spec.scheduler_name.value_or(std::string(api::kDefaultSchedulerName));
  if (profile->scheduler_name_.empty()) {
    return ConfigError("initializing profiles: scheduler name is needed");
  }
  profile->percentage_of_nodes_to_score_ =
      spec.percentage_of_nodes_to_score.value_or(percentage_of_nodes_to_score);
  if (auto built = profile->Build(spec, registry, handle); !built) {
    return Fail(built.error().With("initializing profiles: creating profile for scheduler name " +
                                   profile->scheduler_name_));
  }
  return profile;
}

Result<void> Profile::Build(const api::KubeSchedulerProfile& spec, const Registry& registry,
                            const PluginHandle& given) {
  PluginHandle handle = given;
  if (extenders_ != nullptr) handle.ignored_resources = extenders_->ignored_resources();
  BERTH_TRY(effective_, ExpandPlugins(spec.plugins, registry, scheduler_name_));
  for (const PluginDescriptor& descriptor : registry.plugins()) {
    const bool needed =
        std::any_of(effective_.points.begin(), effective_.points.end(), [&](const auto& names) {
          return std::find(names.begin(), names.end(), descriptor.name) != names.end();
        });
    if (!needed) continue;
    const json::Raw& args = ArgsFor(descriptor.name, spec.plugin_config);
    BERTH_TRY(auto instance, MakePlugin(descriptor, args, handle));
    reads_.Add(descriptor.ReadsWith(args));
    built_.push_back({descriptor.name, std::move(instance), EpochSet(descriptor.depends_on)});
    names_.push_back(descriptor.name);
  }
  if (extenders_ != nullptr) AddExtenders();
  BERTH_CHECK(names_.size() <= PluginIndexSet::kCapacity,
              "a profile has more plugins than PluginIndexSet::kCapacity");
  FillPoints(handle.calls);
  Register(registry, handle.calls);
  return {};
}

// Adds one index for all extenders. It is registered for every event, because the objects that
// extenders read are unknown.
void Profile::AddExtenders() {
  if (extenders_->read_namespaces()) reads_.Add(ObjectKind::kNamespace);
  const size_t index = built_.size();
  built_.push_back({kExtenderPlugin, std::make_unique<Plugin>(), EpochSet()});
  names_.push_back(kExtenderPlugin);
  for (const Resource resource : kEveryResource) {
    registrations_.push_back(
        {{resource, action::kAll, {}}, kExtenderPlugin, &AlwaysQueue(), index, nullptr});
  }
}

Result<ProfileMap> CreateProfiles(std::span<const api::KubeSchedulerProfile> specs,
                                  int32_t percentage_of_nodes_to_score, const Registry& registry,
                                  const PluginHandle& handle,
                                  const std::shared_ptr<const Extenders>& extenders) {
  ProfileMap profiles;
  std::optional<QueueSort> first;
  for (const api::KubeSchedulerProfile& spec : specs) {
    BERTH_TRY(auto profile,
              Profile::Create(spec, percentage_of_nodes_to_score, registry, handle, extenders));
    const std::string& name = profile->scheduler_name();
    const QueueSort sort = QueueSortOf(*profile, spec);
    if (!first) first = sort;
    BERTH_TRY_VOID(CheckSameSort(*first, sort, name));
    if (!profiles.emplace(name, profile).second) {
      return ConfigError("initializing profiles: duplicate profile with scheduler name \"" + name +
                         "\"");
    }
  }
  return profiles;
}

ObjectKindSet ReadsOf(const ProfileMap& profiles) {
  ObjectKindSet reads;
  for (const auto& [name, profile] : profiles) reads.Add(profile->reads());
  return reads;
}

std::optional<size_t> Profile::IndexOf(std::string_view plugin) const {
  const auto found = std::find(names_.begin(), names_.end(), plugin);
  if (found == names_.end()) return std::nullopt;
  return static_cast<size_t>(found - names_.begin());
}

std::vector<std::string_view> Profile::NamesOf(PluginIndexSet plugins) const {
  std::vector<std::string_view> names;
  plugins.ForEach([&](size_t index) { names.push_back(NameOf(index)); });
  std::sort(names.begin(), names.end());
  return names;
}

PluginIndexSet Profile::Translate(const Profile& from, PluginIndexSet plugins) const {
  PluginIndexSet translated;
  plugins.ForEach([&](size_t index) {
    if (const auto here = IndexOf(from.NameOf(index))) translated.Add(*here);
  });
  return translated;
}

PluginIndexSet Profile::InterestedIn(const ClusterEvent& event) const {
  PluginIndexSet interested;
  for (const Registration& registration : registrations_) {
    if (registration.event.Matches(event)) interested.Add(registration.index);
  }
  return interested;
}

ResultKey Profile::HintKeyOf(size_t index, const PendingPod& pod) const {
  return internal::Guarded(/*place=*/nullptr,
                           [&] { return built_[index].instance->HintKeyOf(pod); },
                           [](const std::string&) { return ResultKey::None(); });
}

void Profile::FillPoints(PluginCalls* calls) {
  std::vector<Entry<QueueSortPlugin>> sorts;
  Fill(ExtensionPoint::kQueueSort, calls, sorts);
  queue_sort_ = sorts.front().plugin;  // ExpandPlugins has checked that there is one
  Fill(ExtensionPoint::kPreEnqueue, calls, pre_enqueues_);
  Fill(ExtensionPoint::kPreFilter, calls, pre_filters_);
  Fill(ExtensionPoint::kFilter, calls, filters_);
  Fill(ExtensionPoint::kPostFilter, calls, post_filters_);
  Fill(ExtensionPoint::kPreScore, calls, pre_scores_);
  Fill(ExtensionPoint::kScore, calls, scores_);
  Fill(ExtensionPoint::kReserve, calls, reserves_);
  FillPermit(calls);
  Fill(ExtensionPoint::kPreBind, calls, pre_binds_);
  Fill(ExtensionPoint::kBind, calls, binds_);
  Fill(ExtensionPoint::kPostBind, calls, post_binds_);
  for (Entry<ScorePlugin>& entry : scores_) entry.weight = effective_.WeightOf(entry.name);
  for (const Entry<FilterPlugin>& entry : filters_) {
    const EpochSet reads = depends_on(entry.index);
    if (!reads.empty() && !reads.Has(Epoch::kNodePods)) filters_blind_to_pods_.Add(entry.index);
  }
}

template <class Point>
void Profile::Fill(ExtensionPoint point, PluginCalls* calls, std::vector<Entry<Point>>& entries) {
  for (const Named& named : PluginsAt(point)) {
    const auto* plugin = dynamic_cast<const Point*>(named.instance);
    BERTH_CHECK(plugin != nullptr, "a descriptor lists a point that its plugin does not implement");
    entries.push_back({named.name, plugin, named.index, CallOf(calls, named.name, point)});
  }
}

// At Permit a configuration enables plugins of two kinds: those that are called there, and those
// that decide about gangs, one for each API.
void Profile::FillPermit(PluginCalls* calls) {
  constexpr ExtensionPoint kPoint = ExtensionPoint::kPermit;
  for (const Named& named : PluginsAt(kPoint)) {
    const auto* gang = dynamic_cast<const GangPlugin*>(named.instance);
    const auto* permit = dynamic_cast<const PermitPlugin*>(named.instance);
    BERTH_CHECK(gang != nullptr || permit != nullptr,
                "a descriptor lists a point that its plugin does not implement");
    if (gang != nullptr) {
      const PluginCall* call = calls == nullptr ? nullptr : calls->Of(named.name, "CheckGang");
      auto& entry = gangs_[static_cast<size_t>(gang->gang_api())];
      if (!entry) entry = {named.name, gang, named.index, call};
    }
    if (permit == nullptr) continue;
    permits_.push_back({named.name, permit, named.index, CallOf(calls, named.name, kPoint)});
  }
}

std::vector<Profile::Named> Profile::PluginsAt(ExtensionPoint point) const {
  std::vector<Named> plugins;
  for (const std::string& name : effective_.At(point)) {
    const auto found = std::find_if(built_.begin(), built_.end(),
                                    [&](const Built& each) { return each.name == name; });
    plugins.push_back(
        {found->name, found->instance.get(), static_cast<size_t>(found - built_.begin())});
  }
  return plugins;
}

void Profile::Register(const Registry& registry, PluginCalls* calls) {
  for (size_t index = 0; index < built_.size(); ++index) {
    const Built& built = built_[index];
    if (built.name == kExtenderPlugin) continue;  // registered by AddExtenders
    const PluginCall* hint = calls == nullptr ? nullptr : calls->Of(built.name, "QueueingHint");
    const auto add = [&](Resource resource, ActionMask actions, const Plugin& asked) {
      registrations_.push_back({{resource, actions, {}}, built.name, &asked, index, hint});
    };
    const PluginDescriptor& descriptor = *registry.Find(built.name);
    if (!CanReject(descriptor) || descriptor.no_event_helps) continue;
    if (descriptor.events.empty()) {
      for (const Resource resource : kEveryResource) add(resource, action::kAll, AlwaysQueue());
      continue;
    }
    for (const EventInterest& interest : descriptor.events) {
      add(interest.resource, interest.actions, *built.instance);
    }
  }
}

}  // namespace berth::scheduler
