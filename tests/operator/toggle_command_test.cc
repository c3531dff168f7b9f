// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/apiextensions.h"
#include "base/json/json.h"
#include "base/yaml/yaml.h"
#include "client/kubeconfig.h"
#include "crds/manifest.h"
#include "crds/scheduler_profile.h"
#include "tests/operator/berth.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/test_certificates.h"

namespace berth::operator_ {
namespace {

using crds::SchedulerProfile;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

// Runs the commands against an API server with a profile "p" that argocd applied.
class ToggleCommandTest : public testing::Test {
 protected:
  ToggleCommandTest() {
    const auto made = memory_.client().Create(crds::SchedulerProfileDefinition());
    if (!made) ADD_FAILURE() << made.error().message();
  }

  // Applies profile "p" with these lists like a GitOps controller.
  void Sync(const std::string& plugins, bool force = false) {
    const std::string text = yaml::ToJson(
                                 "apiVersion: berth.dev/v1alpha1\nkind: SchedulerProfile\n"
                                 "metadata: {name: p}\nspec: {plugins: " +
                                 plugins + "}\n")
                                 .value();
    const auto applied = memory_.client().ApplyRaw(SchedulerProfile::kResource, "", "p", text,
                                                   "argocd-controller", force);
    ASSERT_TRUE(applied) << applied.error().message();
  }

  Answer Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--profile", "p", "--kubeconfig", admin_});
    return Berth(std::move(arguments));
  }

  // Returns the stored lists.
  std::string Plugins() {
    const auto profile = memory_.client().Get<SchedulerProfile>("", "p");
    return profile ? json::Encode(profile->spec.plugins) : profile.error().message();
  }
  std::string Version() {
    return memory_.client().Get<SchedulerProfile>("", "p")->metadata.resource_version;
  }

  apiserver::InMemoryServer memory_;
  const http::TestFolder folder_;
  const std::string admin_ =
      folder_.Write("admin", client::KubeconfigText({.server = memory_.server().url()}));
};

TEST_F(ToggleCommandTest, DisablesAndReenables) {
  Sync("{score: {enabled: [{name: NodeAffinity, weight: 5}]}}");
  const std::string before = Plugins();
  const Answer off = Run({"disable", "ImageLocality"});
  EXPECT_EQ(off.code, 0) << off.err;
  EXPECT_EQ(off.out,
            "schedulerprofile.berth.dev/p patched\n"
            "  spec.plugins.multiPoint.disabled[name=ImageLocality] added\n");
  EXPECT_THAT(off.err, IsEmpty());
  EXPECT_EQ(Plugins(), R"({"multiPoint":{"disabled":[{"name":"ImageLocality"}]},)"
                       R"("score":{"enabled":[{"name":"NodeAffinity","weight":5}]}})");
  const Answer on = Run({"enable", "ImageLocality"});
  EXPECT_EQ(on.code, 0) << on.err;
  EXPECT_EQ(Plugins(), before);
  EXPECT_EQ(Run({"disable", "--points", "preScore,score", "ImageLocality"}).code, 1);
  EXPECT_EQ(Run({"disable", "--points", "preFilter,filter", "NodePorts"}).code, 0);
  EXPECT_THAT(Plugins(), HasSubstr(R"("preFilter":{"disabled":[{"name":"NodePorts"}]})"));
}

TEST_F(ToggleCommandTest, SetsAndChangesWeight) {
  Sync("{}");
  EXPECT_EQ(Run({"weight", "NodeResourcesFit", "5"}).code, 0);
  const Answer again = Run({"weight", "NodeResourcesFit", "7"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("score.enabled[name=NodeResourcesFit].weight from 5 to 7"));
  EXPECT_EQ(Plugins(), R"({"score":{"enabled":[{"name":"NodeResourcesFit","weight":7}]}})");
}

TEST_F(ToggleCommandTest, ReportsUnchanged) {
  Sync("{}");
  const std::string version = Version();
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"enable", "NodeName"}, "p unchanged: NodeName is already enabled\n"},
      {{"enable", "NodeAffinity", "--points=filter,score"},
       "p unchanged: NodeAffinity is already enabled at filter, score\n"},
      {{"disable", "QOSSort"}, "p unchanged: QOSSort is already disabled\n"},
      {{"weight", "NodeAffinity", "2"}, "p unchanged: NodeAffinity already has the weight 2\n"}};
  for (const auto& [arguments, says] : cases) {
    const Answer answer = Run(arguments);
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_THAT(answer.out, HasSubstr(says));
  }
  EXPECT_EQ(Version(), version);
}

