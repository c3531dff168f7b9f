// SPDX-License-Identifier: Apache-2.0
// The expressions that Berth ships, on valid and invalid profiles: the rules of the
// CustomResourceDefinition and the ValidatingAdmissionPolicy of deploy/install.yaml.
#include <filesystem>
#include <map>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "api/kubernetes_version.h"
#include "base/file.h"
#include "base/yaml/yaml.h"
#include "cel/json_value.h"
#include "cel/kubernetes.h"
#include "cel/program.h"
#include "cel/schema_type.h"
#include "cel/variables.h"

namespace berth::cel {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Json> ObjectsIn(const std::string& path) {
  const auto text = ReadFile(path);
  EXPECT_TRUE(text.has_value()) << path;
  const auto documents = yaml::DocumentsToJson(text.value_or(""));
  EXPECT_TRUE(documents.has_value()) << path;
  std::vector<Json> objects;
  for (const std::string& document : documents.value_or(std::vector<std::string>())) {
    objects.push_back(Json::parse(document));
  }
  return objects;
}

Json Shipped(const std::string& path, const std::string& kind) {
  for (Json& object : ObjectsIn(path)) {
    if (object["kind"] == kind) return std::move(object);
  }
  ADD_FAILURE() << path << " has no " << kind;
  return Json::object();
}

Json Schema(const std::string& path) {
  const Json definition = Shipped(path, "CustomResourceDefinition");
  return definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
}

// RuleRunner validates a value against the rules of its schema and of all nested schemas.
class RuleRunner {
 public:
  std::vector<std::string> Run(const Json& schema, const Json& value, const Json* old) {
    messages_.clear();
    Visit(schema, value, old, true);
    return messages_;
  }
  Budget& budget() { return budget_; }

 private:
  static const Json* Member(const Json* object, const std::string& name) {
    if (object == nullptr || !object->is_object() || !object->contains(name)) return nullptr;
    return &(*object)[name];
  }

  void Visit(const Json& schema, const Json& value, const Json* old, bool is_root) {
    const Json rules = schema.value("x-kubernetes-validations", Json::array());
    for (const Json& rule : rules) {
      Check(rule, TypeOfSchema(schema, is_root), value, old);
    }
    if (value.is_object()) {
      const Json properties = schema.value("properties", Json::object());
      for (const auto& property : properties.items()) {
        if (!value.contains(property.key())) continue;
        Visit(property.value(), value[property.key()], Member(old, property.key()), false);
      }
    } else if (value.is_array()) {
      for (const Json& element : value) Visit(schema["items"], element, nullptr, false);
    }
  }

  void Check(const Json& rule, const TypePtr& type, const Json& value, const Json* old) {
    const std::string text = rule["rule"];
    const auto program = Compile(text, RuleEnvironment(type), Basic(Kind::kBool));
    ASSERT_TRUE(program.has_value()) << program.error().message();
    if (program->Names("oldSelf") && old == nullptr) return;
    Activation activation;
    activation.Bind("self", ViewOf(value, type));
    if (old != nullptr) activation.Bind("oldSelf", ViewOf(*old, type));
    const auto holds = program->Evaluate(activation, budget_);
    ASSERT_TRUE(holds.has_value()) << text << ": " << holds.error().message();
    if (!holds->AsBool()) messages_.push_back(rule.value("message", text));
  }

  Budget budget_;
  std::vector<std::string> messages_;
};

// Compiles an expression like the oldest supported API server.
void ExpectAccepted(const Json& expression, Environment environment, const TypePtr& wanted) {
  environment.AcceptedBy(api::kOldestKubernetes.minor);
  const auto program = Compile(expression.get<std::string>(), environment, wanted);
  EXPECT_TRUE(program.has_value()) << expression << ": " << program.error().message();
}

// Compiles every rule of a schema and of nested schemas. Returns their number.
int CompileAll(const Json& schema, bool is_root) {
  int count = 0;
  const Json rules = schema.value("x-kubernetes-validations", Json::array());
  for (const Json& rule : rules) {
    const Environment environment = RuleEnvironment(TypeOfSchema(schema, is_root));
    ExpectAccepted(rule["rule"], environment, Basic(Kind::kBool));
    ++count;
    if (!rule.contains("messageExpression")) continue;
    ExpectAccepted(rule["messageExpression"], environment, Basic(Kind::kString));
    ++count;
  }
  const Json properties = schema.value("properties", Json::object());
  for (const auto& property : properties.items()) {
    count += CompileAll(property.value(), false);
  }
  for (const char* below : {"items", "additionalProperties"}) {
    if (schema.contains(below) && schema[below].is_object()) {
      count += CompileAll(schema[below], false);
    }
  }
  return count;
}

Json GoodProfile() {
  return Json::parse(R"({
    "apiVersion": "berth.dev/v1alpha1", "kind": "SchedulerProfile",
    "metadata": {"name": "batch"},
    "spec": {
      "aliases": ["old-batch"],
      "engine": {"type": "Berth"},
      "deployment": {"replicas": 2},
      "leaderElection": {"leaderElect": true, "leaseDuration": "15s", "renewDeadline": "10s",
                         "retryPeriod": "2s"},
      "podInitialBackoffSeconds": 1, "podMaxBackoffSeconds": 10,
      "plugins": {"score": {"enabled": [{"name": "ImageLocality", "weight": 2}],
                            "disabled": [{"name": "*"}]}},
      "pluginConfig": [{"name": "NodeResourcesFit", "args": {}}]
    }})");
}

