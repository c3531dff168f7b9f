// SPDX-License-Identifier: Apache-2.0
#include "crds/effects.h"

#include <gmock/gmock.h>

#include "tests/crds/catalogue_fixture.h"

namespace berth::crds {
namespace {

std::vector<std::string> WarningsOf(const std::string& spec) {
  std::vector<std::string> texts;
  for (const api::FieldWarning& warning : Warnings(ProfileOf(spec).spec)) {
    texts.push_back(warning.ToString());
  }
  return texts;
}

TEST(Warnings, AreEmptyForDefaultProfile) { EXPECT_THAT(WarningsOf("{}"), testing::IsEmpty()); }

TEST(Warnings, NameFieldsWithoutEffect) {
  EXPECT_THAT(WarningsOf("{engine: {type: KubeScheduler}, leaderElection: {leaderElect: false}}"),
              testing::ElementsAre(testing::StartsWith("spec.leaderElection.leaderElect: ")));
}

TEST(Warnings, NameUnusedSidecars) {
  const auto of = [](const std::string& url) {
    return WarningsOf("{extenders: [{urlPrefix: '" + url +
                      "'}], deployment: {sidecars: [{name: s, image: a, port: 8888}]}}");
  };
  for (const char* url :
       {"http://localhost:8888/x", "https://[::1]:8888", "http://127.0.0.1:8888"}) {
    EXPECT_THAT(of(url), testing::IsEmpty()) << url;
  }
  for (const char* url : {"http://localhost/x", "http://e.team.svc:8888", "no"}) {
    EXPECT_THAT(of(url),
                testing::ElementsAre("spec.deployment.sidecars[name=s]: no extender uses it: "
                                     "none has urlPrefix http://localhost:8888"))
        << url;
  }
}

TEST(FieldsWithoutEffect, AreUnsetInDefaultProfile) {
  for (const FieldWithoutEffect& field : FieldsWithoutEffect()) {
    EXPECT_FALSE(field.is_set(SchedulerProfileSpec{})) << field.path;
    EXPECT_TRUE(field.path.starts_with("spec.")) << field.path;
  }
}

std::vector<std::string> RejectionsOf(const std::string& spec) {
  std::vector<std::string> texts;
  for (const Rejection& rejection : RejectionsOf(PlacedProfileOf(spec), Allowances{})) {
    texts.push_back(std::string(rejection.reason) + ": " + rejection.message);
  }
  return texts;
}

TEST(RejectionsOf, AreEmptyForDefaultProfile) {
  EXPECT_THAT(RejectionsOf("{}"), testing::IsEmpty());
}

TEST(RejectionsOf, NameUnsupportedFields) {
  EXPECT_THAT(RejectionsOf("{assign: {}}"),
              testing::ElementsAre(testing::StartsWith("AssignNotSupported: spec.assign: ")));
  EXPECT_THAT(RejectionsOf("{deletionPolicy: WaitForPending}"),
              testing::ElementsAre(
                  testing::StartsWith("DeletionPolicyNotSupported: spec.deletionPolicy: ")));
}

TEST(RejectionsOf, ReturnAllReasons) {
  EXPECT_THAT(RejectionsOf("{engine: {image: x}, assign: {}}"),
              testing::ElementsAre(testing::StartsWith("ImageNotAllowed: "),
                                   testing::StartsWith("AssignNotSupported: ")));
}

}  // namespace
}  // namespace berth::crds
