// SPDX-License-Identifier: Apache-2.0
#include "controllers/difference.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/apps.h"
#include "base/int_or_string.h"
#include "base/json/json.h"
#include "base/yaml/yaml.h"

namespace berth::controllers {
namespace {

struct Port {
  std::string name;
  int32_t number = 0;
  std::optional<std::string> protocol;
  static auto Fields() {
    return json::Object(json::Field("name", &Port::name), json::Field("number", &Port::number),
                        json::Field("protocol", &Port::protocol));
  }
};

struct Unit {
  std::string name, image, uid;
  bool tty = false;
  static auto Fields() {
    return json::Object(json::Field("name", &Unit::name), json::Field("image", &Unit::image),
                        json::Field("uid", &Unit::uid), json::Field("tty", &Unit::tty));
  }
};

struct Spec {
  int32_t replicas = 0, a = 0;
  std::map<std::string, std::string> selector;
  std::optional<Unit> whole;
  static auto Fields() {
    return json::Object(json::Field("replicas", &Spec::replicas), json::Field("a", &Spec::a),
                        json::Field("selector", &Spec::selector).Atomic(),
                        json::Field("whole", &Spec::whole).Atomic());
  }
};

// Sample has a field for each way in which two objects can differ.
struct Sample {
  std::optional<int32_t> a, b;
  IntOrString target;
  json::Raw raw;
  Spec spec;
  std::map<std::string, std::string> data;
  std::vector<Unit> subjects, containers, owners;
  std::vector<Port> ports;
  std::vector<std::string> args, finalizers;
  static auto Fields() {
    return json::Object(json::Field("a", &Sample::a), json::Field("b", &Sample::b),
                        json::Field("target", &Sample::target), json::Field("raw", &Sample::raw),
                        json::Field("spec", &Sample::spec), json::Field("data", &Sample::data),
                        json::Field("subjects", &Sample::subjects),
                        json::Field("args", &Sample::args),
                        json::Field("containers", &Sample::containers).ListMap("name"),
                        json::Field("ownerReferences", &Sample::owners).ListMap("uid"),
                        json::Field("ports", &Sample::ports).ListMap("number,protocol"),
                        json::Field("finalizers", &Sample::finalizers).ListSet());
  }
};

Sample SampleOf(std::string_view json) { return json::Decode<Sample>(json).value(); }

struct Case {
  const char* what;
  const char* wanted;
  const char* live;
  const char* paths;  // "": no difference
};

template <class T>
std::string PathsIn(const T& wanted, const T& live) {
  std::string paths;
  for (const Difference& difference : Differences(wanted, live)) {
    paths += (paths.empty() ? "" : ", ") + difference.path;
  }
  return paths;
}

class DifferencesOf : public testing::TestWithParam<Case> {};

TEST_P(DifferencesOf, MatchExpectedPaths) {
  const Case& c = GetParam();
  EXPECT_EQ(PathsIn(SampleOf(c.wanted), SampleOf(c.live)), c.paths) << c.what;
}

INSTANTIATE_TEST_SUITE_P(
    Table, DifferencesOf,
    testing::Values(
        Case{"equal", R"({"a":1})", R"({"a":1})", ""},
        Case{"a field of another manager", R"({"a":1})", R"({"a":1,"b":2})", ""},
        Case{"another value", R"({"spec":{"replicas":1}})", R"({"spec":{"replicas":3}})",
             "spec.replicas"},
        Case{"a missing field", R"({"data":{"x":"1"}})", R"({"data":{"y":"1"}})", "data.x"},
        Case{"a missing object", R"({"spec":{"a":1}})", R"({})", "spec"},
        Case{"another form", R"({"target":"http"})", R"({"target":80})", "target"},
        Case{"another text of the same value", R"({"raw":{"x":1,"y":2}})",
             R"({"raw":{"y":2, "x":1}})", ""},
        Case{"a replaced list that is longer", R"({"subjects":[{"name":"a"}]})",
             R"({"subjects":[{"name":"a"},{"name":"b"}]})", "subjects"},
        Case{"a replaced list with another order", R"({"args":["a","b"]})", R"({"args":["b","a"]})",
             "args[0], args[1]"},
        Case{"two fields", R"({"a":1,"b":2})", R"({"a":3})", "a, b"},
        Case{"a sidecar of another manager", R"({"containers":[{"name":"s","image":"i"}]})",
             R"({"containers":[{"name":"x"},{"name":"s","image":"i","tty":true}]})", ""},
        Case{"our container changed", R"({"containers":[{"name":"s","image":"i"}]})",
             R"({"containers":[{"name":"s","image":"evil"}]})", "containers[0].image"},
        Case{"our container is gone", R"({"containers":[{"name":"s"}]})",
             R"({"containers":[{"name":"x"}]})", "containers[0]"},
        Case{"a key added to a selector", R"({"spec":{"selector":{"app":"a"}}})",
             R"({"spec":{"selector":{"app":"a","other":"b"}}})", "spec.selector"},
        Case{"an owner added", R"({"ownerReferences":[{"uid":"1"}]})",
             R"({"ownerReferences":[{"uid":"2"},{"uid":"1"}]})", ""},
        Case{"a finalizer of another manager", R"({"finalizers":["a"]})",
             R"({"finalizers":["b","a"]})", ""},
        Case{"our finalizer is gone", R"({"finalizers":["a"]})", R"({"finalizers":["b"]})",
             "finalizers[0]"},
        Case{"a server default within a replaced list", R"({"subjects":[{"name":"a"}]})",
             R"({"subjects":[{"name":"a","uid":"1"}]})", ""},
        Case{"a key of the list that the server fills in", R"({"ports":[{"name":"m","number":1}]})",
             R"({"ports":[{"name":"m","number":1,"protocol":"TCP"}]})", ""},
        Case{"two keys of a list", R"({"ports":[{"name":"m","number":1,"protocol":"UDP"}]})",
             R"({"ports":[{"name":"m","number":1,"protocol":"TCP"}]})", "ports[0]"},
        Case{"a field added to a whole object", R"({"spec":{"whole":{"name":"a"}}})",
             R"({"spec":{"whole":{"name":"a","uid":"1"}}})", "spec.whole"}));

// The kinds' descriptions declare how server-side apply merges lists, and by which keys.
TEST(Differences, IncludeLiveValue) {
  const Sample wanted = SampleOf(R"({"a":1,"b":2,"spec":{"selector":{"app":"a"}}})");
  const Sample live = SampleOf(R"({"a":3,"spec":{"selector":{"app":"b"}}})");
  const std::vector<Difference> expected = {
      {"a", "3"}, {"b", ""}, {"spec.selector", R"({"app":"b"})"}};
  EXPECT_EQ(Differences(wanted, live), expected);
}

TEST(Differences, IgnoreAdditionsToADeployment) {
  const std::string wanted =
      "{metadata: {name: d, labels: {a: b}, ownerReferences: [{uid: '1'}]}, "
      "spec: {selector: {matchLabels: {app: x}}, template: {spec: {nodeSelector: {pool: system}, "
      "containers: [{name: s, image: i, env: [{name: TZ, value: UTC}], "
      "volumeMounts: [{name: v, mountPath: /v}], ports: [{containerPort: 1, protocol: TCP}]}], "
      "volumes: [{name: v}], imagePullSecrets: [{name: p}], topologySpreadConstraints: "
      "[{maxSkew: 1, topologyKey: host, whenUnsatisfiable: ScheduleAnyway, "
      "labelSelector: {matchLabels: {app: x}}}]}}}}";
  const std::string live =
      "{metadata: {name: d, labels: {a: b, c: d}, ownerReferences: [{uid: '2'}, {uid: '1'}]}, "
      "spec: {replicas: 1, selector: {matchLabels: {app: x}}, template: {spec: {"
      "nodeSelector: {pool: system}, restartPolicy: Always, "
      "containers: [{name: sidecar}, {name: s, image: i, "
      "env: [{name: B, value: C}, {name: TZ, value: UTC}], "
      "volumeMounts: [{name: w, mountPath: /w}, {name: v, mountPath: /v}], "
      "ports: [{containerPort: 2, protocol: TCP}, {containerPort: 1, protocol: TCP}]}], "
      "volumes: [{name: w}, {name: v}], imagePullSecrets: [{name: q}, {name: p}], "
      "topologySpreadConstraints: "
      "[{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}, "
      "{maxSkew: 1, topologyKey: host, whenUnsatisfiable: ScheduleAnyway, "
      "labelSelector: {matchLabels: {app: x}}}]}}}}";
  const auto read = [](const std::string& text) {
    return json::Decode<api::Deployment>(yaml::ToJson(text).value()).value();
  };
  EXPECT_EQ(PathsIn(read(wanted), read(live)), "");

  api::Deployment changed = read(live);
  changed.spec.selector->match_labels["other"] = "y";
  EXPECT_EQ(PathsIn(read(wanted), changed), "spec.selector");
  changed = read(live);
  changed.spec.template_.spec.node_selector.emplace()["other"] = "y";
  EXPECT_EQ(PathsIn(read(wanted), changed), "spec.template.spec.nodeSelector");
}

struct Inner {
  std::optional<int32_t> x, y, z;
  bool operator==(const Inner&) const = default;
  static auto Fields() {
    return json::Object(json::Field("x", &Inner::x), json::Field("y", &Inner::y),
                        json::Field("z", &Inner::z));
  }
};

struct Patched {
  std::optional<int32_t> a, flat;
  Inner b;
  std::vector<int32_t> c;
  bool gone = false;
  std::string added;
  std::map<std::string, Inner> map;
  std::optional<Inner> perhaps;
  bool operator==(const Patched&) const = default;
  static auto Fields() {
    return json::Object(json::Field("a", &Patched::a), json::Field("flat", &Patched::flat),
                        json::Field("b", &Patched::b), json::Field("c", &Patched::c),
                        json::Field("gone", &Patched::gone), json::Field("new", &Patched::added),
                        json::Field("map", &Patched::map),
                        json::Field("perhaps", &Patched::perhaps));
  }
};

std::string PatchBetween(const char* from, const char* to) {
  return MergePatch(json::Decode<Patched>(from).value(), json::Decode<Patched>(to).value());
}

TEST(MergePatch, TurnsFromIntoTo) {
  const char* from =
      R"({"a":1,"b":{"x":1,"y":2},"c":[1,2],"gone":true,"map":{"k":{"x":1},"l":{"x":1}},)"
      R"("perhaps":{"x":1}})";
  const char* to =
      R"({"a":1,"b":{"x":1,"y":3,"z":4},"c":[2],"new":"n","map":{"k":{"y":1},"m":{"x":1}},)"
      R"("perhaps":{"x":2}})";
  nlohmann::json patched = nlohmann::json::parse(from);
  patched.merge_patch(nlohmann::json::parse(PatchBetween(from, to)));
  EXPECT_EQ(patched, nlohmann::json::parse(to));
}

TEST(MergePatch, ContainsOnlyChangedFields) {
  EXPECT_EQ(PatchBetween(R"({"a":1,"flat":2})", R"({"a":1,"flat":3})"), R"({"flat":3})");
  EXPECT_EQ(PatchBetween(R"({"b":{"x":1}})", R"({"b":{"x":1}})"), "{}");
}

}  // namespace
}  // namespace berth::controllers