TEST_F(ToggleCommandTest, RejectsForeignFieldAndPrintsPatch) {
  Sync("{score: {enabled: [{name: NodeAffinity, weight: 5}, {name: TaintToleration}]}}");
  const std::string version = Version();
  const Answer answer = Run({"disable", "NodeAffinity", "--points", "score"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err,
              AllOf(HasSubstr("spec.plugins.score.enabled[name=NodeAffinity] is owned by "
                              "argocd-controller\n"),
                    HasSubstr("commit the patch"), HasSubstr("--force")));
  EXPECT_EQ(answer.out,
            "apiVersion: berth.dev/v1alpha1\n"
            "kind: SchedulerProfile\n"
            "metadata:\n"
            "  name: p\n"
            "spec:\n"
            "  plugins:\n"
            "    score:\n"
            "      disabled:\n"
            "      - name: NodeAffinity\n"
            "      enabled:\n"
            "      - name: TaintToleration\n");
  EXPECT_EQ(Version(), version) << "nothing was written";

  // The patch works: after it is committed and applied, the request is fulfilled.
  const auto patched = memory_.client().Patch<SchedulerProfile>(
      "", "p", yaml::ToJson(answer.out).value(), {.field_manager = "argocd-controller"});
  ASSERT_TRUE(patched) << patched.error().message();
  EXPECT_THAT(Run({"disable", "NodeAffinity", "--points", "score"}).out, HasSubstr("unchanged"));
}

TEST_F(ToggleCommandTest, ForceChangesForeignFieldAndNamesOwner) {
  const std::string synced = "{score: {enabled: [{name: NodeAffinity, weight: 5}]}}";
  Sync(synced);
  const Answer answer = Run({"weight", "NodeAffinity", "9", "--force"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("score.enabled[name=NodeAffinity].weight was owned by "
                                    "argocd-controller, which will revert it"));
  EXPECT_THAT(Plugins(), HasSubstr("\"weight\":9"));
  Sync(synced, /*force=*/true);
  EXPECT_THAT(Plugins(), HasSubstr("\"weight\":5"));
}

TEST_F(ToggleCommandTest, AvoidsForeignFieldsIfPossible) {
  Sync("{multiPoint: {enabled: [{name: Random}], disabled: [{name: NodePorts}]}}");
  const Answer off = Run({"disable", "Random"});
  EXPECT_EQ(off.code, 0) << off.err;
  EXPECT_THAT(off.out, HasSubstr("  spec.plugins.score.disabled[name=Random] added\n"));
  const Answer on = Run({"enable", "NodePorts"});
  EXPECT_EQ(on.code, 0) << on.err;
  EXPECT_THAT(on.err, HasSubstr("note: spec.plugins.multiPoint.disabled[name=NodePorts] is kept "
                                "because it is owned by argocd-controller"));
  // The fields that argocd applied are unchanged, so its next sync has no conflict.
  Sync("{multiPoint: {enabled: [{name: Random}], disabled: [{name: NodePorts}]}}");
  EXPECT_THAT(Plugins(), HasSubstr(R"("score":{"disabled":[{"name":"Random"}]})"));
}

TEST_F(ToggleCommandTest, DryRunsWriteNothing) {
  Sync("{}");
  const std::string version = Version();
  const Answer client = Run({"disable", "NodePorts", "--dry-run=client"});
  EXPECT_THAT(client.out, HasSubstr("schedulerprofile.berth.dev/p patched (dry run)\n"));
  const Answer server = Run({"disable", "NodePorts", "--dry-run=server"});
  EXPECT_EQ(server.code, 0) << server.err;
  EXPECT_THAT(server.out, HasSubstr("schedulerprofile.berth.dev/p patched (server dry run)\n"));
  EXPECT_EQ(Version(), version);
  EXPECT_EQ(Run({"disable", "NodePorts", "--dry-run=perhaps"}).code, 1);
}

TEST_F(ToggleCommandTest, PrintsProfileAsYamlAndJson) {
  Sync("{}");
  for (const char* mode : {"--dry-run=client", "--dry-run=server", "--dry-run=none"}) {
    const Answer answer = Run({"disable", "NodePorts", "-o", "yaml", mode});
    EXPECT_EQ(answer.code, 0) << answer.err;
    const auto profile = json::Decode<SchedulerProfile>(yaml::ToJson(answer.out).value());
    ASSERT_TRUE(profile) << mode;
    EXPECT_EQ(json::Encode(profile->spec.plugins),
              R"({"multiPoint":{"disabled":[{"name":"NodePorts"}]}})")
        << mode;
  }
  const Answer json = Run({"disable", "NodePorts", "-o", "json"});
  EXPECT_TRUE(json::Decode<SchedulerProfile>(json.out)) << "also if unchanged";
}

TEST_F(ToggleCommandTest, PrintsPatchInRequestedFormat) {
  Sync("{score: {enabled: [{name: NodeAffinity}]}}");
  const Answer answer = Run({"disable", "NodeAffinity", "-o", "json"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.out,
              AllOf(testing::StartsWith("{\n"), HasSubstr("\"kind\": \"SchedulerProfile\"")));
}

TEST_F(ToggleCommandTest, RetriesAfterConflict) {
  Sync("{}");
  // The request reaches the server twice; the second has an outdated resourceVersion.
  memory_.Inject(
      R"({"action": "duplicate", "verb": "patch", "resource": "schedulerprofiles", "times": 1})");
  const Answer twice = Run({"disable", "NodePorts"});
  EXPECT_EQ(twice.code, 0) << twice.err;
  EXPECT_THAT(twice.out, HasSubstr("unchanged: NodePorts is already disabled"));

  memory_.Inject(
      R"({"action": "fail", "verb": "patch", "resource": "schedulerprofiles", "code": 409})");
  const Answer never = Run({"enable", "NodePorts"});
  EXPECT_EQ(never.code, 1);
  EXPECT_THAT(never.err, HasSubstr("patch schedulerprofile.berth.dev/p: "));
}

TEST_F(ToggleCommandTest, PrintsWarningsOfChange) {
  Sync("{}");
  EXPECT_THAT(Run({"weight", "NodeAffinity", "100000"}).err,
              HasSubstr("warning: weight 100000 of NodeAffinity dominates the other scores"));
  EXPECT_THAT(Run({"disable", "NodePorts"}).err, IsEmpty()) << "and no other warnings";
}

TEST_F(ToggleCommandTest, InvalidRequestWritesNothing) {
  Sync("{}");
  const std::string version = Version();
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"enable", "NodeAfinity"}, "error: unknown plugin \"NodeAfinity\"; nearest: NodeAffinity"},
      {{"disable", "PrioritySort"}, "spec.plugins.queueSort: Required value"},
      {{"disable", "DefaultBinder", "--force"}, "spec.plugins.bind: Required value"},
      {{"enable", "NodeName", "--points=score"}, "NodeName does not implement score"},
      {{"weight", "NodeAffinity", "0"}, "WEIGHT"},
      {{"weight", "NodeAffinity"}, "WEIGHT"}};
  for (const auto& [arguments, says] : cases) {
    const Answer answer = Run(arguments);
    EXPECT_EQ(answer.code, 1) << says;
    EXPECT_THAT(answer.out, IsEmpty());
    EXPECT_THAT(answer.err, HasSubstr(says));
  }
  EXPECT_EQ(Version(), version);
}