std::vector<std::string> RuleMessages(const Json& profile, const Json* old = nullptr) {
  RuleRunner runner;
  return runner.Run(Schema("deploy/install.yaml"), profile, old);
}

// Compiles every expression of an admission policy. Returns their number.
int CompilePolicy(const Json& policy) {
  const Json& spec = policy["spec"];
  int count = 0;
  Environment environment = PolicyEnvironment();
  environment.AcceptedBy(api::kOldestKubernetes.minor);
  const auto expect_all = [&](const char* list, const char* member, Kind kind) {
    for (const Json& entry : spec.value(list, Json::array())) {
      if (!entry.contains(member)) continue;
      ExpectAccepted(entry[member], environment, Basic(kind));
      ++count;
    }
  };
  expect_all("matchConditions", "expression", Kind::kBool);
  Variables variables;
  for (const Json& variable : spec.value("variables", Json::array())) {
    const auto text = variable["expression"].get<std::string>();
    const auto added = variables.Add(variable["name"], text, environment);
    EXPECT_TRUE(added.has_value()) << text << ": " << added.error().message();
    ++count;
  }
  expect_all("validations", "expression", Kind::kBool);
  expect_all("validations", "messageExpression", Kind::kString);
  expect_all("auditAnnotations", "valueExpression", Kind::kString);
  return count;
}

// Returns the YAML files of the directories with objects that users apply.
std::vector<std::string> Manifests() {
  std::vector<std::string> paths;
  for (const char* folder : {"deploy", "crds/manifests", "samples"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
    }
  }
  return paths;
}

TEST(ShippedExpressions, CompileOnTheOldestSupportedServer) {
  std::map<std::string, int> counts;
  for (const std::string& path : Manifests()) {
    for (const Json& object : ObjectsIn(path)) {
      SCOPED_TRACE(path);
      const std::string kind = object.is_object() ? object.value("kind", "") : "";
      if (kind == "CustomResourceDefinition") {
        for (const Json& version : object["spec"]["versions"]) {
          counts[path + " " + kind] += CompileAll(version["schema"]["openAPIV3Schema"], true);
        }
      } else if (kind == "ValidatingAdmissionPolicy") {
        counts[path + " " + kind] += CompilePolicy(object);
      } else {
        EXPECT_NE(kind, "MutatingAdmissionPolicy") << "this test does not compile its expressions";
      }
    }
  }
  EXPECT_GE(counts["crds/manifests/berth.dev_schedulerprofiles.yaml CustomResourceDefinition"], 20);
  EXPECT_EQ(counts["deploy/install.yaml CustomResourceDefinition"],
            counts["crds/manifests/berth.dev_schedulerprofiles.yaml CustomResourceDefinition"]);
  EXPECT_GE(counts["deploy/install.yaml ValidatingAdmissionPolicy"], 20);
}

TEST(ShippedRules, AcceptAValidProfile) {
  RuleRunner runner;
  EXPECT_THAT(runner.Run(Schema("deploy/install.yaml"), GoodProfile(), nullptr), IsEmpty());
  EXPECT_GT(runner.budget().spent(), 0u);
  EXPECT_LT(runner.budget().spent(), 1000u);
}

