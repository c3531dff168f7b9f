// SPDX-License-Identifier: Apache-2.0
// Compares hand-written manifests of custom kube-schedulers with the objects rendered after
// conversion: the page of the sample lists the equal facts, and each difference.
#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "tests/operator/berth.h"

namespace berth::operator_ {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;
using Pointer = Json::json_pointer;

const std::string kSample = "samples/13-your-own-kube-scheduler/";

// Manifests reads the objects of a scheduler, hand-written or rendered.
class Manifests {
 public:
  explicit Manifests(const std::string& text) {
    const auto documents = yaml::DocumentsToJson(text);
    EXPECT_TRUE(documents.has_value()) << text;
    for (const std::string& document : documents.value_or(Words())) {
      documents_.push_back(Json::parse(document));
    }
  }

  // Returns the compared facts, in the order of the page; "-" if absent.
  std::vector<std::pair<std::string, std::string>> Facts() const {
    const Json container = Pod().at("containers").at(0);
    const Words command = CommandLine(container);
    const auto flags = std::ranges::find_if(command, IsFlag);
    const Json config = Config();
    const Json profile = config.contains("profiles") ? config["profiles"][0] : config;
    return {
        {"image", Text(container, "/image")},
        {"pull policy", Text(container, "/imagePullPolicy", "IfNotPresent")},
        {"pull secrets", Each(Pod(), "imagePullSecrets", "/name")},
        {"program", Join(Words(command.begin(), flags), " ")},
        {"verbosity", FlagOf(command, "--v=")},
        {"CPU request", Text(container, "/resources/requests/cpu")},
        {"priority class", Text(Pod(), "/priorityClassName")},
        {"replicas", Text(One("Deployment"), "/spec/replicas", "1")},
        {"scheduler name", Text(profile, "/schedulerName")},
        {"plugins enabled", PluginsIn(profile, "enabled")},
        {"pluginConfig", profile.contains("pluginConfig") ? profile["pluginConfig"].dump() : "-"},
        {"version of the configuration", Text(config, "/apiVersion")},
        {"plugins disabled", PluginsIn(profile, "disabled")},
        {"leader election", Text(config, "/leaderElection/leaderElect")},
        {"Lease", LeaseIn(config["leaderElection"])},
        {"configuration at", FlagOf(command, "--config=")},
        {"its ConfigMap is immutable", Text(One("ConfigMap"), "/immutable", "false")},
        {"other flags", OtherFlags(command)},
        {"namespace", Text(One("Deployment"), "/metadata/namespace")},
        {"ClusterRoles", Sorted("ClusterRoleBinding", "/roleRef/name")},
        {"ClusterRole of its own", Rules("ClusterRole")},
        {"Role of its own", Rules("Role")},
        {"pod's securityContext", SettingsIn(Pod(), "securityContext")},
        {"container's securityContext", SettingsIn(container, "securityContext")},
        {"token mounted unasked", Text(Pod(), "/automountServiceAccountToken", "true")},
        {"memory request", Text(container, "/resources/requests/memory")},
        {"liveness probe", Text(container, "/livenessProbe/httpGet/path")},
        {"readiness probe", Text(container, "/readinessProbe/httpGet/path")},
        {"unavailable while it is replaced",
         Text(One("Deployment"), "/spec/strategy/rollingUpdate/maxUnavailable", "25%")},
        {"Service at port", Sorted("Service", "/spec/ports/0/port")},
        {"NetworkPolicy, out to ports", Outward()},
    };
  }

 private:
  static bool IsFlag(const std::string& word) { return word.starts_with("-"); }

