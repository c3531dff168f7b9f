// SPDX-License-Identifier: Apache-2.0
#include "controllers/plugin_reference.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/scheduler_config.h"
#include "base/json/json.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "controllers/config.h"
#include "controllers/effective.h"
#include "controllers/verdict.h"
#include "scheduler/framework/profile.h"
#include "tests/controllers/profiles.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::controllers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

PluginReference Named(const std::string& name) {
  return ReferenceOf(*ShippedCatalogue().view().Find(name), ShippedCatalogue());
}

// Checks that each example is the valid spec of a profile with the plugin.
class Examples : public testing::TestWithParam<std::string> {
 protected:
  const std::string example_ = Named(GetParam()).example;
  const crds::SchedulerProfile profile_ = MakeProfile("p", example_);
};

TEST_P(Examples, NameThePlugin) {
  const auto& config = profile_.spec.plugin_config;
  bool is_named = std::ranges::find(config, GetParam(), &api::PluginConfig::name) != config.end();
  for (const api::PluginPoint& point : api::kPluginPoints) {
    const api::PluginSet& set = profile_.spec.plugins.*point.set;
    is_named |= std::ranges::find(set.enabled, GetParam(), &api::Plugin::name) != set.enabled.end();
    is_named |= std::ranges::find(set.disabled, GetParam(), &api::DisabledPlugin::name) !=
                set.disabled.end();
  }
  EXPECT_TRUE(is_named) << example_;
}

TEST_P(Examples, AreValidWithoutWarnings) {
  EXPECT_THAT(ErrorsIn(profile_, ShippedCatalogue(), crds::DefaultSchedulerName::kReject),
              IsEmpty())
      << example_;
  const auto effective = EffectiveOf(profile_, ShippedCatalogue());
  ASSERT_TRUE(effective) << effective.error().message();
  std::vector<api::FieldWarning> warnings =
      PluginWarnings(profile_, *effective, ShippedCatalogue());
  // An example may disable a filter on purpose.
  std::erase_if(warnings, [](const api::FieldWarning& warning) {
    return warning.path == "spec.plugins.filter";
  });
  EXPECT_THAT(warnings, IsEmpty()) << example_;
}

TEST_P(Examples, CreateAScheduler) {
  const std::string names[] = {"p"};
  const auto config = api::LoadSchedulerConfiguration(RenderConfig(profile_, names), "example");
  ASSERT_TRUE(config) << config.error().message();
  scheduler::testing::TestCluster cluster;
  const auto made =
      scheduler::CreateProfiles(config->profiles, config->percentage_of_nodes_to_score,
                                ShippedCatalogue().registry(), cluster.handle());
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_TRUE(made->contains("p"));
}

std::vector<std::string> ServedPlugins() { return scheduler::MakeRegistry().Names(); }

INSTANTIATE_TEST_SUITE_P(OfThePlugin, Examples, testing::ValuesIn(ServedPlugins()),
                         [](const auto& test) { return test.param; });

// Visits all arguments, including nested ones.
void ForEach(const std::vector<ArgumentReference>& arguments, const std::string& path,
             const std::function<void(const std::string&, const ArgumentReference&)>& visit) {
  for (const ArgumentReference& argument : arguments) {
    const std::string here = path + "." + argument.name;
    visit(here, argument);
    ForEach(argument.fields, here, visit);
  }
}

TEST(PluginReference, DescribesEachArgument) {
  for (const PluginReference& plugin : ReferencesOf(ShippedCatalogue()).plugins) {
    for (const ArgumentReference& argument : plugin.arguments) {
      EXPECT_FALSE(argument.description.empty()) << plugin.name << "." << argument.name;
    }
  }
}

// Returns args with the argument's default and the required arguments of the example.
json::Raw DefaultOf(const ArgumentReference& argument, const PluginReference& plugin) {
  std::map<std::string, json::Raw> args;
  const crds::SchedulerProfile profile = MakeProfile("p", plugin.example);
  for (const api::PluginConfig& config : profile.spec.plugin_config) {
    if (config.name != plugin.name) continue;
    const auto example = json::Decode<std::map<std::string, json::Raw>>(config.args.text).value();
    for (const ArgumentReference& other : plugin.arguments) {
      if (other.required) args[other.name] = example.at(other.name);
    }
  }
  args[argument.name] = argument.default_;
  return {json::Encode(args)};
}

// A plain optional argument must state a default. The stated default must be valid.
TEST(PluginReference, StatesDefaultsThatAreValid) {
  int stated = 0;
  for (const PluginReference& plugin : ReferencesOf(ShippedCatalogue()).plugins) {
    for (const ArgumentReference& argument : plugin.arguments) {
      const bool is_plain = !argument.type.starts_with("list") && argument.fields.empty();
      EXPECT_TRUE(!is_plain || argument.required || !argument.default_.text.empty())
          << plugin.name << "." << argument.name;
      if (argument.default_.text.empty()) continue;
      ++stated;
      const json::Raw args = DefaultOf(argument, plugin);
      const auto errors = ShippedCatalogue().view().Find(plugin.name)->check_args(args);
      EXPECT_THAT(errors, IsEmpty()) << plugin.name << " " << args.text;
    }
  }
  EXPECT_GT(stated, 5);
}

