// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/field_error.h"
#include "api/scheduler_contract.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "scheduler/framework/gang_plugin.h"
#include "scheduler/framework/interface.h"
#include "scheduler/framework/plugin_counts.h"
#include "scheduler/framework/ports.h"
#include "scheduler/model/object_kind.h"

namespace berth::scheduler {

// ExtensionPoint lists the fields of `plugins` in a KubeSchedulerConfiguration, in the order in
// which upstream expands MultiPoint.
enum class ExtensionPoint : uint8_t {
  kPreFilter,
  kFilter,
  kPostFilter,
  kReserve,
  kPreScore,
  kScore,
  kPreBind,
  kBind,
  kPostBind,
  kPermit,
  kPreEnqueue,
  kQueueSort,
  kPlacementGenerate,
  kPlacementScore,
  kPodGroupPostFilter,
};
inline constexpr size_t kExtensionPointCount = 15;
std::string_view ToString(ExtensionPoint point);     // "preFilter", as in the configuration
std::string_view InterfaceOf(ExtensionPoint point);  // "PreFilterPlugin", as in error messages

// PointSet is a set of extension points.
class PointSet {
 public:
  constexpr PointSet() = default;
  constexpr PointSet(std::initializer_list<ExtensionPoint> points) {
    for (const ExtensionPoint point : points) bits_ |= Bit(point);
  }
  constexpr bool Has(ExtensionPoint point) const { return (bits_ & Bit(point)) != 0; }
  constexpr void Add(ExtensionPoint point) { bits_ |= Bit(point); }
  constexpr bool empty() const { return bits_ == 0; }
  bool operator==(const PointSet&) const = default;

 private:
  static constexpr uint32_t Bit(ExtensionPoint point) { return 1u << static_cast<unsigned>(point); }
  uint32_t bits_ = 0;
};

// EventInterest is an event that may make a rejected pod schedulable. `why` is for documentation.
struct EventInterest {
  Resource resource;
  ActionMask actions;
  std::string_view why;
};

class MetricPort;   // node_metric.h
class PluginCalls;  // plugin_calls.h

// PluginHandle holds the services that a plugin may use. All references outlive the plugin.
struct PluginHandle {
  const Clock& clock;
  ApiPort& api;
  Vocabulary& words;
  // For the framework, not for plugins: records the running plugin. Null: not recorded.
  PluginCalls* calls = nullptr;
  // Resources that only extenders manage (ignoredByScheduler): nodes need not have them.
  std::span<const std::string> ignored_resources = {};
  // Counters that plugins increment. Null: not counted.
  PluginCounts* counts = nullptr;
  // Node metrics from outside the cluster, for instance Prometheus. Null: not available.
  MetricPort* metrics = nullptr;
};

// PluginDescriptor describes a plugin beyond its class. The registry, validation, RBAC, queueing
// hints, documentation and `berth plugins` are all derived from it.
struct PluginDescriptor {
  std::string_view name;
  std::string_view summary;  // one sentence
  std::vector<Epoch> depends_on;
  // Empty: every event that upstream knows, as for an upstream plugin without EventsToRegister.
  std::vector<EventInterest> events;
  // A rejected pod never becomes schedulable, or the plugin requeues it itself; `events` is empty.
  bool no_event_helps = false;
  // API kinds that the plugin reads besides pods and nodes, for any args. The scheduler lists and
  // watches them and gets the permission to do so (scheduler/plugins/permissions.h). A plugin that
  // reads some of them only with certain args has a static `ObjectKindSet Reads(const Args&)`,
  // which narrows the set.
  ObjectKindSet reads;
  std::vector<api::PluginPermission> permissions;  // in addition to `reads` and the common ones
  int32_t default_weight = 0;                      // in the default profile; 0 = no score, or 1
  std::string_view example;                        // YAML of a profile's spec; run by the tests
  // Reference for authors of the args, for instance the list of functions. Null: none is needed.
  std::string (*manual)() = nullptr;

  // Filled by Describe<T>:
  PointSet points;
  const json::Type* args = nullptr;  // nullptr: the plugin takes no args
  std::function<Result<std::unique_ptr<Plugin>>(const json::Raw& args, const PluginHandle&)> create;
  // Returns the errors in args, with paths below "args"; create rejects the same args.
  std::function<std::vector<api::FieldError>(const json::Raw& args)> check;
  std::function<ObjectKindSet(const json::Raw& args)> reads_with;  // empty: `reads`, with any args
  // Returns warnings for args that are valid but probably unintended, with paths below "args".
  // Empty: there are none.
  std::function<std::vector<api::FieldWarning>(const json::Raw& args)> warn;

  // Returns the kinds that the plugin reads with these args; all of `reads` if args are invalid.
  ObjectKindSet ReadsWith(const json::Raw& args) const {
    return reads_with ? reads_with(args) : reads;
  }
};

// Decodes args strictly, on top of the defaults of Args. Absent args mean the defaults. apiVersion
// and kind (<name>Args) are optional.
template <class Args>
Result<Args> ArgsOf(const json::Raw& raw, std::string_view plugin);

// Completes a descriptor from the plugin's class T. The extension points follow from T's base
// classes. The args come from `T::Args`, a described struct with `std::vector<api::FieldError>
// Validate() const` and optionally `Warnings() const`. The plugin is constructed by T(Args, const
// PluginHandle&), T(Args), T(const PluginHandle&) or T().
template <class T>
PluginDescriptor Describe(PluginDescriptor descriptor);

}  // namespace berth::scheduler

#include "scheduler/framework/describe.h"
