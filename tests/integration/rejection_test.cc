// SPDX-License-Identifier: Apache-2.0
// Invalid input: its error text, the place of the error, and the exit code.
#include <fstream>
#include <regex>

#include "api/kubernetes_version.h"
#include "base/file.h"
#include "base/yaml/yaml.h"
#include "tests/integration/harness/profile_fixture.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

// BadInput is an invalid profile with the error of the API server at apply and the error of `berth
// validate` without a server.
struct BadInput {
  std::string title;
  std::string profile;  // its name
  Json spec;
  std::string at_apply;
  std::string offline;
};

Json Enabled(const std::string& point, const std::string& plugin) {
  return {{"plugins", {{point, {{"enabled", {{{"name", plugin}}}}}}}}};
}

// The examples of tests/crds, one for each CEL rule.
void AddRuleExamples(std::vector<BadInput>& errors) {
  const auto text = ReadFile("tests/crds/rule_examples.yaml");
  const auto examples = yaml::ToJson(text.value_or(""));
  EXPECT_TRUE(examples.has_value());
  const Json document = Json::parse(examples.value_or("{}"));
  for (const Json& example : document.at("broken")) {
    const Json& profile = example["profile"];
    errors.push_back({example["says"], profile["metadata"]["name"],
                      profile.value("spec", Json::object()), example["says"],
                      example.value("offline", example["says"].get<std::string>())});
  }
}

