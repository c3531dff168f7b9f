// SPDX-License-Identifier: Apache-2.0
#include "crds/bounds.h"

#include <gmock/gmock.h>

#include "crds/scheduler_profile.h"

namespace berth::crds {
namespace {

std::vector<std::string> Mistakes(const SchedulerProfileSpec& spec) {
  std::vector<std::string> texts;
  for (const auto& error : CheckBounds(json::TypeOf<SchedulerProfileSpec>(), &spec, "spec")) {
    texts.push_back(error.ToString());
  }
  return texts;
}

struct Case {
  const char* what;
  void (*change)(SchedulerProfileSpec& spec);
  std::string mistake;  // empty: none
};

const Case kCases[] = {
    {"nothing", [](SchedulerProfileSpec&) {}, ""},
    {"number above its range",
     [](SchedulerProfileSpec& s) { s.percentage_of_nodes_to_score = 101; },
     "spec.percentageOfNodesToScore: Invalid value: 101: must be from 0 to 100"},
    {"largest number", [](SchedulerProfileSpec& s) { s.percentage_of_nodes_to_score = 100; }, ""},
    {"number below its range", [](SchedulerProfileSpec& s) { s.deployment.replicas = 0; },
     "spec.deployment.replicas: Invalid value: 0: must be from 1 to 16"},
    {"negative weight",
     [](SchedulerProfileSpec& s) {
       s.plugins.score.enabled = {{"A", -1}};
     },
     "spec.plugins.score.enabled[name=A].weight: Invalid value: -1: must be from 0 to 2147483647"},
    {"a word that is not allowed", [](SchedulerProfileSpec& s) { s.engine.type = "berth"; },
     R"(spec.engine.type: Unsupported value: "berth": supported values: "Berth", "KubeScheduler")"},
    {"pattern", [](SchedulerProfileSpec& s) { s.namespace_ = "Berth"; },
     R"(spec.namespace: Invalid value: "Berth": must match ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$)"},
    {"missing name", [](SchedulerProfileSpec& s) { s.plugins.filter.enabled = {{""}}; },
     "spec.plugins.filter.enabled[0].name: Required value"},
    {"named twice",
     [](SchedulerProfileSpec& s) {
       s.plugins.filter.enabled = {{"A"}, {"A", 2}};
     },
     R"(spec.plugins.filter.enabled[name=A]: Duplicate value: "A")"},
    {"same name at two points",
     [](SchedulerProfileSpec& s) {
       s.plugins.filter.enabled = {{"A"}};
       s.plugins.score.enabled = {{"A"}};
     },
     ""},
    {"alias twice",
     [](SchedulerProfileSpec& s) {
       s.aliases = {"x", "x"};
     },
     R"(spec.aliases[1]: Duplicate value: "x")"},
    {"too many", [](SchedulerProfileSpec& s) { s.plugins.filter.enabled.resize(65, {"A"}); },
     "spec.plugins.filter.enabled: Invalid value: 65: must have at most 64 entries"},
    {"too long, counted in characters",
     [](SchedulerProfileSpec& s) {
       for (int i = 0; i < 129; ++i)
         s.plugins.filter.disabled.resize(1), s.plugins.filter.disabled[0].name += "ä";
     },
     "must have at most 128 characters, has 129"},
    {"as long as allowed",
     [](SchedulerProfileSpec& s) {
       s.plugins.filter.disabled.resize(1);
       for (int i = 0; i < 128; ++i) s.plugins.filter.disabled[0].name += "ä";
     },
     ""},
    {"long item", [](SchedulerProfileSpec& s) { s.aliases = {std::string(254, 'a')}; },
     "must have at most 253 characters, has 254"},
    {"long value in a map",
     [](SchedulerProfileSpec& s) { s.deployment.pod_labels["k"] = std::string(64, 'a'); },
     "spec.deployment.podLabels[k]: Invalid value"},
    {"general limit of a field that states none",
     [](SchedulerProfileSpec& s) { s.deployment.resources.claims.resize(65, {.name = "c"}); },
     "spec.deployment.resources.claims: Invalid value: 65: must have at most 64 entries"},
};

TEST(CheckBounds, NamesFieldFoundAndAllowed) {
  for (const Case& c : kCases) {
    SchedulerProfileSpec spec;
    c.change(spec);
    if (c.mistake.empty()) {
      EXPECT_THAT(Mistakes(spec), testing::IsEmpty()) << c.what;
    } else {
      EXPECT_THAT(Mistakes(spec), testing::Contains(testing::HasSubstr(c.mistake))) << c.what;
    }
  }
}

TEST(BoundsOf, PrefersWhatTheFieldStates) {
  json::FieldOptions options;
  options.max_items = 3;
  EXPECT_EQ(BoundsOf(options).max_items, 3);
  EXPECT_EQ(BoundsOf(options).max_length, kGeneralBounds.max_length);
}

}  // namespace
}  // namespace berth::crds