TEST(ShippedRules, NameTheInvalidField) {
  struct Row {
    const char* pointer;
    Json value;
    const char* message;
  };
  const Row rows[] = {
      {"/metadata/name", "Upper", "metadata.name is the scheduler name"},
      {"/metadata/name", std::string(53, 'a'), "at most 52 lower case letters"},
      {"/metadata/name", "default-scheduler", "reserved for the cluster's own scheduler"},
      {"/metadata/name", "operator", "operator is reserved"},
      {"/metadata/name", "old-batch", "spec.aliases must not contain the profile's own name"},
      {"/spec/aliases", Json::array({""}), "an alias must not be empty"},
      {"/spec/aliases", Json::array({"default-scheduler"}), "cluster's own scheduler"},
      {"/spec/leaderElection/leaseDuration", "10s", "leaseDuration must be greater"},
      {"/spec/leaderElection/retryPeriod", "9s", "greater than 1.2 times retryPeriod"},
      {"/spec/leaderElection/retryPeriod", "-1s", "must be greater than zero"},
      {"/spec/leaderElection/leaderElect", false, "more than one replica"},
      {"/spec/podMaxBackoffSeconds", 0, "podMaxBackoffSeconds must be greater"},
      {"/spec/plugins/queueSort",
       {{"enabled", {{{"name", "A"}}, {{"name", "B"}}}}},
       "only one queue sort plugin"},
      {"/spec/extenders", {{{"bindVerb", "b"}}, {{"bindVerb", "b"}}}, "only one extender"},
      {"/spec/extenders", {{{"prioritizeVerb", "p"}}}, "must have a positive weight"},
  };
  for (const Row& row : rows) {
    Json profile = GoodProfile();
    profile[Json::json_pointer(row.pointer)] = row.value;
    EXPECT_THAT(RuleMessages(profile), testing::Contains(HasSubstr(row.message)))
        << row.pointer << " = " << row.value;
  }
}

TEST(ShippedRules, RejectChangesOfImmutableFields) {
  Json old = GoodProfile();
  old["spec"]["namespace"] = "one";
  Json moved = old;
  EXPECT_THAT(RuleMessages(moved, &old), IsEmpty());
  moved["spec"]["namespace"] = "two";
  EXPECT_THAT(RuleMessages(moved, &old), ElementsAre("field is immutable"));
  EXPECT_THAT(RuleMessages(moved), IsEmpty());
  moved["spec"].erase("namespace");
  const std::string stays = "namespace can be neither added nor taken away: field is immutable";
  EXPECT_THAT(RuleMessages(moved, &old), ElementsAre(stays));
  EXPECT_THAT(RuleMessages(old, &moved), ElementsAre(stays));
  EXPECT_THAT(RuleMessages(moved, &moved), IsEmpty());
}

// Returns the policy's messages for a request; empty if it is admitted.
std::vector<std::string> AdmissionResult(const Json& object, const Json& old_object,
                                         const std::string& operation) {
  const Json spec = Shipped("deploy/install.yaml", "ValidatingAdmissionPolicy")["spec"];
  Environment environment = PolicyEnvironment();
  Variables variables;
  for (const Json& variable : spec["variables"]) {
    const auto added =
        variables.Add(variable["name"], variable["expression"].get<std::string>(), environment);
    EXPECT_TRUE(added.has_value()) << added.error().message();
  }
  const Json request = {{"operation", operation}};
  Activation activation;
  activation.Bind("object", ViewOf(object)).Bind("oldObject", ViewOf(old_object));
  activation.Bind("request", ViewOf(request, RequestType()));
  Budget budget;
  variables.Bind(activation, budget);
  const auto evaluate = [&](const Json& expression, Kind wanted) {
    const auto program = Compile(expression.get<std::string>(), environment, Basic(wanted));
    EXPECT_TRUE(program.has_value()) << program.error().message();
    auto value = program->Evaluate(activation, budget);
    EXPECT_TRUE(value.has_value()) << value.error().message();
    return value.value_or(Value());
  };
  for (const Json& condition : spec["matchConditions"]) {
    if (!evaluate(condition["expression"], Kind::kBool).IsTrue()) return {"not matched"};
  }
  std::vector<std::string> messages;
  for (const Json& validation : spec["validations"]) {
    if (evaluate(validation["expression"], Kind::kBool).IsTrue()) continue;
    messages.emplace_back(evaluate(validation["messageExpression"], Kind::kString).AsString());
  }
  return messages;
}

std::vector<std::string> MessagesFor(const char* pointer, const Json& value) {
  Json profile = GoodProfile();
  profile[Json::json_pointer(pointer)] = value;
  return AdmissionResult(profile, nullptr, "CREATE");
}

TEST(ShippedPolicy, AdmitsAValidProfile) {
  EXPECT_THAT(AdmissionResult(GoodProfile(), nullptr, "CREATE"), IsEmpty());
  Json bare = GoodProfile();
  bare["spec"].erase("plugins");
  bare["spec"].erase("pluginConfig");
  EXPECT_THAT(AdmissionResult(bare, nullptr, "CREATE"), IsEmpty());
}

