// SPDX-License-Identifier: Apache-2.0
// `berth validate` and `berth render` of files and folders.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/strings.h"
#include "tests/operator/berth.h"

namespace berth::operator_ {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// A test with a temporary folder of profiles.
class ProfileFolder : public testing::Test {
 protected:
  ProfileFolder()
      : root_(std::filesystem::path(testing::TempDir()) /
              ("berth_profiles_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_ / "below");
  }
  ~ProfileFolder() override { std::filesystem::remove_all(root_); }

  std::string Put(const std::string& name, const std::string& text) {
    EXPECT_TRUE(WriteFile((root_ / name).string(), text).has_value());
    return (root_ / name).string();
  }
  static std::string Profile(const std::string& name, const std::string& spec = "{}") {
    return "apiVersion: berth.dev/v1alpha1\nkind: SchedulerProfile\nmetadata: {name: " + name +
           "}\nspec: " + spec + "\n";
  }

  const std::filesystem::path root_;
};

TEST_F(ProfileFolder, ReadsProfilesInOrderOfFileNames) {
  Put("b.yml", Profile("second"));
  Put("a.yaml", Profile("first"));
  Put("c.json", R"({"apiVersion":"v1","kind":"Pod"})");
  Put("notes.txt", "no: profile");
  Put("below/d.yaml", Profile("third"));
  const Answer answer = Berth({"validate", "-f", root_.string()});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out, "schedulerprofile/first is valid\nschedulerprofile/second is valid\n");
  EXPECT_THAT(Berth({"validate", "-R", "-f", root_.string()}).out,
              HasSubstr("schedulerprofile/third is valid\n"));
}

TEST_F(ProfileFolder, ReadsItemsOfLists) {
  const std::string item =
      "apiVersion: berth.dev/v1alpha1, kind: SchedulerProfile, metadata: {name: ";
  const std::string list =
      Put("a.yaml", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod}\n- {" +
                        item + "a}}\n- {" + item + "b}, spec: {engine: {type: X}}}\n");
  Put("b.yaml",
      "apiVersion: berth.dev/v1alpha1\nkind: SchedulerProfileList\nitems: [{metadata: {name: "
      "c}}, {apiVersion: v1, kind: List, items: [{" +
          item + "d}, spec: 1}]}]\n");
  for (const bool recursive : {false, true}) {
    std::vector<std::string> arguments = {"validate", "-f", root_.string()};
    if (recursive) arguments.emplace_back("-R");
    const Answer answer = Berth(arguments);
    EXPECT_EQ(answer.code, 1);
    EXPECT_EQ(answer.out, "schedulerprofile/a is valid\nschedulerprofile/c is valid\n");
    EXPECT_THAT(answer.err,
                testing::AllOf(HasSubstr("error: " + list +
                                         ": items[2]: spec.engine.type: Unsupported value: \"X\""),
                               HasSubstr(": items[1].items[0]: spec: Invalid value: 1"),
                               HasSubstr("skipped 1 document ")));
  }
  const auto report = nlohmann::json::parse(Berth({"validate", "-f", list, "-o", "json"}).out);
  ASSERT_EQ(report["findings"].size(), 1U);
  EXPECT_EQ(report["findings"][0]["path"], "items[2].spec.engine.type");
}

TEST_F(ProfileFolder, ListsWithoutProfilesAreSkipped) {
  for (const char* items : {"[]", "[{apiVersion: v1, kind: Pod}]"}) {
    const Answer answer = Berth({"validate", "-f", "-"},
                                std::string("apiVersion: v1\nkind: List\nitems: ") + items + "\n");
    EXPECT_EQ(answer.code, 1);
    EXPECT_THAT(answer.err, HasSubstr("no SchedulerProfile in it"));
  }
}

TEST_F(ProfileFolder, ReadsTheListThatConvertPrints) {
  const Answer converted =
      Berth({"convert", "-f", "-", "-o", "json"}, "{kind: Policy, apiVersion: v1, predicates: []}");
  ASSERT_EQ(converted.code, 0) << converted.err;
  const Answer answer = Berth({"validate", "-f", "-"}, converted.out);
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr(" is valid\n"));
}

TEST_F(ProfileFolder, SkipsPipes) {
  Put("a.yaml", Profile("first"));
  ASSERT_EQ(::mkfifo((root_ / "b.yaml").c_str(), 0600), 0);
  std::filesystem::create_symlink(root_ / "a.yaml", root_ / "c.yaml");
  const Answer answer = Berth({"validate", "-f", root_.string()});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out, "schedulerprofile/first is valid\n");
}

TEST_F(ProfileFolder, EmptyFolderIsErrorThatSuggestsRecursion) {
  Put("below/d.yaml", Profile("third"));
  const Answer answer = Berth({"validate", "-f", root_.string()});
  EXPECT_EQ(answer.code, 1);
  EXPECT_EQ(answer.err, "error: " + root_.string() +
                            ": no SchedulerProfile in its .yaml, .yml and .json files; -R "
                            "includes subfolders\n");
}