std::vector<BadInput> Errors() {
  std::vector<BadInput> errors = {
      {"an unknown plugin", "bad", Enabled("score", "NodeAfinity"),
       "spec.plugins.score.enabled[name=NodeAfinity]: unknown plugin; nearest: NodeAffinity",
       "spec.plugins.score.enabled[name=NodeAfinity]: Invalid value: \"NodeAfinity\": unknown "
       "plugin; nearest: NodeAffinity"},
      {"a plugin at a point it does not implement", "bad", Enabled("score", "NodeName"),
       "spec.plugins.score.enabled[name=NodeName]: does not implement score; it implements ",
       "spec.plugins.score.enabled[name=NodeName]: Invalid value: \"NodeName\": does not implement "
       "score; it implements "},
      {"a plugin that is not served", "bad", Enabled("multiPoint", "DeferredPodScheduling"),
       "spec.plugins.multiPoint.enabled[name=DeferredPodScheduling]: not served by this version: "
       "in "
       "kube-scheduler it needs feature gates that are off by default: "
       "InPlacePodVerticalScalingSchedulerPreemption",
       "spec.plugins.multiPoint.enabled[name=DeferredPodScheduling]: Invalid value: "
       "\"DeferredPodScheduling\": not served by this version: in kube-scheduler it needs "},
      {"arguments that a plugin does not take",
       "bad",
       {{"pluginConfig", {{{"name", "Expressions"}, {"args", {{"filter", Json::array()}}}}}}},
       "spec.pluginConfig[name=Expressions].args.filter: unknown field",
       "spec.pluginConfig[name=Expressions].args"},
      {"an object of a list that lacks a field",
       "bad",
       {{"pluginConfig",
         {{{"name", "Expressions"}, {"args", {{"filters", {{{"message", "no"}}}}}}}}}},
       "spec.pluginConfig[name=Expressions].args.filters[].expression: required",
       "spec.pluginConfig[name=Expressions].args"},
      {"two queue sorts",
       "bad",
       {{"plugins",
         {{"queueSort", {{"enabled", {{{"name", "PrioritySort"}}, {{"name", "Other"}}}}}}}}},
       "spec.plugins: Invalid value: only one queue sort plugin can be enabled",
       "spec.plugins.queueSort.enabled: Invalid value: "
       "[{\"name\":\"PrioritySort\"},{\"name\":\"Other\"}]: only one queue sort plugin can be "
       "enabled"},
      {"a malformed name", "Bad_Name", Json::object(), "metadata.name",
       "metadata.name: Invalid value: \"Bad_Name\": metadata.name is the scheduler name of pods"},
      {"the name of the cluster's own scheduler", "default-scheduler", Json::object(),
       "default-scheduler is reserved for the cluster's own scheduler",
       "metadata.name: Invalid value: \"default-scheduler\": default-scheduler is reserved for the "
       "cluster's own scheduler"},
      {"that name as an alias",
       "bad",
       {{"aliases", {"default-scheduler"}}},
       "default-scheduler is reserved for the cluster's own scheduler",
       "spec.aliases[0]: Invalid value: \"default-scheduler\": default-scheduler is reserved"},
      {"replicas without election",
       "bad",
       {{"deployment", {{"replicas", 2}}}, {"leaderElection", {{"leaderElect", false}}}},
       "leaderElection.leaderElect must be true with more than one replica",
       "leaderElection.leaderElect must be true with more than one replica"},
      {"an unknown field",
       "bad",
       {{"pluginz", Json::object()}},
       "unknown field \"spec.pluginz\"",
       "spec.pluginz: Forbidden: unknown field; nearest: plugins"},
      {"a number out of bounds",
       "bad",
       {{"percentageOfNodesToScore", 101}},
       "spec.percentageOfNodesToScore: Invalid value: 101",
       "spec.percentageOfNodesToScore: Invalid value: 101"},
      {"a negative amount, as a number",
       "bad",
       {{"deployment", {{"resources", {{"requests", {{"cpu", -1}}}}}}}},
       "spec.deployment.resources.requests.cpu in body should be greater than or equal to 0",
       "spec.deployment.resources.requests[cpu]: Invalid value: \"-1\": must be greater than or "
       "equal to 0"},
      {"a negative amount, as text",
       "bad",
       {{"deployment", {{"resources", {{"limits", {{"cpu", "-1m"}}}}}}}},
       "spec.deployment.resources.limits.cpu in body should match",
       "spec.deployment.resources.limits[cpu]: Invalid value: \"-1m\": must be greater than or "
       "equal to 0"},
      {"an image that is not a reference",
       "bad",
       {{"engine", {{"image", "my image"}}}},
       "spec.engine.image in body should match",
       "spec.engine.image: Invalid value: \"my image\": must match"},
      {"a priority class that is not a name",
       "bad",
       {{"deployment", {{"priorityClassName", "High Priority"}}}},
       "spec.deployment.priorityClassName in body should match",
       "spec.deployment.priorityClassName: Invalid value: \"High Priority\": must match"},
      {"a variable that cannot be set",
       "bad",
       {{"deployment", {{"env", {{{"name", "A=B"}}}}}}},
       "spec.deployment.env[0].name in body should match",
       "spec.deployment.env[name=A=B].name: Invalid value: \"A=B\": must match"},
  };
  AddRuleExamples(errors);
  return errors;
}

ProcessOutcome Berth(Arguments arguments, const std::string& input = {}) {
  arguments.insert(arguments.begin(), BerthBinary());
  return Run(arguments, input);
}

testing::AssertionResult Rejected(const ProcessOutcome& outcome,
                                  const std::vector<std::string>& parts) {
  const auto failure = [&] {
    return testing::AssertionFailure() << "exit code " << outcome.exit_code << ", out:\n"
                                       << outcome.out << "\nerr:\n"
                                       << outcome.err << "\n";
  };
  if (outcome.exit_code != 1) return failure() << "expected exit code 1";
  for (const std::string& part : parts) {
    if (outcome.err.find(part) == std::string::npos) return failure() << "expected: " << part;
  }
  return testing::AssertionSuccess();
}

class Rejection : public ProfileTest {
 protected:
  // Creates a file for a program to read.
  std::string FileWith(const std::string& name, const std::string& text) {
    const auto path = cluster_.control_plane().folder() / name;
    std::ofstream(path) << text;
    return path;
  }
  std::string AdminKubeconfig() { return cluster_.control_plane().admin_kubeconfig(); }
};

