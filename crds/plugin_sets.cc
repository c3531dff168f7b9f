// SPDX-License-Identifier: Apache-2.0
#include "crds/plugin_sets.h"

namespace berth::crds {

const std::array<Plugins::Point, 15>& Plugins::Points() {
  static constexpr std::array<Point, 15> kPoints{{
      {"preEnqueue", &Plugins::pre_enqueue},
      {"queueSort", &Plugins::queue_sort},
      {"preFilter", &Plugins::pre_filter},
      {"filter", &Plugins::filter},
      {"postFilter", &Plugins::post_filter},
      {"preScore", &Plugins::pre_score},
      {"score", &Plugins::score},
      {"reserve", &Plugins::reserve},
      {"permit", &Plugins::permit},
      {"preBind", &Plugins::pre_bind},
      {"bind", &Plugins::bind},
      {"postBind", &Plugins::post_bind},
      {"placementGenerate", &Plugins::placement_generate},
      {"placementScore", &Plugins::placement_score},
      {"multiPoint", &Plugins::multi_point},
  }};
  return kPoints;
}

}  // namespace berth::crds

namespace berth::crds {

const json::Type& EnabledPlugin::JsonType() {
  static const json::Type type = json::Describe<EnabledPlugin>(json::Object(
      json::Field("name", &EnabledPlugin::name)
          .Doc("Name of the plugin, as `berth plugins` lists it.")
          .Required()
          .MinLength(1)
          .MaxLength(128),
      json::Field("weight", &EnabledPlugin::weight)
          .Doc("Factor of the plugin's scores in a node's total; read at the points score, "
               "placementScore and multiPoint. "
               "0 or absent: 1, also for a plugin that the default profile gives more.")
          .Min(0)
          .Max(2147483647)));
  return type;
}

const json::Type& DisabledPlugin::JsonType() {
  static const json::Type type = json::Describe<DisabledPlugin>(
      json::Object(json::Field("name", &DisabledPlugin::name)
                       .Doc("Name of a plugin of the default profile, or * for all of them.")
                       .Required()
                       .MinLength(1)
                       .MaxLength(128)));
  return type;
}

const json::Type& PluginSet::JsonType() {
  static const json::Type type = json::Describe<PluginSet>(
      json::Object(json::Field("enabled", &PluginSet::enabled)
                       .Doc("Plugins that run at this point, in this order, in addition to "
                            "those of the default profile. Naming a "
                            "default plugin here replaces its weight.")
                       .ListMap("name")
                       .MaxItems(64),
                   json::Field("disabled", &PluginSet::disabled)
                       .Doc("Plugins of the default profile that do not run at this point. A "
                            "plugin that is enabled here too stays "
                            "enabled.")
                       .ListMap("name")
                       .MaxItems(64)));
  return type;
}

const json::Type& Plugins::JsonType() {
  static const json::Type type = json::Describe<Plugins>(
      json::Object(
          json::Field("preEnqueue", &Plugins::pre_enqueue)
              .Doc("Plugins that decide whether a pod may enter the queue."),
          json::Field("queueSort", &Plugins::queue_sort)
              .Doc("The plugin that orders the queue; exactly one is in effect."),
          json::Field("preFilter", &Plugins::pre_filter)
              .Doc("Plugins that look at the pod once before nodes are filtered."),
          json::Field("filter", &Plugins::filter)
              .Doc("Plugins that rule out nodes on which the pod cannot run."),
          json::Field("postFilter", &Plugins::post_filter)
              .Doc("Plugins that run when no node is left; the first that makes the pod "
                   "schedulable ends the point."),
          json::Field("preScore", &Plugins::pre_score).Doc("Plugins that prepare scoring."),
          json::Field("score", &Plugins::score)
              .Doc("Plugins that rate the nodes that are left, 0 to 100 each, times their "
                   "weight."),
          json::Field("reserve", &Plugins::reserve)
              .Doc("Plugins that keep account of what a pod takes before it is bound."),
          json::Field("permit", &Plugins::permit)
              .Doc("Plugins that admit, refuse or delay the binding of a pod."),
          json::Field("preBind", &Plugins::pre_bind)
              .Doc("Plugins that do what must be done before binding, such as providing a "
                   "volume."),
          json::Field("bind", &Plugins::bind)
              .Doc("Plugins that bind; the first that takes the pod ends the point. At least "
                   "one is needed."),
          json::Field("postBind", &Plugins::post_bind).Doc("Plugins that are told of a bound pod."),
          json::Field("placementGenerate", &Plugins::placement_generate)
              .Doc("Plugins that propose sets of nodes for a group of pods."),
          json::Field("placementScore", &Plugins::placement_score)
              .Doc("Plugins that rate such sets."),
          json::Field("multiPoint", &Plugins::multi_point)
              .Doc("Plugins that are enabled or disabled at every point they implement. What "
                   "a point itself says "
                   "goes before."))
          .Rule("!has(self.queueSort) || !has(self.queueSort.enabled) || "
                "self.queueSort.enabled.size() "
                "<= 1",
                kOneQueueSort));
  return type;
}

const json::Type& PluginConfig::JsonType() {
  static const json::Type type = json::Describe<PluginConfig>(
      json::Object(json::Field("name", &PluginConfig::name)
                       .Doc("Name of the plugin these arguments are for.")
                       .Required()
                       .MinLength(1)
                       .MaxLength(128),
                   json::Field("args", &PluginConfig::args)
                       .Doc("The plugin's arguments; `berth plugins NAME` shows which it "
                            "takes. apiVersion and kind may be given "
                            "and are checked. The operator checks the rest and reports "
                            "mistakes in the condition Valid.")
                       .PreserveUnknown()));
  return type;
}

}  // namespace berth::crds
