// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "tests/operator/berth.h"
#include "tests/support/documents/typed_command.h"
#include "tests/support/http/test_certificates.h"

namespace berth::operator_ {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::string kInputs = "tests/convert/inputs/";

TEST(ConvertCommand, PrintsValidProfile) {
  const Answer converted = Berth({"convert", "-f", kInputs + "qos-by-hand.yaml"});
  EXPECT_EQ(converted.code, 0) << converted.err;
  EXPECT_THAT(converted.err, HasSubstr("\nschedulerprofile/qos-scheduler is valid\n"));
  const Answer validated = Berth({"validate", "-f", "-"}, converted.out);
  EXPECT_EQ(validated.code, 0) << validated.err;
  EXPECT_EQ(validated.out, "schedulerprofile/qos-scheduler is valid\n");
}

TEST(ConvertCommand, ReportsRequiredAllowances) {
  const Answer converted = Berth({"convert", "-f", kInputs + "networktraffic-by-hand.yaml"});
  EXPECT_EQ(converted.code, 0) << converted.err;
  EXPECT_THAT(converted.out, HasSubstr("- name: NetworkTraffic\n"));
  EXPECT_THAT(converted.out, HasSubstr("address: prometheus.kube-system.svc:9090\n"));
  EXPECT_THAT(converted.out, Not(HasSubstr("image:"))) << "the plugin is built in";
  const Answer validated =
      Berth({"validate", "-f", "-", "--allowed-addresses=prometheus.kube-system.svc:9090"},
            converted.out);
  EXPECT_EQ(validated.code, 0) << validated.err;
}

TEST(ConvertCommand, PrintsInvalidProfileAndFails) {
  const Answer converted = Berth({"convert", "-f", kInputs + "policy.json"});
  EXPECT_EQ(converted.code, 1) << converted.err;
  EXPECT_THAT(converted.out,
              StartsWith("# Fill in spec.deployment.sidecars[name=extender].image: the program "
                         "that serves http://localhost/scheduler.\n"));
  EXPECT_THAT(
      converted.err,
      HasSubstr("error: schedulerprofile/policy: spec.deployment.sidecars[name=extender].image: "
                "Required value: fill in image"));
  EXPECT_THAT(converted.out, HasSubstr("\nmetadata:\n  name: policy\n"));
  const Answer unknown = Berth(
      {"convert", "-f", "-"},
      "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration, profiles: "
      "[{schedulerName: mine, plugins: {score: {enabled: [{name: Mine}]}}}]}");
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.out, HasSubstr("- name: Mine\n"));
  EXPECT_THAT(unknown.err, HasSubstr("error: schedulerprofile/mine: "
                                     "spec.plugins.score.enabled[name=Mine]: Invalid value"));
}

