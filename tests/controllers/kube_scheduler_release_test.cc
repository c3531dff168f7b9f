// SPDX-License-Identifier: Apache-2.0
#include "controllers/kube_scheduler_release.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kubernetes_version.h"
#include "tests/controllers/profiles.h"

namespace berth::controllers {
namespace {

using api::KubernetesVersion;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

KubeSchedulerChoice Choose(const std::string& spec, const std::string& flag_image,
                           std::optional<KubernetesVersion> server) {
  const crds::SchedulerProfile profile = MakeProfile("a", "{engine: {type: KubeScheduler" + spec);
  return ChooseKubeScheduler(profile.spec, flag_image, server);
}

// Returns the release of k8s.io/kubernetes that a go.mod requires.
std::string ReleaseIn(const std::filesystem::path& go_mod) {
  std::ifstream file(go_mod);
  for (std::string word, before; file >> word; before = word) {
    if (before == "k8s.io/kubernetes" && word.starts_with("v1.")) return word.substr(1);
  }
  ADD_FAILURE() << go_mod << " requires no k8s.io/kubernetes";
  return "";
}

TEST(KubeSchedulerReleases, MatchReleasesOfTestVersions) {
  std::set<std::string> pinned = {ReleaseIn("tests/e2e/controlplane/go.mod")};
  for (const auto& entry : std::filesystem::directory_iterator("tests/versions")) {
    if (entry.is_directory()) pinned.insert(ReleaseIn(entry.path() / "go.mod"));
  }
  const std::vector<std::string_view> releases = KubeSchedulerReleases();
  EXPECT_EQ(std::set<std::string>(releases.begin(), releases.end()), pinned)
      << "change the releases in controllers/kube_scheduler_release.cc, or the pins with "
         "scripts/controlplane-pin";
}

TEST(KubeSchedulerReleases, ReferenceIsTheReleaseOfTheControlPlane) {
  EXPECT_EQ("v" + ReleaseIn("tests/e2e/controlplane/go.mod"), api::kReferenceRelease);
}

// Returns the second column of the table between the markers in deploy/README.md.
std::vector<std::string> ReleasesInTheTable() {
  std::vector<std::string> releases;
  std::ifstream page("deploy/README.md");
  bool is_table = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("<!-- versions: begin")) is_table = true;
    if (line.starts_with("<!-- versions: end")) is_table = false;
    if (!is_table || !line.starts_with("| 1.")) continue;
    const size_t second = line.find('|', 1) + 2;
    releases.push_back(line.substr(second, line.find(' ', second) - second));
  }
  return releases;
}

TEST(KubeSchedulerReleases, MatchTheTableOfTestedReleases) {
  EXPECT_THAT(ReleasesInTheTable(), testing::ElementsAreArray(KubeSchedulerReleases()))
      << "scripts/run-versions --write-table writes the table";
}

TEST(KubeSchedulerReleases, CoverEverySupportedMinorOnce) {
  std::vector<KubernetesVersion> found;
  std::vector<KubernetesVersion> supported;
  for (const std::string_view release : KubeSchedulerReleases()) {
    found.push_back(api::ParseKubernetesVersion(release).value());
  }
  for (unsigned minor = api::kOldestKubernetes.minor; minor <= api::kNewestKubernetes.minor;
       ++minor) {
    supported.push_back({1, minor});
  }
  EXPECT_EQ(found, supported);
}

TEST(ChooseKubeScheduler, FollowsTheApiServersMinor) {
  EXPECT_EQ(Choose("}}", "", {{1, 36}}).image, "registry.k8s.io/kube-scheduler:v1.36.3");
  const std::string oldest = Choose("}}", "", api::kOldestKubernetes).image;
  EXPECT_THAT(oldest, HasSubstr(":v" + api::kOldestKubernetes.ToString() + "."));
  EXPECT_THAT(KubeSchedulerImages(), testing::Contains(oldest));
}

TEST(ChooseKubeScheduler, RejectsMinorWithoutDefaultImage) {
  for (const std::optional<KubernetesVersion> server :
       {std::optional<KubernetesVersion>({1, 38}), {{1, 29}}, {}}) {
    const KubeSchedulerChoice choice = Choose("}}", "", server);
    ASSERT_EQ(choice.rejections.size(), 1u);
    EXPECT_EQ(choice.rejections[0].reason, "NoKubeSchedulerImage");
    EXPECT_THAT(choice.rejections[0].message,
                AllOf(HasSubstr(server ? "for an API server " + server->ToString()
                                       : "version is not known"),
                      HasSubstr("spec.engine.image"), HasSubstr("--kube-scheduler-image")));
    EXPECT_THAT(Choose("}}", "ours:1", server).rejections, IsEmpty());
    EXPECT_THAT(Choose(", image: 'ours:1'}}", "", server).rejections, IsEmpty());
  }
}

