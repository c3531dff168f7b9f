// SPDX-License-Identifier: Apache-2.0
#include "controllers/problems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/core.h"
#include "tests/controllers/profiles.h"

namespace berth::controllers {
namespace {

// Meaning is what one problem means: its reason, and whether another attempt may solve it.
struct Meaning {
  Problem::Kind kind;
  Reason error;
  const char* message;
  const char* ns;
  bool passes;
  const char* reason;
  const char* says;
};

class ProblemMeans : public testing::TestWithParam<Meaning> {};

TEST_P(ProblemMeans, OneExplanation) {
  const Meaning& row = GetParam();
  const std::string spec = "{namespace: " + std::string(row.ns) + "}";
  const Problem problem{.kind = row.kind,
                        .key = {&api::ConfigMap::kResource, row.ns, "berth-a"},
                        .verb = "create",
                        .error = Error(row.error, row.message)};
  EXPECT_EQ(IsPassing(problem), row.passes);
  const std::optional<Explanation> passing = PassingProblem({problem});
  const std::optional<Explanation> stalling = StallingProblem(MakeProfile("a", spec), {problem});
  ASSERT_EQ(passing.has_value(), row.passes);
  ASSERT_EQ(stalling.has_value(), !row.passes);
  const Explanation& explanation = row.passes ? *passing : *stalling;
  EXPECT_EQ(explanation.reason, row.reason);
  EXPECT_THAT(explanation.message, testing::HasSubstr(row.says));
}

constexpr auto kFailed = Problem::Kind::kFailed;

INSTANTIATE_TEST_SUITE_P(
    Table, ProblemMeans,
    testing::Values(
        Meaning{kFailed, Reason::kForbidden, "no", "berth-system", false, "Forbidden",
                "cannot create configmaps (ConfigMap berth-system/berth-a): no; apply "
                "deploy/install.yaml again"},
        Meaning{kFailed, Reason::kForbidden, "no", "team", false, "NamespaceNotManaged",
                "bind ClusterRole berth:operator-namespace to ServiceAccount "
                "berth-system/berth-operator with a RoleBinding there"},
        Meaning{kFailed, Reason::kForbidden, "admission webhook \"w\" denied the request", "team",
                true, "Retrying", "denied the request"},
        Meaning{kFailed, Reason::kNotFound, "namespaces \"team\" not found", "team", false,
                "NamespaceNotFound", "not found"},
        Meaning{kFailed, Reason::kInvalid, "bad", "team", false, "Refused", "bad"},
        Meaning{kFailed, Reason::kUnavailable, "away", "team", true, "Retrying",
                "cannot create ConfigMap team/berth-a: away"},
        Meaning{kFailed, Reason::kConflict, "changed", "team", true, "Retrying", "changed"},
        Meaning{Problem::Kind::kNotOwned, Reason::kConflict, "is another's", "team", false,
                "NotOwned", "is another's"},
        Meaning{Problem::Kind::kBeingCollected, Reason::kConflict, "not gone yet", "team", true,
                "WaitingForDeletion", "not gone yet"}));

TEST(StallingProblem, IsTheFirstThatDoesNotPass) {
  const auto failed = [](Reason reason, std::string message) {
    return Problem{.key = {&api::ConfigMap::kResource, "team", "berth-a"},
                   .verb = "patch",
                   .error = Error(reason, std::move(message))};
  };
  const std::vector<Problem> problems = {failed(Reason::kTimeout, "one"),
                                         failed(Reason::kInvalid, "two"),
                                         failed(Reason::kBadRequest, "three")};
  EXPECT_THAT(StallingProblem(MakeProfile("a"), problems)->message, testing::HasSubstr("two"));
  EXPECT_THAT(PassingProblem(problems)->message, testing::HasSubstr("one"));
  EXPECT_FALSE(PassingProblem({}));
  EXPECT_FALSE(StallingProblem(MakeProfile("a"), {}));
}

}  // namespace
}  // namespace berth::controllers
