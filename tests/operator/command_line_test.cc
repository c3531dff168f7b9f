// SPDX-License-Identifier: Apache-2.0
#include "operator/command_line.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/scheduler_flags.h"
#include "base/file.h"
#include "base/json/json.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "controllers/kube_scheduler_release.h"
#include "controllers/plugin_reference.h"
#include "controllers/render.h"
#include "operator/commands/command.h"
#include "operator/operator_process.h"
#include "scheduler/plugins/registry.h"
#include "tests/operator/berth.h"
#include "tests/support/http/test_certificates.h"

namespace berth::operator_ {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string WithSpec(const std::string& spec) {
  return std::string(kMinimal) + "spec: " + spec + "\n";
}

TEST(CommandLine, WithoutCommandFailsAndSuggestsHelp) {
  const Answer answer = Berth({});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.out, IsEmpty());
  EXPECT_THAT(answer.err, HasSubstr("--help"));
}

// Returns the names of all commands of `berth`.
std::vector<std::string> Commands() {
  std::istringstream in;
  std::ostringstream out;
  Program program{.name = "berth", .version = "berth", .in = in, .out = out, .err = out};
  std::vector<std::string> names;
  for (const CommandMaker make : BerthBinary().commands) names.push_back(make(program).line.name);
  return names;
}

TEST(CommandLine, PrintsHelpOfEachCommandToStandardOutput) {
  for (const std::string& command : Commands()) {
    const Answer answer = Berth({command, "--help"});
    EXPECT_EQ(answer.code, 0) << command;
    EXPECT_THAT(answer.out, HasSubstr("Example")) << command;
    EXPECT_THAT(answer.err, IsEmpty()) << command;
  }
}

TEST(CommandLine, HelpListsEachCommandInOneLineOf80Columns) {
  const std::string help = Berth({"--help"}).out;
  const size_t begin = help.find("\nCommands:\n");
  ASSERT_NE(begin, std::string::npos) << help;
  std::vector<std::string> expected = Commands();
  expected.emplace_back("help");
  std::istringstream lines(help.substr(begin + std::string("\nCommands:\n").size()));
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    EXPECT_THAT(line, testing::MatchesRegex("  [a-z]+ +[A-Z][^.]+\\.")) << "one sentence";
    EXPECT_LE(line.size(), 80U) << line;
    names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  EXPECT_EQ(names, expected);
}

TEST(CommandLine, HelpCommandEqualsHelpFlag) {
  EXPECT_EQ(Berth({"help"}).out, Berth({"--help"}).out);
  for (const std::string& command : Commands()) {
    const Answer answer = Berth({"help", command});
    EXPECT_EQ(answer.code, 0) << command;
    EXPECT_EQ(answer.out, Berth({command, "--help"}).out);
    EXPECT_THAT(answer.err, IsEmpty()) << command;
  }
}

TEST(CommandLine, RejectsUnknownCommandAndNamesTheNearest) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"rendr"}, {"rendr", "-f", "-"}, {"help", "rendr"}}) {
    const Answer answer = Berth(arguments);
    EXPECT_EQ(answer.code, 1);
    EXPECT_EQ(answer.err,
              "error: berth: unknown command \"rendr\"; nearest: render; see `berth --help`\n");
    EXPECT_THAT(answer.out, IsEmpty());
  }
}

TEST(CommandLine, ShowsNoDefaultOfRequiredArguments) {
  EXPECT_THAT(Berth({"weight", "--help"}).out, HasSubstr("WEIGHT INT:INT in [1 - 2147483647] REQ"));
}

TEST(CommandLine, ShowsKubectlNameAsKubectlPlugin) {
  EXPECT_THAT(Berth({"--help"}, "", "/usr/local/bin/kubectl-berth").out,
              HasSubstr("kubectl berth"));
}

TEST(CommandLine, RejectsUnknownFlag) {
  const Answer answer = Berth({"render", "-f", "-", "--nope"}, "", "/usr/bin/kubectl-berth");
  EXPECT_EQ(answer.code, 1);
  EXPECT_EQ(answer.err,
            "error: kubectl berth render: unknown flag \"--nope\"; see `kubectl berth render "
            "--help`\n");
}