TEST(ChooseKubeScheduler, PrefersTheFlagToTheDefault) {
  const KubeSchedulerChoice choice = Choose("}}", "mirror:5000/kube-scheduler:v1.35.4", {{1, 36}});
  EXPECT_EQ(choice.image, "mirror:5000/kube-scheduler:v1.35.4");
  EXPECT_THAT(choice.warnings, IsEmpty());
}

TEST(ChooseKubeScheduler, WarnsAboutImageNewerThanTheApiServer) {
  const std::optional<KubernetesVersion> server = {{1, 36}};
  EXPECT_THAT(Choose("}}", "m:5000/kube-scheduler:v1.37.2@sha256:x", server).warnings,
              ElementsAre(api::FieldWarning{
                  "--kube-scheduler-image",
                  "kube-scheduler 1.37 of m:5000/kube-scheduler:v1.37.2@sha256:x is newer than the "
                  "API server, 1.36; Kubernetes supports the same minor and the one before"}));
  EXPECT_THAT(
      Choose(", image: 'ours:1.40.1'}}", "", server).warnings,
      ElementsAre(testing::AllOf(testing::Field(&api::FieldWarning::path, "spec.engine.image"),
                                 testing::Field(&api::FieldWarning::text,
                                                HasSubstr("kube-scheduler 1.40 of ours:1.40.1")))));
  for (const char* image : {"ours:v1.36.9", "ours:v1.35.0", "ours:2.4", "ours:latest", "ours",
                            "m:5000/ours", "m:1.50/ours", "ours@sha256:1.50"}) {
    EXPECT_THAT(Choose(std::string(", image: '") + image + "'}}", "", server).warnings, IsEmpty())
        << image;
  }
}

TEST(ChooseKubeScheduler, RejectsAdditionsOfLaterReleases) {
  const struct {
    const char* spec;
    unsigned added;
    const char* path;
  } kRows[] = {
      {"plugins: {filter: {enabled: [{name: NodeDeclaredFeatures}]}}", 35,
       "spec.plugins.filter.enabled[name=NodeDeclaredFeatures]: kube-scheduler 1.34 has no plugin "
       "NodeDeclaredFeatures; the first that has it is 1.35"},
      {"plugins: {filter: {enabled: [{name: DeferredPodScheduling}]}}", 37,
       "spec.plugins.filter.enabled[name=DeferredPodScheduling]: kube-scheduler 1.36 has no"},
      {"plugins: {multiPoint: {enabled: [{name: GangScheduling}]}}", 35,
       "spec.plugins.multiPoint.enabled[name=GangScheduling]"},
      {"plugins: {preEnqueue: {enabled: [{name: DefaultPreemption}]}}", 32,
       "spec.plugins.preEnqueue.enabled[name=DefaultPreemption]: kube-scheduler 1.31 has no "
       "preEnqueue of DefaultPreemption; the first that has it is 1.32"},
      {"plugins: {score: {enabled: [{name: DynamicResources}]}}", 35, "spec.plugins.score"},
      {"plugins: {preFilter: {enabled: [{name: NodeName}]}}", 37, "spec.plugins.preFilter"},
      {"plugins: {preFilter: {enabled: [{name: NodeUnschedulable}]}}", 37,
       "spec.plugins.preFilter"},
      {"plugins: {preFilter: {enabled: [{name: TaintToleration}]}}", 37, "spec.plugins.preFilter"},
      {"plugins: {placementScore: {disabled: [{name: '*'}]}}", 36,
       "spec.plugins.placementScore: kube-scheduler 1.35 has no such extension point"},
      {"plugins: {podGroupPostFilter: {disabled: [{name: '*'}]}}", 37,
       "spec.plugins.podGroupPostFilter: kube-scheduler 1.36 has no such extension point"},
      {"pluginConfig: [{name: DynamicResources, args: {bindingTimeout: 5s}}]", 36,
       "spec.pluginConfig[name=DynamicResources].args.bindingTimeout: kube-scheduler 1.35 has no "
       "such argument"},
  };
  for (const auto& row : kRows) {
    const std::string spec = std::string("}, ") + row.spec + "}";
    const KubeSchedulerChoice older = Choose(spec, "", {{1, row.added - 1}});
    ASSERT_EQ(older.rejections.size(), 1u) << row.spec;
    EXPECT_EQ(older.rejections[0].reason, "PluginNotServed");
    EXPECT_THAT(older.rejections[0].message, HasSubstr(row.path));
    EXPECT_THAT(Choose(spec, "", {{1, row.added}}).rejections, IsEmpty()) << row.spec;
    const std::string older_image = fmt::format("m/kube-scheduler:v1.{}.1", row.added - 1);
    EXPECT_EQ(Choose(spec, older_image, {{1, row.added}}).rejections.size(), 1u)
        << "the flag's image is older than the API server";
    const std::string own = std::string(", image: 'ours:v1.30.1'}, ") + row.spec + "}";
    EXPECT_THAT(Choose(own, "", {{1, 30}}).rejections, IsEmpty()) << "plugins are not verified";
  }
}

