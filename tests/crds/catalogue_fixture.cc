// SPDX-License-Identifier: Apache-2.0
#include "tests/crds/catalogue_fixture.h"

#include "base/yaml/yaml.h"

namespace berth::crds {
namespace {

std::vector<api::FieldError> CheckFitArgs(const json::Raw& args) {
  if (args.text.find("bad") == std::string::npos) return {};
  return {api::FieldError::Invalid("args.scoringStrategy.type", "bad", "is not a strategy")};
}

}  // namespace

PluginCatalogueView UpstreamCatalogue() {
  const auto plugin = [](std::string name, std::vector<std::string> points, int32_t weight) {
    return PluginView{.name = std::move(name),
                      .points = std::move(points),
                      .default_weight = weight,
                      .in_default_profile = true,
                      .is_upstream = true};
  };
  const std::vector<std::string> all{"preFilter", "filter", "preScore", "score"};
  const std::vector<std::string> filters{"preFilter", "filter"};
  PluginCatalogueView catalogue;
  catalogue.plugins = {
      plugin("SchedulingGates", {"preEnqueue"}, 0),
      plugin("PrioritySort", {"queueSort"}, 0),
      plugin("NodeName", filters, 0),
      plugin("NodeUnschedulable", filters, 0),
      plugin("TaintToleration", all, 3),
      plugin("NodeAffinity", all, 2),
      plugin("NodePorts", filters, 0),
      plugin("NodeResourcesFit", {"preFilter", "filter", "preScore", "score", "placementScore"}, 1),
      plugin("VolumeRestrictions", filters, 0),
      plugin("NodeVolumeLimits", filters, 0),
      plugin("VolumeBinding", {"preFilter", "filter", "preScore", "score", "reserve", "preBind"},
             0),
      plugin("VolumeZone", filters, 0),
      plugin("PodTopologySpread", all, 2),
      plugin("InterPodAffinity", all, 2),
      plugin("DynamicResources",
             {"preEnqueue", "preFilter", "filter", "postFilter", "score", "reserve", "preBind"}, 2),
      plugin("DefaultPreemption", {"preEnqueue", "postFilter"}, 0),
      plugin("NodeResourcesBalancedAllocation", {"preScore", "score"}, 1),
      plugin("ImageLocality", {"score"}, 1),
      plugin("DefaultBinder", {"bind"}, 0),
      plugin("NodeDeclaredFeatures", filters, 0),
  };
  PluginView gang_scheduling{.name = "GangScheduling",
                             .points = {"preEnqueue", "permit"},
                             .is_upstream = true,
                             .served = false,
                             .needs = "it needs a gate"};
  catalogue.plugins.push_back(gang_scheduling);
  PluginView qos_sort{.name = "QOSSort", .points = {"queueSort"}};
  catalogue.plugins.push_back(qos_sort);
  PluginView coscheduling{.name = "Coscheduling", .points = {"preFilter", "permit", "queueSort"}};
  catalogue.plugins.push_back(coscheduling);

  for (PluginView& view : catalogue.plugins) {
    if (view.name == "NodeResourcesFit") view.check_args = CheckFitArgs;
    if (view.name == "DefaultBinder") view.permissions = {{"base", "", "pods/binding", "create"}};
    if (view.name == "DefaultPreemption") view.permissions = {{"preemption", "", "pods", "delete"}};
  }
  catalogue.base_permissions = {{"base", "", "nodes", "get,list,watch"},
                                {"base", "", "pods", "get,list,watch"}};
  return catalogue;
}

SchedulerProfile ProfileOf(const std::string& spec) {
  const std::string header =
      "apiVersion: berth.dev/v1alpha1\nkind: SchedulerProfile\nmetadata: {name: p}\n";
  const std::string text = yaml::ToJson(header + "spec: " + spec).value();
  return json::Decode<SchedulerProfile>(text, json::Mode::kStrict).value();
}

SchedulerProfile PlacedProfileOf(const std::string& spec) {
  SchedulerProfile profile = WithDefaults(ProfileOf(spec));
  PlaceByDefault(profile, kDefaultNamespace);
  return profile;
}

}  // namespace berth::crds