TEST(ShippedPolicy, ValidatesOnlyChangedProfilesWithoutAnImage) {
  const Json profile = GoodProfile();
  EXPECT_THAT(AdmissionResult(profile, profile, "UPDATE"), ElementsAre("not matched"));
  Json changed = profile;
  changed["spec"]["podMaxBackoffSeconds"] = 20;
  EXPECT_THAT(AdmissionResult(changed, profile, "UPDATE"), IsEmpty());
  EXPECT_THAT(MessagesFor("/spec/engine/image", "other:1"), ElementsAre("not matched"));
}

TEST(ShippedPolicy, RejectsUnknownPluginsWithNearestName) {
  EXPECT_THAT(MessagesFor("/spec/plugins/filter", {{"enabled", {{{"name", "NodeNam"}}}}}),
              ElementsAre("spec.plugins.filter.enabled[name=NodeNam]: unknown plugin; nearest: "
                          "NodeName"));
  EXPECT_THAT(MessagesFor("/spec/plugins/filter", {{"disabled", {{{"name", "Zzz"}}}}}),
              ElementsAre("spec.plugins.filter.disabled[name=Zzz]: unknown plugin"));
  EXPECT_THAT(MessagesFor("/spec/pluginConfig", {{{"name", "nodeports"}, {"args", {}}}}),
              ElementsAre("spec.pluginConfig[name=nodeports]: unknown plugin; nearest: NodePorts"));
}

TEST(ShippedPolicy, RejectsPluginsAtTheWrongPoint) {
  EXPECT_THAT(MessagesFor("/spec/plugins/filter", {{"enabled", {{{"name", "ImageLocality"}}}}}),
              ElementsAre(HasSubstr("spec.plugins.filter.enabled[name=ImageLocality]: does not "
                                    "implement filter; it implements score")));
}

// Returns the rejection of one plugin's arguments; "" if they are admitted.
std::string ArgumentsOf(const char* plugin, const char* args) {
  const Json configs = {{{"name", plugin}, {"args", Json::parse(args)}}};
  std::string all;
  for (const std::string& message : MessagesFor("/spec/pluginConfig", configs)) {
    all += (all.empty() ? "" : "\n") + message;
  }
  return all;
}

TEST(ShippedPolicy, RejectsInvalidArguments) {
  const struct {
    const char* plugin;
    const char* args;
    const char* says;
  } kRows[] = {
      {"Expressions", R"({"filters":[{"expression":"true","message":"no"}]})", ""},
      {"Expressions", R"({"scores":[{"expression":"1","weight":2}],"normalizer":"Linear"})", ""},
      {"Expressions", R"({"kind":"ExpressionsArgs","filters":null})", ""},
      {"Expressions", R"({"filter":[]})",
       "spec.pluginConfig[name=Expressions].args.filter: unknown field"},
      {"Expressions", R"({"filters":{}})",
       "spec.pluginConfig[name=Expressions].args.filters: must be a list of object"},
      {"Expressions", R"({"filters":["true"],"normalizer":1})",
       "spec.pluginConfig[name=Expressions].args.filters: must be a list of object; "
       "spec.pluginConfig[name=Expressions].args.normalizer: must be a string"},
      {"Expressions", R"({"filters":[{"expression":true,"text":""}],"scores":[{"weight":"1"}]})",
       "spec.pluginConfig[name=Expressions].args.filters[].expression: must be a string; "
       "spec.pluginConfig[name=Expressions].args.filters[].text: unknown field; "
       "spec.pluginConfig[name=Expressions].args.scores[].weight: must be a number\n"
       "spec.pluginConfig[name=Expressions].args.scores[].expression: required"},
      {"NodeLabel", R"({"presentLabels":["a"],"absentLabels":[1]})",
       "spec.pluginConfig[name=NodeLabel].args.absentLabels: must be a list of string"},
      {"NodeAffinity", R"({"addedAffinity":{"anything":1}})", ""},
      {"NodeAffinity", R"({"addedAffinity":[]})",
       "spec.pluginConfig[name=NodeAffinity].args.addedAffinity: must be an object"},
      {"NodeResourcesFit",
       R"({"scoringStrategy":{"type":"MostAllocated","resources":[{"name":"cpu","weight":1}]}})",
       ""},
      {"InterPodAffinity", R"({"hardPodAffinityWeight":3})", ""},
      {"NodeName", R"({"anything":1})", ""},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ArgumentsOf(row.plugin, row.args), row.says) << row.args;
  }
}

}  // namespace
}  // namespace berth::cel