TEST(ChooseKubeScheduler, WarnsAboutArgumentsThatAnOlderReleaseIgnores) {
  const std::string spec =
      "}, pluginConfig: [{name: DynamicResources, args: {bindingTimeout: 5s}}]}";
  const KubeSchedulerChoice choice = Choose(spec, "", {{1, 33}});
  EXPECT_THAT(choice.rejections, IsEmpty());
  EXPECT_THAT(choice.warnings,
              ElementsAre(api::FieldWarning{
                  "spec.pluginConfig[name=DynamicResources].args",
                  "the arguments have no effect: kube-scheduler 1.33 has none of this plugin; the "
                  "first that has them is 1.34"}));
  EXPECT_THAT(Choose(spec, "", {{1, 35}}).warnings, IsEmpty());
}

TEST(ChooseKubeScheduler, UsesHealthzForReleasesWithoutReadyz) {
  const struct {
    const char* spec;
    unsigned server;
    const char* ready;
  } kRows[] = {
      {"}}", 30, "/healthz"},
      {"}}", 31, "/readyz"},
      {", image: 'ours:v1.30.4'}}", 31, "/healthz"},
      {", image: 'ours:v1.31.4'}}", 31, "/readyz"},
      {", image: 'ours:latest'}}", 30, "/healthz"},
      {", image: 'ours:latest'}}", 31, "/healthz"},
      {", image: 'ours:latest'}}", 32, "/readyz"},
  };
  for (const auto& row : kRows) {
    const HealthPaths paths = Choose(row.spec, "", {{1, row.server}}).health_paths;
    EXPECT_EQ(paths.ready, row.ready) << row.spec << " at 1." << row.server;
    EXPECT_EQ(paths.live, paths.ready == "/readyz" ? "/livez" : "/healthz");
  }
}

TEST(PlanObjects, StallsAKubeSchedulerWithoutADefaultImage) {
  PlanOptions options = TestOptions();
  options.kube_scheduler_image.clear();
  const crds::SchedulerProfile profile = MakeProfile("a", "{engine: {type: KubeScheduler}}");
  Observed observed;
  observed.api_server_version = KubernetesVersion{1, 99};
  Plan plan = PlanObjects(profile, observed, ShippedCatalogue(), options);
  EXPECT_THAT(plan.apply, IsEmpty());
  const crds::SchedulerProfileStatus status =
      ReportOn(plan, observed, {}, Time::FromUnixSeconds(1'767'225'660)).status;
  const api::Condition* stalled = api::FindCondition(status.conditions, crds::kConditionStalled);
  ASSERT_NE(stalled, nullptr);
  EXPECT_EQ(stalled->status, "True");
  EXPECT_EQ(stalled->reason, "NoKubeSchedulerImage");

  observed.api_server_version = KubernetesVersion{1, 30};
  plan = PlanObjects(profile, observed, ShippedCatalogue(), options);
  const auto deployment = std::ranges::find_if(plan.apply, [](const RenderedObject& object) {
    return object.key.resource->kind == "Deployment";
  });
  ASSERT_NE(deployment, plan.apply.end());
  EXPECT_THAT(deployment->object.Json(), HasSubstr("registry.k8s.io/kube-scheduler:v1.30."));
  EXPECT_THAT(deployment->object.Json(), HasSubstr("/healthz"));
  EXPECT_TRUE(PlanObjects(MakeProfile("a"), {}, ShippedCatalogue(), options).verdict.IsRendered())
      << "Berth's own engine needs no version";
}

TEST(PlanObjects, WarnsAboutKubeSchedulerNewerThanTheApiServer) {
  const crds::SchedulerProfile profile =
      MakeProfile("a", "{engine: {type: KubeScheduler, image: 'example.com/ours:v1.37.0'}}");
  Observed observed;
  observed.api_server_version = KubernetesVersion{1, 36};
  const Plan plan = PlanAlone(profile, observed);
  EXPECT_THAT(plan.warnings,
              testing::Contains(testing::Field(&api::FieldWarning::text,
                                               HasSubstr("is newer than the API server, 1.36"))));
}

}  // namespace
}  // namespace berth::controllers