TEST_F(ProfileFolder, NamesFileOfEachErrorAndChecksOtherFiles) {
  const std::string broken = Put("a.yaml", "kind: SchedulerProfile\na: [");
  const std::string invalid = Put("b.yaml", Profile("b", "{engine: {type: X}}"));
  Put("c.yaml", Profile("c"));
  const Answer answer = Berth({"validate", "-f", root_.string()});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("error: " + broken + ": line 2"));
  EXPECT_THAT(answer.err, HasSubstr("error: " + invalid + ": spec.engine.type: Unsupported value"));
  EXPECT_EQ(answer.out, "schedulerprofile/c is valid\n");
}

TEST_F(ProfileFolder, RendersAllProfilesOrNone) {
  Put("a.yaml", Profile("first"));
  EXPECT_THAT(Berth({"render", "-f", root_.string()}).out, HasSubstr("name: berth-first"));
  Put("b.yaml", Profile("second", "{engine: {type: X}}"));
  const Answer answer = Berth({"render", "-f", root_.string()});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.out, IsEmpty());
}

TEST_F(ProfileFolder, ReportsAllMistakesOfFileAtOnce) {
  const std::string file =
      Put("a.yaml", Profile("a_b",
                            "{engin: {}, plugins: {filer: {}}, logging: {verbosity: high}, "
                            "deployment: {replicas: 40, env: [{name: LD_X, valu: x}], "
                            "sidecars: [{name: s, image: i, port: x}]}}"));
  const Answer answer = Berth({"validate", "-f", file});
  EXPECT_EQ(answer.code, 1);
  std::vector<std::string> begins;
  for (const char* error :
       {"spec.deployment.env[name=LD_X].valu: Forbidden: unknown field; nearest: value",
        "spec.deployment.sidecars[name=s].port: Invalid value: \"x\": expected an integer, found a "
        "string",
        "spec.engin: Forbidden: unknown field; nearest: engine",
        "spec.logging.verbosity: Invalid value: \"high\": expected an integer",
        "spec.plugins.filer: Forbidden: unknown field; nearest: filter",
        "spec.deployment.replicas: Invalid value: 40: must be from 1 to 16",
        "metadata.name: Invalid value: \"a_b\": metadata.name is the scheduler name of pods",
        "spec.deployment.env[name=LD_X].name: Invalid value: \"LD_X\": variables",
        "spec.deployment.sidecars[name=s].image: \"i\" is not allowed here"}) {
    begins.push_back("error: " + file + ": " + error);
  }
  std::vector<std::string> errors;
  std::istringstream lines(answer.err);
  for (std::string line; std::getline(lines, line);) errors.push_back(line);
  ASSERT_EQ(errors.size(), begins.size()) << answer.err;
  for (size_t i = 0; i < begins.size(); ++i) {
    EXPECT_THAT(errors[i], testing::StartsWith(begins[i]));
  }
}

TEST_F(ProfileFolder, RejectsNamesOfOtherDocuments) {
  const std::string a = Put("a.yaml", Profile("a", "{aliases: [old]}") + "---\n" + Profile("b"));
  const std::string b = Put("b.yaml", Profile("b", "{aliases: [c, old]}"));
  const std::string c = Put("c.yaml", Profile("c"));
  const std::string errors =
      "error: " + b +
      ": metadata.name: Duplicate value: \"b\": it is also metadata.name of "
      "SchedulerProfile b in " +
      a +
      ": document 2\n"
      "error: " +
      b +
      ": spec.aliases[1]: Duplicate value: \"old\": it is also spec.aliases[0] of "
      "SchedulerProfile a in " +
      a +
      ": document 1\n"
      "error: " +
      c +
      ": metadata.name: Duplicate value: \"c\": it is also spec.aliases[0] of "
      "SchedulerProfile b in " +
      b + "\n";
  const Answer answer = Berth({"validate", "-f", root_.string()});
  EXPECT_EQ(answer.code, 1);
  EXPECT_EQ(answer.err, errors);
  EXPECT_EQ(answer.out, "schedulerprofile/a is valid\nschedulerprofile/b is valid\n");
  const Answer rendered = Berth({"render", "-f", root_.string()});
  EXPECT_EQ(rendered.code, 1);
  EXPECT_EQ(rendered.err, errors);
  EXPECT_THAT(rendered.out, IsEmpty());
}

TEST_F(ProfileFolder, ReadsFileNamedTwiceOnce) {
  const std::string a = Put("a.yaml", Profile("a"));
  const Answer answer = Berth({"validate", "-f", a, "-f", root_.string(), "-f", a});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out, "schedulerprofile/a is valid\n");
}