// A command that needs no arguments would run, so that each gets an unknown flag.
TEST(CommandLine, ErrorsOfArgumentsHaveOneFormInEveryCommand) {
  for (const std::string& command : Commands()) {
    const Answer answer = Berth({command, "--no-such-flag", "extra"});
    EXPECT_EQ(answer.code, 1) << command;
    EXPECT_EQ(answer.err, "error: berth " + command +
                              ": unknown flag \"--no-such-flag\"; see `berth " + command +
                              " --help`\n");
    EXPECT_THAT(answer.out, IsEmpty()) << command;
  }
}

TEST(CommandLine, FlagWithNothingAfterTheEqualsSignIsEmpty) {
  const Answer plain = Berth({"render", "-f", "-"}, kMinimal);
  const Answer empty = Berth({"render", "--namespace=", "-f", "-"}, kMinimal);
  EXPECT_EQ(empty.code, 0) << empty.err;
  EXPECT_EQ(empty.out, plain.out);
}

TEST(SchedulerFlags, ListEachFlagOfTheCommand) {
  std::istringstream in;
  std::ostringstream out;
  Program program{.name = "berth", .version = "berth", .in = in, .out = out, .err = out};
  size_t flags = 0;
  for (const Flag& flag : SchedulerCommand(program).line.flags) {
    ++flags;
    const std::string name(Split(flag.name, ',').back());
    const auto* const listed =
        std::ranges::find(api::kSchedulerFlags, name.substr(2), &api::SchedulerFlag::name);
    ASSERT_NE(listed, std::end(api::kSchedulerFlags)) << name;
    EXPECT_EQ(listed->range, flag.range) << name;
  }
  EXPECT_EQ(flags, std::size(api::kSchedulerFlags));
}

TEST(Version, CommandAndFlagPrintTheSameLine) {
  const Answer answer = Berth({"--version"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, testing::MatchesRegex("berth [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(Berth({"version"}).out, answer.out);
}

TEST(Render, PrintsObjectsOfProfile) {
  const Answer answer = Berth({"render", "-f", "-"}, kMinimal);
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("kind: Deployment"));
  EXPECT_THAT(answer.out, HasSubstr("name: berth-hello"));
  EXPECT_EQ(answer.err, "");
}

TEST(Render, OpensPortsOfApiServerFlag) {
  const auto ports = [](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"render", "-f", "-"});
    return Berth(flags, kMinimal).out;
  };
  EXPECT_THAT(ports({}), HasSubstr("- port: 443\n      protocol: TCP\n    - port: 6443\n"));
  const std::string told = ports({"--api-server-ports=16443,8443"});
  EXPECT_THAT(told, HasSubstr("- port: 8443\n      protocol: TCP\n    - port: 16443\n"));
  EXPECT_THAT(told, testing::Not(HasSubstr("port: 443\n")));
}

TEST(Render, IsDeterministic) {
  EXPECT_EQ(Berth({"render", "-f", "-"}, kMinimal).out, Berth({"render", "-f", "-"}, kMinimal).out);
}

TEST(Render, PrintsOnlyErrorOfInvalidProfile) {
  const Answer answer =
      Berth({"render", "-f", "-"}, WithSpec("{plugins: {score: {enabled: [{name: Nope}]}}}"));
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.out, IsEmpty());
  EXPECT_THAT(answer.err, HasSubstr("unknown plugin"));
}

TEST(Validate, AcceptsValidProfile) {
  const Answer answer = Berth({"validate", "-f", "-"}, kMinimal);
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out, "schedulerprofile/hello is valid\n");
}

struct BadInput {
  const char* text;
  const char* message;
};

class ValidateRejects : public testing::TestWithParam<BadInput> {};

