// SPDX-License-Identifier: Apache-2.0
#include "crds/bounds.h"

#include <gmock/gmock.h>

#include "crds/scheduler_profile.h"

namespace berth::crds {
namespace {

std::vector<std::string> Errors(const SchedulerProfileSpec& spec) {
  std::vector<std::string> texts;
  for (const auto& error : CheckBounds(json::TypeOf<SchedulerProfileSpec>(), &spec, "spec")) {
    texts.push_back(error.ToString());
  }
  return texts;
}

struct Case {
  const char* what;
  void (*change)(SchedulerProfileSpec& spec);
  std::string error;  // empty: none
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
    {"an image that is no reference", [](SchedulerProfileSpec& s) { s.engine.image = "my image"; },
     R"(spec.engine.image: Invalid value: "my image": must match )"},
    {"an image with registry, port, tag and digest",
     [](SchedulerProfileSpec& s) { s.engine.image = "[::1]:5000/a_b/c--d:v1.0@sha256:0f"; }, ""},
    {"a priority class that is no name",
     [](SchedulerProfileSpec& s) { s.deployment.priority_class_name = "High"; },
     R"(spec.deployment.priorityClassName: Invalid value: "High": must match )"},
    {"no priority class", [](SchedulerProfileSpec& s) { s.deployment.priority_class_name = ""; },
     ""},
    {"a variable that cannot be set",
     [](SchedulerProfileSpec& s) { s.deployment.env = {{.name = "A=B"}}; },
     R"(spec.deployment.env[name=A=B].name: Invalid value: "A=B": must match ^[ -<>-~]+$)"},
    {"a negative amount",
     [](SchedulerProfileSpec& s) {
       s.deployment.resources.requests["cpu"] = Quantity::FromMilli(-1);
     },
     "spec.deployment.resources.requests[cpu]: Invalid value: \"-1m\": must be greater than or "
     "equal "
     "to 0"},
    {"an amount beyond all numbers",
     [](SchedulerProfileSpec& s) {
       s.deployment.resources.limits["cpu"] = *Quantity::Parse("1e30");
     },
     "spec.deployment.resources.limits[cpu]: Invalid value: \"50e27\": must be less than 8Ei"},
    {"an amount that saturates while it is read",
     [](SchedulerProfileSpec& s) {
       s.deployment.resources.limits["memory"] = *Quantity::Parse("8Ei");
     },
     "spec.deployment.resources.limits[memory]: Invalid value"},
    {"the largest amount",
     [](SchedulerProfileSpec& s) {
       s.deployment.resources.limits["memory"] = *Quantity::Parse("7Ei");
     },
     ""},
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

TEST(CheckBounds, NamesFieldValueAndAllowedValues) {
  for (const Case& c : kCases) {
    SchedulerProfileSpec spec;
    c.change(spec);
    if (c.error.empty()) {
      EXPECT_THAT(Errors(spec), testing::IsEmpty()) << c.what;
    } else {
      EXPECT_THAT(Errors(spec), testing::Contains(testing::HasSubstr(c.error))) << c.what;
    }
  }
}

// A text that is too long is not matched against the pattern, so there is only one error.
TEST(CheckBounds, TooLongTextReportsOnlyTheLength) {
  SchedulerProfileSpec spec;
  spec.namespace_ = std::string(300'000, 'A');
  EXPECT_THAT(Errors(spec), testing::ElementsAre(
                                testing::EndsWith("must have at most 63 characters, has 300000")));
}

TEST(BoundsOf, PrefersBoundsOfField) {
  json::FieldOptions options;
  options.max_items = 3;
  EXPECT_EQ(BoundsOf(options).max_items, 3);
  EXPECT_EQ(BoundsOf(options).max_length, kGeneralBounds.max_length);
}

}  // namespace
}  // namespace berth::crds
