// SPDX-License-Identifier: Apache-2.0
#include "controllers/reconcile_errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/core.h"
#include "tests/controllers/profiles.h"

namespace berth::controllers {
namespace {

// Meaning is the expected explanation of an error: its reason, and whether it is transient.
struct Meaning {
  ReconcileError::Kind kind;
  Reason error;
  const char* message;
  const char* ns;
  bool passes;
  const char* reason;
  const char* says;
};

const std::string kOwn = "berth-system";  // the operator's namespace

class ErrorMeans : public testing::TestWithParam<Meaning> {};

TEST_P(ErrorMeans, HasOneExplanation) {
  const Meaning& row = GetParam();
  const std::string spec = "{namespace: " + std::string(row.ns) + "}";
  const ReconcileError failure{.kind = row.kind,
                               .key = {&api::ConfigMap::kResource, row.ns, "berth-a"},
                               .verb = "create",
                               .error = Error(row.error, row.message)};
  EXPECT_EQ(SeverityOf(failure), row.passes ? Severity::kTransient : Severity::kStalls);
  const std::optional<Explanation> passing = FindTransientError({failure});
  const std::optional<Explanation> stalling =
      FindStallingError(MakeProfile("a", spec), kOwn, {failure});
  ASSERT_EQ(passing.has_value(), row.passes);
  ASSERT_EQ(stalling.has_value(), !row.passes);
  const Explanation& explanation = row.passes ? *passing : *stalling;
  EXPECT_EQ(explanation.reason, row.reason);
  EXPECT_THAT(explanation.message, testing::HasSubstr(row.says));
}

constexpr const char* kNoRight =
    "configmaps is forbidden: User \"o\" cannot create resource \"configmaps\" in API group \"\" "
    "in "
    "the namespace \"n\"";

constexpr auto kFailed = ReconcileError::Kind::kFailed;

INSTANTIATE_TEST_SUITE_P(
    Table, ErrorMeans,
    testing::Values(
        Meaning{kFailed, Reason::kForbidden, kNoRight, "berth-system", false, "Forbidden",
                "in the namespace \"n\"; apply deploy/install.yaml again"},
        Meaning{
            kFailed, Reason::kForbidden,
            "roles.rbac.authorization.k8s.io \"berth-a\" is forbidden: user \"o\" (groups=[]) is "
            "attempting to grant RBAC permissions not currently held:\n{...}",
            "berth-system", false, "Forbidden", "apply deploy/install.yaml again"},
        Meaning{kFailed, Reason::kForbidden, "denied by a plugin", "team", false, "Forbidden",
                "cannot create configmaps (ConfigMap team/berth-a): denied by a plugin"},
        Meaning{kFailed, Reason::kForbidden,
                "configmaps \"berth-a\" is forbidden: exceeded quota: q, requested: "
                "count/configmaps=1, used: count/configmaps=2, limited: count/configmaps=2",
                "team", true, "QuotaExceeded", "limited: count/configmaps=2"},
        Meaning{kFailed, Reason::kForbidden,
                "configmaps \"berth-a\" is forbidden: failed quota: q: must specify requests.cpu",
                "team", false, "QuotaExceeded", "must specify requests.cpu"},
        Meaning{
            kFailed, Reason::kForbidden,
            "configmaps \"berth-a\" is forbidden: unable to create new content in namespace team "
            "because it is being terminated",
            "team", true, "NamespaceTerminating", "being terminated"},
        Meaning{kFailed, Reason::kForbidden,
                "pods \"p\" is forbidden: violates PodSecurity \"restricted:latest\": hostPort",
                "team", false, "PolicyDenied", "hostPort"},
        Meaning{
            kFailed, Reason::kInvalid,
            "configmaps \"berth-a\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' "
            "denied request: User \"x\" cannot do that",
            "team", false, "PolicyDenied", "cannot do that"},
        Meaning{kFailed, Reason::kForbidden, kNoRight, "team", false, "NamespaceNotManaged",
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
        Meaning{ReconcileError::Kind::kNotOwned, Reason::kConflict, "is another's", "team", false,
                "NotOwned", "is another's"},
        Meaning{ReconcileError::Kind::kBeingCollected, Reason::kConflict, "not gone yet", "team",
                true, "WaitingForDeletion", "not gone yet"}));

TEST(ErrorsThatOnlyWait, AreReportedWithoutStalling) {
  const auto made = [](ReconcileError::Kind kind, const char* message) {
    return ReconcileError{.kind = kind,
                          .key = {&api::ConfigMap::kResource, "team", "berth-a"},
                          .verb = "patch",
                          .error = Error(Reason::kConflict, message)};
  };
  const ReconcileError contested = made(ReconcileError::Kind::kContested, "others change it");
  const ReconcileError turn = made(ReconcileError::Kind::kWaitingForTurn, "later");
  const ReconcileError admission = made(ReconcileError::Kind::kChangedByAdmission, "a webhook");
  EXPECT_EQ(SeverityOf(contested), Severity::kWaits);
  EXPECT_EQ(SeverityOf(admission), Severity::kWarns);
  EXPECT_EQ(FindTransientError({turn})->reason, "WaitingForTurn");
  EXPECT_EQ(FindTransientError({admission, contested})->reason, "Contested");
  EXPECT_FALSE(FindTransientError({admission}));
  EXPECT_FALSE(FindStallingError(MakeProfile("a"), kOwn, {contested, turn, admission}));
  const std::vector<Explanation> lasting = FindWarnings({contested, turn, admission});
  ASSERT_EQ(lasting.size(), 2u);
  EXPECT_EQ(lasting[0].message, "others change it");
  EXPECT_EQ(lasting[1].reason, "ChangedByAdmission");
}

TEST(FindStallingError, ReturnsTheFirstErrorThatIsNotTransient) {
  const auto failed = [](Reason reason, std::string message) {
    return ReconcileError{.key = {&api::ConfigMap::kResource, "team", "berth-a"},
                          .verb = "patch",
                          .error = Error(reason, std::move(message))};
  };
  const std::vector<ReconcileError> failures = {failed(Reason::kTimeout, "one"),
                                                failed(Reason::kInvalid, "two"),
                                                failed(Reason::kBadRequest, "three")};
  EXPECT_THAT(FindStallingError(MakeProfile("a"), kOwn, failures)->message,
              testing::HasSubstr("two"));
  EXPECT_THAT(FindTransientError(failures)->message, testing::HasSubstr("one"));
  EXPECT_FALSE(FindTransientError({}));
  EXPECT_FALSE(FindStallingError(MakeProfile("a"), kOwn, {}));
}

}  // namespace
}  // namespace berth::controllers