TEST_P(ValidateRejects, WithMessageThatNamesErrorAndPlace) {
  const Answer answer = Berth({"validate", "-f", "-"}, GetParam().text);
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.out, IsEmpty());
  EXPECT_THAT(answer.err, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Table, ValidateRejects,
    testing::Values(
        BadInput{"a: [", "standard input"}, BadInput{"", "no SchedulerProfile"},
        BadInput{"apiVersion: v1\nkind: Pod\n", "no SchedulerProfile"},
        BadInput{"apiVersion: berth.dev/v1alpha1\nkind: SchedulerProfil\n",
                 "nearest: SchedulerProfile"},
        BadInput{"apiVersion: berth.dev/v1\nkind: SchedulerProfile\n",
                 "allowed: berth.dev/v1alpha1"},
        BadInput{"apiVersion: berth.dev/v1alpha1\nkind: SchedulerProfile\n"
                 "metadata: {name: a}\nspec: {pluginz: {}}\n",
                 "pluginz"},
        BadInput{"apiVersion: berth.dev/v1alpha1\nkind: SchedulerProfile\n"
                 "metadata: {name: default-scheduler}\n",
                 "reserved"},
        BadInput{"apiVersion: berth.dev/v1alpha1\nkind: SchedulerProfile\nmetadata: {name: a}\n"
                 "spec: {plugins: {score: {enabled: [{name: NodeAfinity}]}}}\n",
                 "nearest: NodeAffinity"}));

