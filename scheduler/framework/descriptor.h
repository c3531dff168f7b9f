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
#include "scheduler/framework/interface.h"
#include "scheduler/framework/plugin_counts.h"
#include "scheduler/framework/ports.h"
#include "scheduler/model/object_kind.h"

namespace berth::scheduler {

// ExtensionPoint lists the points of a KubeSchedulerConfiguration's `plugins`, in the order
// upstream expands MultiPoint.
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
};
inline constexpr size_t kExtensionPointCount = 14;
std::string_view ToString(ExtensionPoint point);     // "preFilter", as the configuration spells it
std::string_view InterfaceOf(ExtensionPoint point);  // "PreFilterPlugin", as errors name it

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

// EventInterest is an event that may help a pod the plugin rejected, and why.
struct EventInterest {
  Resource resource;
  ActionMask actions;
  std::string_view why;
};

class MetricPort;   // node_metric.h
class PluginCalls;  // plugin_calls.h

// PluginHandle is what a plugin may use besides its arguments. All references outlive the plugin.
struct PluginHandle {
  const Clock& clock;
  ApiPort& api;
  Vocabulary& words;
  // Of the framework, not for plugins: it notes which one is being called. Null: nobody asks.
  PluginCalls* calls = nullptr;
  // Resources that no node need have, because extenders manage them alone.
  std::span<const std::string> ignored_resources = {};
  // What plugins count. Null: nobody asks.
  PluginCounts* counts = nullptr;
  // Figures of nodes from outside of the cluster. Null: there are none.
  MetricPort* metrics = nullptr;
};

// PluginDescriptor says of a plugin what the compiler cannot know. Registry, validation, RBAC,
// queueing hints, documentation and `berth plugins` read it; nothing about a plugin is said
// anywhere else.
struct PluginDescriptor {
  std::string_view name;
  std::string_view summary;  // one sentence
  std::vector<Epoch> depends_on;
  // Empty means every event that upstream knows, as for a plugin that does not say.
  std::vector<EventInterest> events;
  // A pod it refused never fits later, or the plugin itself brings it back; `events` is empty.
  bool no_event_helps = false;
  // Kinds it reads beside pods and nodes, whatever its args: they are listed and watched, and the
  // permission to do so follows (scheduler/plugins/permissions.h). A plugin that reads some of them
  // only with certain args has a static `ObjectKindSet Reads(const Args&)`, which narrows these.
  ObjectKindSet reads;
  std::vector<api::PluginPermission> permissions;  // beyond these, and what every scheduler has
  int32_t default_weight = 0;                      // in the default profile; 0 = no score, or 1
  std::string_view example;                        // of a profile's spec, YAML; tests run it
  // What those who write its arguments look up: names, functions. Null: the arguments say all.
  std::string (*manual)() = nullptr;

  // Filled by Describe<T>:
  PointSet points;
  const json::Type* args = nullptr;  // nullptr: takes none
  std::function<Result<std::unique_ptr<Plugin>>(const json::Raw& args, const PluginHandle&)> create;
  // check gives the mistakes in args with paths below "args"; create refuses the same.
  std::function<std::vector<api::FieldError>(const json::Raw& args)> check;
  std::function<ObjectKindSet(const json::Raw& args)> reads_with;  // empty: `reads`, with any args
  // warn gives what is accepted in args and probably not what was meant. Empty: nothing ever is.
  std::function<std::vector<std::string>(const json::Raw& args)> warn;

  // ReadsWith gives the kinds it reads with these args; all of `reads` with args that are refused.
  ObjectKindSet ReadsWith(const json::Raw& args) const {
    return reads_with ? reads_with(args) : reads;
  }
};

// ArgsOf decodes args strictly, on top of T's defaults. Absent args are the defaults. apiVersion
// and kind (<name>Args) may be given.
template <class Args>
Result<Args> ArgsOf(const json::Raw& raw, std::string_view plugin);

// Describe completes a descriptor from the plugin's class: points from its bases, args from
// `T::Args` (a described struct whose `std::vector<api::FieldError> Validate() const` says what is
// wrong), warnings from `Warnings() const` of it, if it has that, construction by
// T(Args, const PluginHandle&), T(Args), T(const PluginHandle&) or T().
template <class T>
PluginDescriptor Describe(PluginDescriptor descriptor);

}  // namespace berth::scheduler

#include "scheduler/framework/describe.h"