// Removes the value from "Invalid value: VALUE: MESSAGE" and "Invalid value: VALUE".
std::string WithoutValue(const std::string& text) {
  static const std::regex kValue(R"((Invalid value: )("[^"]*"|[0-9]+)(: )?)");
  return std::regex_replace(text, kValue, "$1");
}

TEST_F(Rejection, ApiServerRejectsAnInvalidProfileAtApply) {
  NEEDS_KUBECTL();
  // An API server before 1.35 prints the type instead of the value that violates a rule.
  const bool shows_values = cluster_.control_plane().Version() >= api::KubernetesVersion{1, 35};
  for (const BadInput& error : Errors()) {
    SCOPED_TRACE(error.title);
    ProcessOutcome outcome = cluster_.control_plane().Kubectl(
        {"apply", "-f", "-"}, ManifestOf(error.profile, error.spec));
    std::string expected = error.at_apply;
    if (!shows_values) {
      outcome.err = WithoutValue(outcome.err);
      expected = WithoutValue(expected);
    }
    EXPECT_TRUE(Rejected(outcome, {expected}));
  }
  EXPECT_TRUE(cluster_.Get("sprof", "bad").is_null());
}

TEST_F(Rejection, ValidateRejectsTheSameWithoutAServer) {
  for (const BadInput& error : Errors()) {
    SCOPED_TRACE(error.title);
    const ProcessOutcome outcome =
        Berth({"validate", "-f", "-"}, ManifestOf(error.profile, error.spec));
    EXPECT_TRUE(Rejected(outcome, {"standard input", error.offline}));
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(Berth({"validate", "-f", "-"}, ManifestOf("good", Json::object())).exit_code, 0);
}

TEST_F(Rejection, NamespaceOfAProfileIsImmutable) {
  NEEDS_KUBECTL();
  const auto move_to = [this](const char* profile, const char* ns) {
    const std::string patch = std::string(R"({"spec":{"namespace":)") + ns + "}}";
    return cluster_.control_plane().Kubectl(
        {"patch", "sprof", profile, "--type=merge", "-p", patch});
  };
  CreateProfile("immutable", {{"namespace", kNamespace}});
  EXPECT_TRUE(
      Rejected(move_to("immutable", "\"default\""), {"spec.namespace", "field is immutable"}));
  const char* const stays = "namespace can be neither added nor taken away";
  EXPECT_TRUE(Rejected(move_to("immutable", "null"), {stays}));
  CreateProfile("homeless");
  EXPECT_TRUE(Rejected(move_to("homeless", "\"berth-system\""), {stays}));
}

TEST_F(Rejection, OperatorExitsIfItCannotReadItsOwnPod) {
  const ProcessOutcome outcome = integration::Run(
      {BerthBinary(), "operator", "--kubeconfig", cluster_.control_plane().admin_kubeconfig(),
       "--metrics-bind-address=0", "--health-probe-bind-address=0"},
      "", {{"POD_NAME", "lost"}, {"POD_NAMESPACE", kNamespace}});
  EXPECT_TRUE(
      Rejected(outcome, {"read Pod berth-system/lost, whose image is the default of schedulers "
                         "without --scheduler-image: pods \"lost\" not found"}));
}

TEST_F(Rejection, ExpressionErrorShowsThePosition) {
  const Json bad = {
      {"plugins", {{"multiPoint", {{"enabled", {{{"name", "Expressions"}}}}}}}},
      {"pluginConfig",
       {{{"name", "Expressions"},
         {"args", {{"filters", {{{"expression", "size(pod.metadata.nam) < 5"}}}}}}}}}};
  const std::string says =
      "spec.pluginConfig[name=Expressions].args.filters[0].expression: Invalid value: "
      "ERROR: <input>:1:18: undefined field 'nam'; nearest: name\n"
      " | size(pod.metadata.nam) < 5\n"
      " | .................^";
  EXPECT_TRUE(Rejected(Berth({"validate", "-f", "-"}, ManifestOf("expression", bad)), {says}));
  CreateProfile("expression");
  PatchSpec("expression", bad);
  EXPECT_TRUE(EventuallyHas("expression", "Valid", "False", "InvalidArgs"));
  const std::string message = Condition(Profile("expression"), "Valid").value("message", "");
  EXPECT_NE(message.find(says), std::string::npos) << message;
}

TEST_F(Rejection, StatusReportsInvalidPluginArguments) {
  CreateProfile("args");
  AddNode("args-1", "4");
  SchedulerProcess scheduler(cluster_, "args");
  EXPECT_TRUE(EventuallyApplied("args"));
  const std::string good = Rendered("args", "scheduler-config.yaml");

  const Json bad = {
      {"pluginConfig",
       {{{"name", "NodeResourcesFit"}, {"args", {{"scoringStrategy", {{"type", "Most"}}}}}}}}};
  const std::string path = "spec.pluginConfig[name=NodeResourcesFit].args.scoringStrategy.type";
  PatchSpec("args", bad);
  EXPECT_TRUE(EventuallyHas("args", "Valid", "False", "InvalidArgs"));
  const std::string message = Condition(Profile("args"), "Valid").value("message", "");
  EXPECT_NE(message.find(path), std::string::npos) << message;
  EXPECT_NE(message.find("\"Most\""), std::string::npos) << message;
  EXPECT_NE(message.find("MostAllocated"), std::string::npos) << message;
  EXPECT_TRUE(EventuallyHas("args", "Stalled", "True", "InvalidArgs"));
  EXPECT_EQ(Rendered("args", "scheduler-config.yaml"), good);
  AddPod("args-pod", "args", "1");
  EXPECT_TRUE(EventuallyBound("args-pod", "args-1"));

  EXPECT_TRUE(
      Rejected(Berth({"validate", "-f", "-"}, ManifestOf("args", bad)), {path, "\"Most\""}));

  PatchSpec("args", {{"pluginConfig", nullptr}});
  EXPECT_TRUE(EventuallyHas("args", "Valid", "True", "Valid"));
}

TEST_F(Rejection, MalformedProfileErrorHasThePosition) {
  const std::string file = FileWith("profile.yaml", "kind: SchedulerProfile\nspec: {plugins: [\n");
  EXPECT_TRUE(Rejected(Berth({"validate", "-f", file}), {file, "line "}));
  EXPECT_TRUE(Rejected(Berth({"render", "-f", file}), {file, "line "}));
  EXPECT_TRUE(Rejected(Berth({"validate", "-f", "/nowhere.yaml"}), {"/nowhere.yaml"}));
  EXPECT_TRUE(
      Rejected(Berth({"validate", "-f", "-"}, "apiVersion: berth.dev/v1\nkind: SchedulerProfile\n"),
               {"apiVersion", "\"berth.dev/v1\"", "berth.dev/v1alpha1"}));
}

TEST_F(Rejection, SchedulerDoesNotStartWithAnInvalidConfiguration) {
  const std::string head =
      "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
  struct Case {
    std::string text;
    std::vector<std::string> parts;
  };
  const std::vector<Case> cases = {
      {"profiles: [", {"line "}},
      {"", {"empty"}},
      {"kind: KubeSchedulerConfiguration\n", {"apiVersion"}},
      {head + "profilez: []\n", {"profilez", "profiles"}},
      {head + "podMaxBackoffSeconds: -1\n", {"podMaxBackoffSeconds", "-1"}},
      {head +
           "profiles: [{schedulerName: a, plugins: {score: {enabled: [{name: NodeAfinity}]}}}]\n",
       {"plugins.score.enabled[0]", "NodeAfinity", "nearest: NodeAffinity"}},
      {head + "profiles: [{schedulerName: a, plugins: {score: {enabled: [{name: NodeName}]}}}]\n",
       {"plugins.score.enabled[0]", "NodeName"}},
      {head + "profiles: [{schedulerName: a, plugins: {permit: {enabled: [{name: "
              "DeferredPodScheduling}]}}}]\n",
       {"plugins.permit.enabled[0]",
        "DeferredPodScheduling is not served by this version: in "
        "kube-scheduler it needs feature gates"}},
      {head + "profiles: [{schedulerName: a, pluginConfig: [{name: NodeResourcesFit, args: "
              "{scoringStrategy: {type: Most}}}]}]\n",
       {"scoringStrategy.type", "Most"}},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.text);
    const std::string file = FileWith("bad-config.yaml", each.text);
    std::vector<std::string> parts = each.parts;
    parts.push_back(file);
    EXPECT_TRUE(
        Rejected(Berth({"scheduler", "--config", file, "--kubeconfig", AdminKubeconfig()}), parts));
  }
  EXPECT_TRUE(
      Rejected(Berth({"scheduler", "--config", "/nowhere.yaml", "--kubeconfig", AdminKubeconfig()}),
               {"/nowhere.yaml"}));
  EXPECT_TRUE(Rejected(Berth({"scheduler"}), {"--config"}));
}