TEST_F(ProfileFolder, SkipsWhatIsNoProfileAndCountsIt) {
  Put("a.yaml", Profile("a"));
  Put("prometheus.yml", "global: {scrape_interval: 5s}\n");
  Put("values.yaml", "- a\n- b\n");
  Put("below/template.yaml", "{{ if .Values.x }}\na: [\n{{ end }}\n");
  Put("below/kustomization.yaml", "kind: Kustomization\nresources: [a.yaml]\n");
  Put("below/others.yaml",
      "apiVersion: v1\nkind: Pod\n---\nkind: SchedulerProfil\n"
      "apiVersion: example.com/v1\n");
  const Answer answer = Berth({"validate", "-R", "-f", root_.string()});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.out, "schedulerprofile/a is valid\n");
  EXPECT_EQ(answer.err, "note: skipped 6 documents that are no SchedulerProfile\n");
  EXPECT_EQ(Berth({"render", "-R", "-f", root_.string()}).code, 0);
}

TEST_F(ProfileFolder, RejectsNamedFileAndOurOwnKindsThatAreNoProfile) {
  const std::string prometheus = Put("below/prometheus.yml", "global: {}\n");
  EXPECT_EQ(Berth({"validate", "-f", prometheus}).err,
            "error: " + prometheus + ": kind: Required value\n");
  for (const char* ours :
       {"apiVersion: berth.dev/v1alpha1\n", "kind: SchedulerProfile\n",
        "apiVersion: berth.dev/v1alpha1\nkind: SchedulerProfil\n",
        "apiVersion: berth.dev/v1\nkind: SchedulerProfile\n", "kind: SchedulerProfile\na: [\n"}) {
    const std::string file = Put("a.yaml", ours);
    const Answer answer = Berth({"validate", "-f", root_.string()});
    EXPECT_EQ(answer.code, 1) << ours;
    EXPECT_THAT(answer.err, testing::StartsWith("error: " + file + ": ")) << ours;
  }
}

TEST_F(ProfileFolder, PrintsFindingsForPrograms) {
  const std::string a = Put("a.yaml", Profile("a", "{deployment: {replicas: 40}, engin: {}}") +
                                          "---\n" + Profile("b", "{engine: {image: x}}"));
  const std::string b = Put("b.yaml", Profile("c", "{pluginConfig: [{name: Coscheduling}]}"));
  const std::string c = Put("c.yaml", "kind: SchedulerProfile\na: [");
  Put("d.yaml", "kind: Pod\n");
  const Answer answer = Berth({"validate", "-f", root_.string(), "-o", "json"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, IsEmpty());
  auto document = nlohmann::json::parse(answer.out);
  std::vector<std::string> findings;
  for (const auto& finding : document["findings"]) {
    findings.push_back(
        finding["severity"].get<std::string>() + "|" + finding["file"].get<std::string>() + "|" +
        std::to_string(finding.value("document", 0)) + "|" + finding.value("path", "") + "|" +
        (finding.contains("value") ? finding["value"].dump() : "") + "|" +
        finding["message"].get<std::string>().substr(0, 30));
  }
  EXPECT_THAT(findings,
              testing::ElementsAre(
                  "error|" + a + "|1|spec.engin||Forbidden: unknown field; near",
                  "error|" + a + "|1|spec.deployment.replicas|40|Invalid value: must be from 1 ",
                  "error|" + a + "|2|spec.engine.image|\"x\"|is not allowed here; allowed: ",
                  "warning|" + b +
                      "|1|spec.pluginConfig[name=Coscheduling]||the arguments have no effect: ",
                  testing::StartsWith("error|" + c + "|0||")));
  EXPECT_EQ(document["skipped"], 1);
  ASSERT_EQ(document["profiles"].size(), 3U);
  EXPECT_EQ(document["profiles"][2],
            (nlohmann::json{{"file", b}, {"document", 1}, {"name", "c"}, {"valid", true}}));
  EXPECT_EQ(document["profiles"][0]["valid"], false);

  const Answer valid = Berth({"validate", "-f", "-", "-o", "yaml"}, kMinimal);
  EXPECT_EQ(valid.code, 0);
  EXPECT_THAT(valid.out, testing::StartsWith("findings: []\nprofiles:\n- document: 1\n"));
}

TEST(Render, PrintsListOrNames) {
  const Answer names = Berth({"render", "-f", "-", "-o", "name"}, kMinimal);
  EXPECT_THAT(names.out, testing::StartsWith("serviceaccount/berth-hello\n"));
  EXPECT_THAT(names.out, testing::EndsWith("\ndeployment.apps/berth-hello\n"));
  const auto list = nlohmann::json::parse(Berth({"render", "-f", "-", "-o", "json"}, kMinimal).out);
  EXPECT_EQ(list["kind"], "List");
  const auto count = std::ranges::count(names.out, '\n');
  EXPECT_EQ(list["items"].size(), static_cast<size_t>(count));
  EXPECT_EQ(list["items"].back()["kind"], "Deployment");
}

}  // namespace
}  // namespace berth::operator_