TEST(ConvertCommand, ShowsLineOfSyntaxError) {
  const Answer answer = Berth({"convert", "-f", kInputs + "policy-missing-comma.json"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.out, IsEmpty());
  EXPECT_EQ(answer.err,
            "error: " + kInputs +
                "policy-missing-comma.json: line 27, column 7: expected \",\" or \"}\", "
                "found \"httpTimeout\"\n"
                "    26 |       \"nodeCacheCapable\": false\n"
                "    27 |       \"httpTimeout\": 10000000000\n"
                "       |       ^\n");
}

struct Line {
  std::string source;
  std::string result;
  std::string outcome;
  std::string reason;
  static auto Fields() {
    return json::Object(json::Field("source", &Line::source), json::Field("result", &Line::result),
                        json::Field("outcome", &Line::outcome),
                        json::Field("reason", &Line::reason));
  }
};

struct Output {
  std::string api_version;
  std::string kind;
  std::vector<json::Raw> items;
  std::vector<Line> report;
  static auto Fields() {
    return json::Object(json::Field("apiVersion", &Output::api_version),
                        json::Field("kind", &Output::kind), json::Field("items", &Output::items),
                        json::Field("report", &Output::report));
  }
};

TEST(ConvertCommand, PrintsListWithReportAsJson) {
  const Answer answer =
      Berth({"convert", "-f", "-", "-o", "json", "--name", "mine", "--namespace", "elsewhere"},
            "{kind: Policy, predicates: [], priorities: [{name: EqualPriority, weight: 1}]}");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto output = json::Decode<Output>(answer.out, json::Mode::kStrict);
  ASSERT_TRUE(output) << output.error().message();
  EXPECT_EQ(output->kind, "List");
  ASSERT_EQ(output->items.size(), 1U);
  const auto profile =
      json::Decode<crds::SchedulerProfile>(output->items[0].text, json::Mode::kStrict);
  ASSERT_TRUE(profile) << profile.error().message();
  EXPECT_EQ(profile->metadata.name, "mine");
  EXPECT_EQ(profile->spec.namespace_, "elsewhere");
  const auto equal =
      std::ranges::find(output->report, "priorities[name=EqualPriority]", &Line::source);
  ASSERT_NE(equal, output->report.end());
  EXPECT_EQ(equal->outcome, "dropped");
  EXPECT_THAT(equal->reason, StartsWith("it gave all nodes the same score"));
}

TEST(ConvertCommand, SeparatesProfilesOfOneFile) {
  const Answer answer = Berth(
      {"convert", "-f", "-"},
      "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration, profiles: "
      "[{schedulerName: a}, {schedulerName: b, percentageOfNodesToScore: 5}]}");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("\n---\napiVersion: berth.dev/v1alpha1\n"));
  EXPECT_EQ(Berth({"validate", "-f", "-"}, answer.out).out,
            "schedulerprofile/a is valid\nschedulerprofile/b is valid\n");
}

// Page runs the commands of a page in a folder of its own and compares their output with the page.
class Page {
 public:
  void Type(const TypedCommand& command) {
    const auto words = Split(command.line, ' ');
    if (words[0] == "cat") {
      Cat(std::string(words[1]), command.Text());
    } else {
      Convert({words.begin() + 1, words.end()}, command);
    }
  }
  int commands() const { return commands_; }

 private:
  // `cat` of an existing file shows it; of a new file it defines its content.
  void Cat(const std::string& file, const std::string& shown) {
    const std::string path = PathOf(file);
    if (const auto there = ReadFile(path)) {
      EXPECT_EQ(*there, shown) << file;
    } else {
      EXPECT_TRUE(WriteFile(path, shown));
    }
  }

  void Convert(const std::vector<std::string_view>& words, const TypedCommand& command) {
    ++commands_;
    std::vector<std::string> arguments;
    for (const std::string_view word : words) {
      const bool is_file = word.find(".json") != word.npos || word.find(".txt") != word.npos;
      arguments.push_back(is_file ? PathOf(std::string(word)) : std::string(word));
    }
    const Answer answer = Berth(arguments);
    std::string printed = answer.out + answer.err;
    for (size_t at; (at = printed.find(PathOf(""))) != printed.npos;) {
      printed.erase(at, PathOf("").size());
    }
    EXPECT_EQ(printed, command.Text()) << command.line;
  }

  std::string PathOf(const std::string& file) const { return folder_.Path(file); }

  const http::TestFolder folder_;
  int commands_ = 0;
};

TEST(ConvertCommand, OutputMatchesDocumentation) {
  const auto text = ReadFile("docs/converting.md");
  ASSERT_TRUE(text) << text.error().message();
  Page page;
  for (const TypedCommand& command : AllCommandsOf(*text)) page.Type(command);
  EXPECT_EQ(page.commands(), 3);
}

TEST(ConvertCommand, NamesPrintNoLinesOfTheirOwn) {
  const Answer answer = Berth(
      {"convert", "-f", "-"},
      R"({"kind": "Policy", "apiVersion": "v1", "a\nexact fake": 1, "predicates": [], "extenders":
          [{"urlPrefix": "http://localhost:1/\nfake: true", "a\nexact fake": 1}]})");
  for (const std::string* text : {&answer.out, &answer.err}) {
    EXPECT_THAT(*text, testing::Not(HasSubstr("\nfake"))) << *text;
    EXPECT_THAT(*text, testing::Not(HasSubstr("\nexact fake"))) << *text;
  }
  EXPECT_THAT(answer.err, HasSubstr(R"(dropped      ["a\nexact fake"]: unknown field)"));
}

}  // namespace
}  // namespace berth::operator_