TEST_F(Rejection, InvalidKubeconfigErrorHasThePosition) {
  struct Case {
    std::string text;
    std::vector<std::string> parts;
  };
  const std::vector<Case> cases = {
      {"clusters: [", {"line "}},
      {"apiVersion: v1\nkind: Config\ncurrent-context: a\n", {"current-context", "\"a\""}},
      {"apiVersion: v1\nkind: Config\ncurrent-context: a\n"
       "contexts: [{name: a, context: {cluster: blue}}]\n"
       "clusters: [{name: blu, cluster: {server: \"https://127.0.0.1:1\"}}]\n",
       {"contexts[a].context.cluster", "\"blue\"", "nearest: blu"}},
      {"apiVersion: v1\nkind: Config\ncurrent-context: a\n"
       "contexts: [{name: a, context: {cluster: blue}}]\n"
       "clusters: [{name: blue, cluster: {server: \"https://127.0.0.1:1\", "
       "certificate-authority: /nowhere.crt}}]\n",
       {"/nowhere.crt"}},
  };
  const std::string config =
      FileWith("good-config.yaml",
               "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n");
  for (const Case& each : cases) {
    SCOPED_TRACE(each.text);
    const std::string file = FileWith("bad.kubeconfig", each.text);
    std::vector<std::string> parts = each.parts;
    if (each.text.find("nowhere") == std::string::npos) parts.push_back(file);
    EXPECT_TRUE(Rejected(Berth({"scheduler", "--config", config, "--kubeconfig", file}), parts));
    EXPECT_TRUE(Rejected(Berth({"operator", "--kubeconfig", file}), parts));
  }
}

TEST_F(Rejection, ValidatesTheCommandLine) {
  EXPECT_TRUE(Rejected(Berth({}), {"missing command", "--help"}));
  EXPECT_TRUE(Rejected(Berth({"schedule"}), {"schedule"}));
  EXPECT_TRUE(Rejected(Berth({"validate"}), {"--filename"}));
  EXPECT_TRUE(Rejected(Berth({"scheduler", "--secure-port", "many"}), {"--secure-port"}));
  EXPECT_TRUE(Rejected(Berth({"scheduler", "--config-map", "no-namespace"}),
                       {"--config-map", "no-namespace", "NAMESPACE/NAME"}));
  for (const char* command :
       {"operator", "scheduler", "render", "validate", "plugins", "version"}) {
    const ProcessOutcome help = Berth({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_NE(help.out.find("Usage"), std::string::npos) << command << ":\n" << help.out;
  }
  EXPECT_EQ(Berth({"version"}).exit_code, 0);
}

}  // namespace
}  // namespace berth::integration