TEST_F(ToggleCommandTest, SuggestsNearestProfile) {
  EXPECT_THAT(Run({"enable", "NodeName"}).err,
              HasSubstr("SchedulerProfile p does not exist; there are none"));
  ASSERT_TRUE(memory_.client().Create(SchedulerProfile{.metadata = {.name = "packing"}}));
  const auto of = [this](const char* profile) {
    return Berth({"enable", "NodeName", "--profile", profile, "--kubeconfig", admin_}).err;
  };
  EXPECT_THAT(of("paking"), HasSubstr("; nearest: packing"));
  EXPECT_THAT(of("other"), HasSubstr("there are: packing"));
}

// A newer definition may have plugin fields that this version does not know.
TEST_F(ToggleCommandTest, RejectsListWithUnknownFields) {
  const std::string enabled =
      "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/plugins/properties/score/"
      "properties/enabled/items/properties/";
  const auto newer = memory_.client().Patch<api::CustomResourceDefinition>(
      "", crds::SchedulerProfileDefinition().metadata.name,
      R"([{"op": "add", "path": ")" + enabled + R"(after", "value": {"type": "string"}}])",
      {.type = client::PatchType::kJson});
  ASSERT_TRUE(newer) << newer.error().message();
  Sync("{score: {enabled: [{name: NodeAffinity, after: ImageLocality}]}}");
  const Answer answer = Run({"disable", "TaintToleration", "--points=score"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, AllOf(HasSubstr("this version does not know all fields of spec.plugins"),
                                HasSubstr("after")));
}

}  // namespace
}  // namespace berth::operator_