TEST(Validate, NamesMissingFile) {
  const Answer answer = Berth({"validate", "-f", "no/such/file.yaml"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("no/such/file.yaml"));
}

// Returns the result of `berth validate` for a profile with this spec; `berth render` with the same
// flags must have the same exit code.
Answer Judged(const std::string& spec, std::vector<std::string> flags) {
  std::vector<std::string> arguments = {"validate", "-f", "-"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  Answer answer = Berth(arguments, WithSpec(spec));
  arguments[0] = "render";
  EXPECT_EQ(Berth(arguments, WithSpec(spec)).code, answer.code) << spec;
  return answer;
}

TEST(Validate, AppliesAllowancesOfInstallationFlags) {
  const std::string image = "{engine: {image: 'ours/scheduler:1'}}";
  const Answer rejected = Judged(image, {});
  EXPECT_EQ(rejected.code, 1);
  EXPECT_THAT(rejected.err,
              HasSubstr("error: standard input: spec.engine.image: \"ours/scheduler:1\" is not "
                        "allowed here; allowed: " +
                        controllers::DefaultSchedulerImage() + ", " +
                        Join(controllers::KubeSchedulerImages(), ", ") +
                        " (see --allowed-images of the operator)\n"));
  EXPECT_EQ(Judged(image, {"--allowed-images", "other,ours/*"}).code, 0);
  EXPECT_EQ(Judged(image, {"--allowed-images=other", "--allowed-images=ours/*"}).code, 0);
  EXPECT_EQ(Judged(image, {"--scheduler-image=ours/scheduler:1"}).code, 0);
  EXPECT_EQ(Judged(image, {"--kube-scheduler-image=ours/scheduler:1"}).code, 0);

  const std::string much =
      "{namespace: team, deployment: {podLabels: {a: b}, podAnnotations: {c: d}, "
      "resources: {requests: {cpu: 5}}, priorityClassName: high, env: ["
      "{name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}, "
      "{name: B, valueFrom: {configMapKeyRef: {name: m, key: k}}}]}, "
      "engine: {clusterRoles: [r]}}";
  const Answer all = Judged(much, {});
  for (const char* flag : {"--allowed-namespaces", "--allowed-labels", "--allowed-annotations",
                           "--max-requests", "--allowed-priority-classes", "--allowed-secrets",
                           "--allowed-configmaps", "--allowed-cluster-roles"}) {
    EXPECT_THAT(all.err, HasSubstr(std::string("(see ") + flag + " of the operator)"));
  }
  EXPECT_EQ(
      Judged(much, {"--allowed-namespaces=team", "--allowed-labels=a", "--allowed-annotations=c",
                    "--max-requests=cpu=5", "--allowed-priority-classes=high",
                    "--allowed-secrets=s", "--allowed-configmaps=m", "--allowed-cluster-roles=r"})
          .code,
      0);
}

TEST(Validate, UsesNamespaceOfInstallationByDefault) {
  EXPECT_EQ(Judged("{}", {"--namespace=other"}).code, 0);
  EXPECT_EQ(Judged("{namespace: berth-system}", {}).code, 0);
  const Answer elsewhere = Judged("{namespace: berth-system}", {"--namespace=other"});
  EXPECT_EQ(elsewhere.code, 1);
  EXPECT_THAT(elsewhere.err, HasSubstr("spec.namespace: \"berth-system\" is not allowed here; "
                                       "allowed: other (see --allowed-namespaces"));
  const std::string text = Berth({"render", "--namespace=other", "-f", "-"}, kMinimal).out;
  EXPECT_THAT(text, HasSubstr("  namespace: other\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("berth-system")));
}

TEST(Validate, FlagsAddToTheDefaultNamespaceAndPriorityClass) {
  EXPECT_EQ(Judged("{}", {"--allowed-namespaces=team", "--allowed-priority-classes=high"}).code, 0);
  const Answer other = Judged("{namespace: other}", {"--allowed-namespaces=team"});
  EXPECT_THAT(other.err, HasSubstr("allowed: team, berth-system (see --allowed-namespaces"));
}

TEST(Validate, ReservedNamesFlagReplacesTheDefault) {
  const std::string volcano = "{aliases: [volcano]}";
  EXPECT_THAT(Judged(volcano, {}).err,
              HasSubstr("error: standard input: spec.aliases[0]: Invalid value: \"volcano\": is "
                        "reserved for another scheduler"));
  EXPECT_EQ(Judged(volcano, {"--reserved-names=acme,other"}).code, 0);
  EXPECT_EQ(Judged("{aliases: [other]}", {"--reserved-names=acme,other"}).code, 1);
  EXPECT_EQ(Judged(volcano, {"--reserved-names="}).code, 0);
  EXPECT_EQ(Judged(volcano, {"--reserved-names", ""}).code, 0);
}

TEST(Render, SelectsNodesOfImageArchitecture) {
  const auto rendered = [](const std::string& architecture) {
    return Berth({"render", "--scheduler-architecture=" + architecture, "-f", "-"}, kMinimal).out;
  };
  EXPECT_THAT(rendered("arm64"), HasSubstr("kubernetes.io/arch: arm64\n"));
  EXPECT_THAT(rendered("any"), testing::Not(HasSubstr("kubernetes.io/arch")));
  EXPECT_THAT(rendered("any"), HasSubstr("kubernetes.io/os: linux\n"));
}

TEST(Validate, NamesEachInvalidFlag) {
  const std::pair<const char*, const char*> cases[] = {
      {"--allowed-images=a*b", "--allowed-images: found \"a*b\""},
      {"--allowed-addresses=x", "--allowed-addresses: found \"x\", expected HOST:PORT"},
      {"--max-requests=cpu", "--max-requests: found \"cpu\", expected RESOURCE=AMOUNT"},
      {"--max-requests=cpu=x", "--max-requests: found \"cpu=x\""},
      {"--api-server-ports=443,https", "--api-server-ports: found \"https\", allowed: 1 to 65535"},
      {"--api-server-ports=0", "--api-server-ports: found \"0\""},
      {"--api-server-ports=70000", "--api-server-ports: found \"70000\""}};
  for (const auto& [flag, says] : cases) {
    const Answer answer = Judged("{}", {flag});
    EXPECT_EQ(answer.code, 1) << flag;
    EXPECT_THAT(answer.err, HasSubstr(says));
    EXPECT_THAT(Berth({"operator", flag}).err, HasSubstr(says));
  }
}

TEST(Validate, LimitsSizeOfRenderedConfiguration) {
  std::string spec = "{engine: {image: a}, aliases: [";
  for (int i = 0; i < 32; ++i) spec += "alias-" + std::to_string(i) + ", ";
  spec += "], pluginConfig: [{name: Mine, args: {x: " + std::string(16'000, 'x') + "}}]}";
  const Answer answer = Judged(spec, {"--allowed-images=a"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, testing::ContainsRegex(
                              "the rendered configuration has [0-9]+ bytes, allowed 512000"));
}

TEST(Validate, RejectsVeryLongNamespace) {
  const Answer answer =
      Berth({"validate", "-f", "-"}, WithSpec("{namespace: " + std::string(300'000, 'a') + "}"));
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("must have at most 63 characters, has 300000"));
}

TEST(Plugins, ListsServedAndUnservedPlugins) {
  const Answer answer = Berth({"plugins"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, HasSubstr("NodeResourcesFit"));
  EXPECT_THAT(answer.out, HasSubstr("GangScheduling"));
}

TEST(Plugins, ShowsOnePlugin) {
  const Answer answer = Berth({"plugins", "NodeResourcesFit"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, HasSubstr("scoringStrategy"));
  EXPECT_THAT(Berth({"plugins", "PodGroupPodsCount"}).out,
              HasSubstr("PodGroupPodsCount is a plugin of kube-scheduler, not served by this "
                        "version: in kube-scheduler it needs feature gates that are off by "
                        "default: GenericWorkload and TopologyAwareWorkloadScheduling."));
}

TEST(Plugins, ShowsDescriptionAndExample) {
  const Answer answer = Berth({"plugins", "InterPodAffinity"});
  EXPECT_THAT(answer.out, HasSubstr("\n  hardPodAffinityWeight  <integer>  "));
  EXPECT_THAT(answer.out, HasSubstr(" At least 0. At most 100. Default: 1.\n"));
  EXPECT_THAT(answer.out, HasSubstr("\n  Node (Add, UpdateNodeLabel): a node joined"));
  EXPECT_THAT(answer.out, HasSubstr("\n  berth:namespaces: list, watch namespaces\n"));
  EXPECT_THAT(answer.out, HasSubstr("\n  pluginConfig:\n  - name: InterPodAffinity\n"));
}

TEST(Plugins, ShowsVariablesOfExpressions) {
  const std::string out = Berth({"plugins", "Expressions"}).out;
  EXPECT_THAT(out, HasSubstr("\n  node.metadata: annotations {string: string}, "));
  EXPECT_THAT(out, HasSubstr("isGreaterThan"));
}

TEST(Validate, ShowsPositionInExpression) {
  const Answer answer =
      Berth({"validate", "-f", "-"},
            WithSpec("{pluginConfig: [{name: Expressions, args: {filters: [{expression: "
                     "\"size(pod.metadata.nam) < 5\"}]}}]}"));
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err,
              HasSubstr("spec.pluginConfig[name=Expressions].args.filters[0].expression: "
                        "Invalid value: ERROR: <input>:1:18: undefined field 'nam'; "
                        "nearest: name\n"
                        " | size(pod.metadata.nam) < 5\n"
                        " | .................^"));
}

TEST(Plugins, ShowsMoreColumnsWithWideOutput) {
  const std::string narrow = Berth({"plugins"}).out;
  const std::string wide = Berth({"plugins", "-o", "wide"}).out;
  EXPECT_THAT(narrow, testing::StartsWith("NAME "));
  EXPECT_THAT(narrow, testing::Not(HasSubstr("berth:preemption")));
  EXPECT_THAT(wide, HasSubstr("ORIGIN"));
  EXPECT_THAT(wide, HasSubstr("berth:preemption"));
  EXPECT_THAT(wide, HasSubstr("by removing pods of lower priority.\n"));
}

TEST(Plugins, JsonAndYamlOutputAreEqual) {
  const Answer json = Berth({"plugins", "-o", "json"});
  const Answer yaml = Berth({"plugins", "-o", "yaml"});
  EXPECT_EQ(json.code, 0) << json.err;
  const auto all = json::Decode<controllers::PluginReferences>(json.out, json::Mode::kStrict);
  ASSERT_TRUE(all) << all.error().message();
  EXPECT_EQ(yaml::FromJson(json.out), yaml.out);
  std::vector<std::string> names;
  for (const auto& plugin : all->plugins) {
    if (plugin.served) names.push_back(plugin.name);
    const Answer alone = Berth({"plugins", plugin.name, "-o", "yaml"});
    EXPECT_THAT(alone.out, HasSubstr(plugin.served ? "served: true\n" : "served: false\n"));
  }
  EXPECT_EQ(names, scheduler::MakeRegistry().Names());

  const Answer one = Berth({"plugins", "NodeAffinity", "-o", "json"});
  const auto plugin = json::Decode<controllers::PluginReference>(one.out, json::Mode::kStrict);
  ASSERT_TRUE(plugin) << plugin.error().message();
  EXPECT_EQ(plugin->name, "NodeAffinity");
  EXPECT_EQ(Berth({"plugins", "-o", "table"}).code, 1);
}

TEST(Plugins, SuggestsTheNearestName) {
  const Answer answer = Berth({"plugins", "NodeResourceFit"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("nearest: NodeResourcesFit"));
}

TEST(Operator, RejectsInvalidAddress) {
  const Answer answer = Berth({"operator", "--metrics-bind-address", "nowhere"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("--metrics-bind-address: found \"nowhere\""));
}

TEST(Operator, RejectsMissingKubeconfig) {
  const Answer answer = Berth({"operator", "--kubeconfig", "no/such/kubeconfig"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("no/such/kubeconfig"));
}

TEST(Scheduler, KubeconfigFlagOverridesConfiguration) {
  const http::TestFolder folder;
  const std::string config =
      folder.Write("config.yaml",
                   "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
                   "clientConnection: {kubeconfig: /nowhere/of-the-file}\n");
  const Answer by_file = Berth({"scheduler", "--config", config});
  EXPECT_EQ(by_file.code, 1);
  EXPECT_THAT(by_file.err, HasSubstr("kubeconfig /nowhere/of-the-file: no such file"));
  const Answer by_flag =
      Berth({"scheduler", "--config", config, "--kubeconfig", "/nowhere/of-the-flag"});
  EXPECT_EQ(by_flag.code, 1);
  EXPECT_THAT(by_flag.err, HasSubstr("kubeconfig /nowhere/of-the-flag: no such file"));
}

TEST(Scheduler, UsesKubeconfigOfLastGoodConfiguration) {
  const http::TestFolder folder;
  const std::string config = folder.Write("config.yaml", "kind: [");
  const Answer alone = Berth({"scheduler", "--config", config});
  EXPECT_EQ(alone.code, 1);
  EXPECT_THAT(alone.err, HasSubstr(config)) << "the error is about the file, not the cluster";
  folder.Write("last-good.yaml",
               "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
               "clientConnection: {kubeconfig: /nowhere/last-good}\n");
  EXPECT_THAT(Berth({"scheduler", "--config", config}).err, HasSubstr("/nowhere/last-good"));
}

TEST(Scheduler, RejectsInvalidSidecarPorts) {
  for (const char* wrong : {"0", "65536", "a", "80 "}) {
    const Answer answer = Berth(
        {"scheduler", "--config-map", "a/b", "--sidecar-ports=" + std::string("8888,") + wrong});
    EXPECT_EQ(answer.code, 1) << wrong;
    EXPECT_THAT(answer.err, HasSubstr("--sidecar-ports: found \"")) << wrong;
  }
}

TEST(ParseBindAddress, AcceptsControllerRuntimeAddresses) {
  EXPECT_FALSE(ParseBindAddress("f", "0")->has_value());
  EXPECT_EQ((*ParseBindAddress("f", ":8080"))->address, "::");
  EXPECT_EQ((*ParseBindAddress("f", ":8080"))->port, 8080);
  EXPECT_EQ((*ParseBindAddress("f", "[::1]:80"))->address, "::1");
  for (const char* wrong : {"", "8080", ":", ":x", ":70000", "a:1b"}) {
    EXPECT_FALSE(ParseBindAddress("f", wrong).has_value()) << wrong;
  }
}

}  // namespace
}  // namespace berth::operator_
