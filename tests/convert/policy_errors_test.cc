// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include "convert/policy.h"
#include "tests/convert/conversion.h"

namespace berth::convert {
namespace {

struct ErrorCase {
  std::string members;
  std::string errors;  // after "not a valid Policy:", one per line
};

TEST(PolicyErrors, MatchTheOldSchedulers) {
  const ErrorCase rows[] = {
      {"predicates: [{name: PodFitsResource}]",
       "predicates[0]: predicate type not found for \"PodFitsResource\"; nearest: "
       "PodFitsResources"},
      // Names of functions and of plugins.
      {"predicates: [{name: PodFitsHost}]",
       "predicates[0]: predicate type not found for \"PodFitsHost\"; nearest: HostName"},
      {"predicates: [{name: PodMatchNodeSelector}]",
       "predicates[0]: predicate type not found for \"PodMatchNodeSelector\"; nearest: "
       "MatchNodeSelector"},
      {"predicates: [{name: NodeResourcesFit}]",
       "predicates[0]: predicate type not found for \"NodeResourcesFit\"; nearest: "
       "GeneralPredicates"},
      {"priorities: [{name: SelectorSpread, weight: 1}]",
       "priorities[0]: priority type not found for \"SelectorSpread\"; nearest: "
       "SelectorSpreadPriority"},
      {"priorities: [{name: LeastRequested, weight: 1}]",
       "priorities[0]: priority type not found for \"LeastRequested\"; nearest: "
       "LeastRequestedPriority"},
      {"predicates: [{name: Mine}]", "predicates[0]: predicate type not found for \"Mine\""},
      {"predicates: [{name: ''}]", "predicates[0]: predicate type not found for \"\""},
      {"predicates: [{name: Mine, argument: {}}]",
       "predicates[0]: exactly 1 predicate argument is required, numArgs: 0, predicate Mine"},
      {"predicates: [{name: Mine, argument: {serviceAffinity: {labels: [a]}, labelsPresence: "
       "{labels: [b]}}}]",
       "predicates[0]: exactly 1 predicate argument is required, numArgs: 2, predicate Mine"},
      {"priorities: [{name: Mine, weight: 1}]",
       "priorities[0]: priority type not found for \"Mine\""},
      {"priorities: [{name: NodeLabelPriority, weight: 1}]",
       "priorities[0]: priority type not found for \"NodeLabelPriority\""},
      {"priorities: [{name: Mine, weight: 1, argument: {}}]",
       "priorities[0]: exactly 1 priority argument is required, numArgs: 0, priority Mine"},
      {"priorities: [{name: Mine, weight: 1, argument: {serviceAntiAffinity: {label: a}, "
       "labelPreference: {label: b}}}]",
       "priorities[0]: exactly 1 priority argument is required, numArgs: 2, priority Mine"},
      {"priorities: [{name: EqualPriority}]",
       "priorities[0]: priority EqualPriority should have a positive weight applied to it or it "
       "has "
       "overflown"},
      {"priorities: [{name: EqualPriority, weight: -1}]",
       "priorities[0]: priority EqualPriority should have a positive weight applied to it or it "
       "has "
       "overflown"},
      {"priorities: [{name: EqualPriority, weight: 922337203685477580}]",
       "priorities[0]: priority EqualPriority should have a positive weight applied to it or it "
       "has "
       "overflown"},
      {"priorities: [{name: A, weight: 1, argument: {labelPreference: {label: a}}}, {name: B, "
       "weight: "
       "2, argument: {labelPreference: {label: b}}}]",
       "priorities[1]: LabelPreference priority \"B\" has a different weight with \"A\""},
      {"priorities: [{name: A, weight: 1, argument: {serviceAntiAffinity: {label: a}}}, {name: B, "
       "weight: 2, argument: {serviceAntiAffinity: {label: b}}}]",
       "priorities[1]: ServiceAntiAffinity priority \"B\" has a different weight with \"A\""},
      {"priorities: [{name: A, weight: 1, argument: {requestedToCapacityRatioArguments: {}}}, "
       "{name: "
       "B, weight: 1, argument: {requestedToCapacityRatioArguments: {}}}]",
       "priorities[1]: priority \"B\" redeclares custom priority \"RequestedToCapacityRatio\", "
       "from: "
       "\"A\""},
      {"hardPodAffinitySymmetricWeight: 101",
       "hardPodAffinitySymmetricWeight: Invalid value: 101: not in valid range [0-100]"},
      {"hardPodAffinitySymmetricWeight: -1",
       "hardPodAffinitySymmetricWeight: Invalid value: -1: not in valid range [0-100]"},
      {"extenders: [{urlPrefix: 'http://e', prioritizeVerb: p}]",
       "extenders[0]: priority for extender http://e should have a positive weight applied to it"},
      {"extenders: [{urlPrefix: 'http://e', bindVerb: b}, {urlPrefix: 'http://f', bindVerb: b}]",
       "extenders: only one extender can implement bind, found 2"},
      {"extenders: [{urlPrefix: 'http://e', managedResources: [{name: a.com/x}]}, {urlPrefix: "
       "'http://f', managedResources: [{name: a.com/x}]}]",
       "extenders[1]: duplicate extender managed resource name a.com/x"},
      {"predicates: [{name: X}], priorities: [{name: Z}]",
       "predicates[0]: predicate type not found for \"X\"\n"
       "  priorities[0]: priority Z should have a positive weight applied to it or it has "
       "overflown\n"
       "  priorities[0]: priority type not found for \"Z\""},
  };
  for (const ErrorCase& row : rows) {
    const std::string error = ErrorOf(PolicyWith(row.members));
    const std::string wanted = "file.yaml: not a valid Policy:\n  " + row.errors;
    EXPECT_EQ(error, wanted) << row.members;
  }
}

TEST(PolicyErrors, NameTheVersionThatKubeSchedulersRead) {
  EXPECT_EQ(ErrorOf("{kind: Policy, apiVersion: v2, predicates: []}"),
            "file.yaml: apiVersion: found \"v2\", allowed for a Policy: v1");
  EXPECT_EQ(ErrorOf("kind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: |\n    kind: Policy\n    "
                    "apiVersion: v2\n"),
            "file.yaml: ConfigMap c, data[a]: apiVersion: found \"v2\", allowed for a Policy: v1");
  EXPECT_EQ(ErrorOf("{kind: Policy, predicates: []}"), "");
}

TEST(PolicyErrors, LeaveTheOtherPartsInTheReport) {
  const auto conversion = Convert(
      "{kind: Policy, apiVersion: v1, predicates: [{name: Mine, order: 2}, {name: HostName, order: "
      "1}], priorities: [{name: Bad, weight: 1}, {name: ImageLocalityPriority, weight: 100000}, "
      "{name: EqualPriority, weight: 1}], hardPodAffinitySymmetricWeight: 101, extenders: "
      "[{urlPrefix: 'http://e', prioritizeVerb: p}, {urlPrefix: 'http://f'}]}",
      {.source = "f"}, Catalogue());
  ASSERT_TRUE(conversion) << conversion.error().message();
  EXPECT_TRUE(conversion->profiles.empty());
  ASSERT_EQ(conversion->errors.size(), 1U);
  EXPECT_TRUE(conversion->errors[0].starts_with("f: not a valid Policy:\n  predicates[0]: "));
  const std::string report = ReportOf(*conversion);
  for (const char* line :
       {"dropped      predicates[1].order: unknown field",
        "exact        predicates[name=HostName] -> NodeName at preFilter, filter",
        "priorities[name=ImageLocalityPriority] -> ImageLocality at score, weight 100000",
        "dropped      priorities[name=EqualPriority]: it gave all nodes the same score"}) {
    EXPECT_NE(report.find(line), std::string::npos) << line;
  }
  for (const char* name : {"name=Mine", "name=Bad", "http://e"}) {
    EXPECT_EQ(report.find(name), std::string::npos) << name;
  }
}

TEST(PolicyErrors, OfTypeNameTheField) {
  const ErrorCase rows[] = {
      {"predicates: {}", "predicates: expected a list, found an object"},
      {"priorities: [{name: A, weight: high}]",
       "priorities[0].weight: expected an integer, found a string (\"high\")"},
      {"extenders: [{urlPrefix: 'http://e', httpTimeout: 15s}]",
       "extenders[0].httpTimeout: expected a number of nanoseconds, such as 30000000000, found "
       "\"15s\""},
      {"extenders: [{urlPrefix: 'http://e', httpTimeout: 1.5}]", "extenders[0].httpTimeout: "},
      {"extenders: [{urlPrefix: 'http://e', httpTimeout: true}]", "extenders[0].httpTimeout: "},
      {"alwaysCheckAllPredicates: 1", "alwaysCheckAllPredicates: expected a boolean"},
  };
  for (const ErrorCase& row : rows) {
    const std::string error = ErrorOf(PolicyWith(row.members));
    EXPECT_TRUE(error.starts_with("file.yaml: " + row.errors)) << error;
  }
}

}  // namespace
}  // namespace berth::convert