  static std::string Text(const Json& object, const std::string& pointer,
                          const std::string& otherwise = "-") {
    if (!object.is_object() || !object.contains(Pointer(pointer))) return otherwise;
    const Json& value = object.at(Pointer(pointer));
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  static std::string OrNone(const Words& words) { return words.empty() ? "-" : Join(words, ", "); }

  static std::string Each(const Json& object, const std::string& list, const std::string& pointer) {
    Words words;
    for (const Json& item : object.value(list, Json::array())) {
      words.push_back(Text(item, pointer));
    }
    return OrNone(words);
  }

  static Words CommandLine(const Json& container) {
    Words words = container.value("command", Words());
    const Words args = container.value("args", Words());
    words.insert(words.end(), args.begin(), args.end());
    return words;
  }

  static std::string FlagOf(const Words& command, const std::string& prefix) {
    for (const std::string& word : command) {
      if (word.starts_with(prefix)) return word.substr(prefix.size());
    }
    return "-";
  }

  static std::string OtherFlags(Words command) {
    std::erase_if(command, [](const std::string& word) {
      return !IsFlag(word) || word.starts_with("--v=") || word.starts_with("--config=");
    });
    return command.empty() ? "-" : Join(command, " ");
  }

  static std::string PluginsIn(const Json& profile, const std::string& list) {
    Words words;
    const Json plugins = profile.value("plugins", Json::object());
    for (const auto& [point, lists] : plugins.items()) {
      for (const Json& plugin : lists.value(list, Json::array())) {
        words.push_back(point + " " + Text(plugin, "/name"));
      }
    }
    return OrNone(words);
  }

  // Before v1beta1 the lock was not a Lease but another object.
  static std::string LeaseIn(const Json& election) {
    const std::string ns = Text(election, "/resourceNamespace", "kube-system");
    const std::string name =
        Text(election, "/resourceName", Text(election, "/lockObjectName", "kube-scheduler"));
    return Text(election, "/leaderElect") == "true" ? ns + "/" + name : "-";
  }

  static std::string SettingsIn(const Json& object, const std::string& member) {
    if (!object.contains(member)) return "-";
    Words words;
    const Json settings = object[member].flatten();
    for (const auto& [path, value] : settings.items()) {
      words.push_back(path.substr(1) + " " +
                      (value.is_string() ? value.get<std::string>() : value.dump()));
    }
    return OrNone(words);
  }

  std::vector<Json> All(const std::string& kind) const {
    std::vector<Json> found;
    std::ranges::copy_if(documents_, std::back_inserter(found),
                         [&](const Json& object) { return object["kind"] == kind; });
    return found;
  }

  Json One(const std::string& kind) const {
    const std::vector<Json> found = All(kind);
    EXPECT_EQ(found.size(), 1U) << kind;
    return found.empty() ? Json::object() : found[0];
  }

  Json Pod() const { return One("Deployment").at(Pointer("/spec/template/spec")); }

  Json Config() const {
    const Json data = One("ConfigMap").at("data");
    return Json::parse(yaml::ToJson(data.at("scheduler-config.yaml").get<std::string>()).value());
  }

  std::string Sorted(const std::string& kind, const std::string& pointer) const {
    Words words;
    for (const Json& object : All(kind)) words.push_back(Text(object, pointer));
    std::ranges::sort(words);
    return OrNone(words);
  }

  std::string Rules(const std::string& kind) const {
    Words words;
    for (const Json& role : All(kind)) {
      for (const Json& rule : role["rules"]) {
        if (!rule.contains("resources")) continue;
        words.push_back(Join(rule.value("verbs", Words()), "/") + " " +
                        Join(rule.value("resources", Words()), "/") +
                        (rule.contains("resourceNames") ? " of its name" : ""));
      }
    }
    return OrNone(words);
  }

  std::string Outward() const {
    Words words;
    for (const Json& policy : All("NetworkPolicy")) {
      for (const Json& rule : policy.at(Pointer("/spec/egress"))) {
        for (const Json& port : rule["ports"]) words.push_back(Text(port, "/port"));
      }
    }
    std::ranges::sort(words);
    words.erase(std::ranges::unique(words).begin(), words.end());
    return OrNone(words);
  }

  std::vector<Json> documents_;
};

std::string TextOf(const std::string& file) {
  const auto text = ReadFile(file);
  EXPECT_TRUE(text.has_value()) << file;
  return text.value_or("");
}

std::string Unwrapped(std::string page) {
  std::ranges::replace(page, '\n', ' ');
  return page;
}

// Formats a table cell: names as code, absent values empty.
std::string Cell(const std::string& text) { return text == "-" ? "" : "`" + text + "`"; }

class OwnKubeScheduler : public testing::TestWithParam<std::string> {};

TEST_P(OwnKubeScheduler, IsRenderedAsHandWrittenExceptListedDifferences) {
  const std::string by_hand = kSample + "by-hand/" + GetParam() + ".yaml";
  const Answer converted = Berth({"convert", "-f", by_hand, "--keep-image"});
  ASSERT_EQ(converted.code, 0) << converted.err;
  const std::string profile = GetParam() == "qos" ? "profile" : GetParam();
  EXPECT_EQ(converted.out, TextOf(kSample + profile + ".yaml"));
  const Answer rendered =
      Berth({"render", "-f", "-", "--allowed-images=registry.example.com/*"}, converted.out);
  ASSERT_EQ(rendered.code, 0) << rendered.err;

  const auto before = Manifests(TextOf(by_hand)).Facts();
  const auto after = Manifests(rendered.out).Facts();
  Words same;
  std::string table = "| " + GetParam() + " | by hand | rendered |\n|---|---|---|\n";
  for (size_t i = 0; i < before.size(); ++i) {
    const auto& [what, was] = before[i];
    const std::string& is = after[i].second;
    if (was == is) {
      same.push_back(what);
    } else {
      table += "| " + what + " | " + Cell(was) + " | " + Cell(is) + " |\n";
    }
  }
  const std::string page = TextOf(kSample + "README.md");
  EXPECT_THAT(page, testing::HasSubstr("\n" + table + "\n"));
  EXPECT_THAT(Unwrapped(page),
              testing::HasSubstr("The same for " + GetParam() + ": " + Join(same, ", ") + "."));
}

// Returns the blocks of a page without commands, without their fences.
Words FencedIn(const std::string& page) {
  Words blocks;
  bool is_in = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      is_in = !is_in;
      if (is_in) blocks.emplace_back();
    } else if (is_in) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

TEST(OwnKubeSchedulerPage, ShowsTheFilesOfTheSample) {
  std::string sample;
  for (const char* file : {"program/main.go", "program/qos_sort.go", "program/go.mod",
                           "program/Dockerfile", "profile.yaml"}) {
    sample += "\n" + TextOf(kSample + file);
  }
  const Words blocks = FencedIn(TextOf("docs/own-kube-scheduler.md"));
  EXPECT_EQ(blocks.size(), 5U);
  for (const std::string& block : blocks) EXPECT_THAT(sample, testing::HasSubstr("\n" + block));
}

INSTANTIATE_TEST_SUITE_P(People, OwnKubeScheduler, testing::Values("qos", "networktraffic"),
                         [](const auto& file) { return file.param; });

}  // namespace
}  // namespace berth::operator_