TEST(PluginReference, ListsArgumentsWithBounds) {
  const PluginReference fit = Named("NodeResourcesFit");
  std::vector<std::string> paths;
  ForEach(fit.arguments, "", [&](const std::string& path, const ArgumentReference& argument) {
    paths.push_back(path + " " + argument.type);
  });
  EXPECT_THAT(paths,
              testing::IsSupersetOf({".ignoredResources list of string", ".scoringStrategy object",
                                     ".scoringStrategy.type string",
                                     ".scoringStrategy.resources list of object",
                                     ".scoringStrategy.resources.weight integer"}));
  const ArgumentReference& type = fit.arguments.back().fields.front();
  EXPECT_TRUE(type.required);
  EXPECT_THAT(type.one_of,
              ElementsAre("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"));
  const ArgumentReference weight = Named("InterPodAffinity").arguments.front();
  EXPECT_EQ(weight.minimum, 0);
  EXPECT_EQ(weight.maximum, 100);
  EXPECT_EQ(weight.default_.text, "1");
}

TEST(PluginReference, ListsEventsNamedAsInMetrics) {
  const PluginReference affinity = Named("NodeAffinity");
  ASSERT_THAT(affinity.events, testing::SizeIs(1));
  EXPECT_EQ(affinity.events[0].resource, "Node");
  EXPECT_THAT(affinity.events[0].changes, ElementsAre("Add", "UpdateNodeLabel"));
  EXPECT_THAT(affinity.events[0].why, HasSubstr("labels match"));
  std::vector<std::string> of_gangs;
  for (const EventReference& event : Named("Coscheduling").events) {
    of_gangs.push_back(event.resource + ": " + Join(event.changes, ", "));
  }
  EXPECT_THAT(of_gangs, testing::IsSupersetOf({"Pod: Add, UpdatePodLabel, Delete",
                                               "scheduling.x-k8s.io/PodGroup: Add, Update, "
                                               "Delete"}));
  EXPECT_THAT(Named("ImageLocality").events, IsEmpty()) << "it rejects no pod";
  EXPECT_THAT(Named("PodNameLength").events, IsEmpty()) << "a name never changes";
}

// WithoutEvents is a filter without declared events.
class WithoutEvents final : public scheduler::FilterPlugin {
 public:
  static scheduler::PluginDescriptor Descriptor() {
    return scheduler::Describe<WithoutEvents>({.name = "SaysNothing"});
  }
  scheduler::Verdict Filter(const scheduler::CycleContext&,
                            const scheduler::NodeView&) const override {
    return scheduler::Verdict::Fits();
  }
};

TEST(PluginReference, ListsAllEventsForFilterWithoutDeclaredEvents) {
  const PluginCatalogue catalogue(scheduler::Registry({WithoutEvents::Descriptor()}));
  const auto reference = ReferenceOf(*catalogue.view().Find("SaysNothing"), catalogue);
  ASSERT_THAT(reference.events, testing::SizeIs(1));
  EXPECT_EQ(reference.events[0].resource, "*");
  EXPECT_THAT(reference.events[0].changes, ElementsAre("All"));
  EXPECT_EQ(reference.origin, "berth");
}

TEST(PluginReference, ListsPermissionsByRole) {
  std::vector<std::string> rules;
  for (const PermissionReference& rule : Named("DefaultPreemption").permissions) {
    rules.push_back(rule.cluster_role + " " + rule.resource);
  }
  EXPECT_THAT(rules, testing::Contains("berth:preemption pods"));
}

// Programs read these names, so removing one would break them.
TEST(PluginReference, KeepsItsFieldNames) {
  const json::Type& type = PluginReference::JsonType();
  EXPECT_THAT(
      type.FieldNames(),
      ElementsAre("name", "summary", "origin", "served", "inDefaultProfile", "defaultWeight",
                  "points", "arguments", "events", "permissions", "example", "manual"));
  EXPECT_THAT(EventReference::JsonType().FieldNames(), ElementsAre("resource", "changes", "why"));
  EXPECT_THAT(PermissionReference::JsonType().FieldNames(),
              ElementsAre("clusterRole", "apiGroup", "resource", "verbs"));
  EXPECT_THAT(ArgumentReference::JsonType().FieldNames(),
              ElementsAre("name", "type", "description", "required", "default", "oneOf", "minimum",
                          "maximum", "fields"));
}

TEST(PluginReference, SurvivesEncodingAndDecoding) {
  for (const PluginReference& plugin : ReferencesOf(ShippedCatalogue()).plugins) {
    const std::string text = json::Encode(plugin);
    const auto read = json::Decode<PluginReference>(text, json::Mode::kStrict);
    ASSERT_TRUE(read) << plugin.name << ": " << read.error().message();
    EXPECT_EQ(json::Encode(*read), text);
  }
}

}  // namespace
}  // namespace berth::controllers
