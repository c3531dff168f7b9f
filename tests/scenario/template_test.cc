// SPDX-License-Identifier: Apache-2.0
#include "scenario/template.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenario/objects.h"

namespace berth::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Keys(Kind kind, const std::string& json) {
  const auto templates = Expand(kind, {json});
  EXPECT_TRUE(templates) << templates.error().message();
  std::vector<std::string> keys;
  for (const Template& one : *templates) keys.push_back(one.key);
  return keys;
}

std::string TemplateRejection(Kind kind, const std::string& json) {
  const auto templates = Expand(kind, {json});
  return templates ? "taken" : templates.error().message();
}

api::Pod Pod(const std::string& json) {
  const auto pod = MakePod(Expand(Kind::kPod, {json})->front(), Time());
  EXPECT_TRUE(pod) << pod.error().message();
  return *pod;
}

api::Node Node(const std::string& json) {
  const auto node = MakeNode(Expand(Kind::kNode, {json})->front());
  EXPECT_TRUE(node) << node.error().message();
  return *node;
}

TEST(Expand, NumbersObjectsWithACount) {
  EXPECT_THAT(Keys(Kind::kNode, R"({"name": "node"})"), ElementsAre("node"));
  EXPECT_THAT(Keys(Kind::kNode, R"({"name": "node", "count": 2})"),
              ElementsAre("node-0", "node-1"));
  EXPECT_THAT(Keys(Kind::kNode, R"({"name": "n$(i)-x", "count": 2})"), ElementsAre("n0-x", "n1-x"));
  EXPECT_THAT(Keys(Kind::kPod, R"({"name": "web", "count": 1})"), ElementsAre("default/web-0"));
  EXPECT_THAT(Keys(Kind::kPod, R"({"name": "web", "namespace": "blue"})"), ElementsAre("blue/web"));
  EXPECT_THAT(Keys(Kind::kPod, R"({"name": "web", "namespace": null})"),
              ElementsAre("default/web"));
  EXPECT_THAT(Keys(Kind::kPod, R"({"name": "web", "count": 0})"), IsEmpty());
}

TEST(Expand, SubstitutesTheNumberInTexts) {
  const auto nodes = Expand(Kind::kNode, {R"json({"name": "node", "count": 5, "zone": "z$(i%3)",
      "labels": {"i": "$(i)$(j)$(i%0)$(i"}})json"});
  ASSERT_TRUE(nodes);
  const auto last = MakeNode(nodes->back());
  ASSERT_TRUE(last);
  EXPECT_EQ(last->metadata.labels.at("topology.kubernetes.io/zone"), "z1");
  EXPECT_EQ(last->metadata.labels.at("i"), "4$(j)$(i%0)$(i");
}

TEST(Expand, SubstitutesTheNumberInQuantities) {
  const auto pods =
      Expand(Kind::kPod, {R"({"name": "web", "count": 3, "requests": {"cpu": "1$(i)0m"}})"});
  ASSERT_TRUE(pods) << pods.error().message();
  const auto pod = MakePod(pods->at(2), Time());
  ASSERT_TRUE(pod);
  EXPECT_EQ(pod->spec.containers.at(0).resources.requests.at("cpu").MilliValue(), 120);
}

TEST(Expand, RejectsInvalidTemplates) {
  EXPECT_EQ(TemplateRejection(Kind::kNode, R"({"name": "n", "tains": []})"),
            "unknown field \"tains\"; nearest: taints");
  EXPECT_EQ(TemplateRejection(Kind::kPod, R"({"name": "p", "tolerations": [{"keys": "a"}]})"),
            "unknown field \"tolerations[0].keys\"; nearest: key");
  EXPECT_EQ(TemplateRejection(Kind::kPod, R"({"labels": {}})"), "name: is missing");
  EXPECT_EQ(TemplateRejection(Kind::kPod, R"(["web"])"), "expected an object with a name");
  EXPECT_THAT(TemplateRejection(Kind::kNode, R"({"name": "n", "count": -1})"),
              HasSubstr("count: -1 is outside of [0, 200000]"));
  EXPECT_THAT(TemplateRejection(Kind::kNode, R"({"name": "n", "allocatable": {"cpu": "4x"}})"),
              HasSubstr("allocatable.cpu: quantity \"4x\""));
  EXPECT_EQ(
      TemplateRejection(Kind::kNode, R"({"name": "n", "manifest": {}, "labels": {"a": "b"}})"),
      "labels: cannot be combined with manifest; move it into the manifest");
  EXPECT_EQ(TemplateRejection(Kind::kPod, R"({"manifest": {"metadata": []}})"),
            "manifest.metadata: expected an object");
  EXPECT_EQ(TemplateRejection(Kind::kPod, R"({"manifest": {"metadata": {"name": 1}}})"),
            "name: is missing");
  EXPECT_EQ(
      TemplateRejection(Kind::kPod, R"({"name": "p", "manifest": {"metadata": {"namespace": 1}}})"),
      "manifest.metadata.namespace: expected a string");
}

TEST(MakeNode, SetsDefaults) {
  const api::Node node =
      Node(R"({"name": "n", "allocatable": {"cpu": 4}, "images": {"app:v1": "1Ki"}})");
  EXPECT_EQ(node.status.allocatable.at("pods").Value(), 110);
  EXPECT_EQ(node.status.allocatable.at("cpu").Value(), 4);
  EXPECT_EQ(node.status.images.at(0).size_bytes, 1024);
  EXPECT_EQ(
      Node(R"({"name": "n", "allocatable": {"pods": 2}})").status.allocatable.at("pods").Value(),
      2);
}

TEST(MakePod, HasOneContainerByDefault) {
  const api::Pod pod = Pod(R"({"name": "p", "requests": {"cpu": 1}, "ports": [{"hostPort": 80}]})");
  ASSERT_EQ(pod.spec.containers.size(), 1u);
  EXPECT_EQ(pod.spec.containers[0].resources.requests.at("cpu").Value(), 1);
  EXPECT_EQ(pod.spec.containers[0].ports.at(0).container_port, 80);
  EXPECT_EQ(pod.spec.scheduler_name, "default-scheduler");
  EXPECT_EQ(pod.metadata.namespace_, "default");

  const auto both =
      Expand(Kind::kPod, {R"({"name": "p", "image": "a", "containers": [{"name": "main"}]})"});
  const auto rejected = MakePod(both->front(), Time());
  ASSERT_FALSE(rejected);
  EXPECT_THAT(rejected.error().message(),
              HasSubstr("containers: requests, limits, image and ports"));
}

TEST(MakePod, AcceptsAManifest) {
  const api::Pod pod = Pod(R"({"name": "p", "manifest": {"kind": "Pod", "metadata": {"uid": "u",
      "managedFields": []}, "spec": {"nodeName": "n", "hostAliases": []}}})");
  EXPECT_EQ(pod.metadata.name, "p");
  EXPECT_EQ(pod.metadata.uid, "u");
  EXPECT_EQ(pod.metadata.namespace_, "default");
  EXPECT_EQ(pod.spec.node_name, "n");
}

TEST(Merge, ReplacesGivenFieldsAndRemovesNulls) {
  const Template node = Expand(Kind::kNode, {R"({"name": "n", "labels": {"a": "1", "b": "2"},
      "taints": [{"key": "t", "effect": "NoSchedule"}]})"})
                            ->front();
  const Template patch =
      Expand(Kind::kNode, {R"({"name": "n", "labels": {"a": null, "c": "3"}, "taints": null})"})
          ->front();
  const auto merged = Merge(Kind::kNode, node, patch);
  ASSERT_TRUE(merged) << merged.error().message();
  const auto made = MakeNode(*merged);
  EXPECT_EQ(made->metadata.labels, (api::StringMap{{"b", "2"}, {"c", "3"}}));
  EXPECT_THAT(made->spec.taints, IsEmpty());
}

TEST(Merge, RejectsManifestWithShorthandFields) {
  const Template whole = Expand(Kind::kNode, {R"({"name": "n", "manifest": {}})"})->front();
  const Template patch = Expand(Kind::kNode, {R"({"name": "n", "zone": "z"})"})->front();
  const auto merged = Merge(Kind::kNode, whole, patch);
  ASSERT_FALSE(merged);
  EXPECT_THAT(merged.error().message(), HasSubstr("zone: cannot be combined with manifest"));
}

TEST(Identities, DependOnSeedAndIncarnation) {
  const auto uid = [](Identities& identities) {
    api::ObjectMeta metadata;
    metadata.name = "web";
    identities.Give("pod", metadata, Time());
    return metadata.uid;
  };
  Identities one(1), same(1), other(2);
  const std::string first = uid(one);
  EXPECT_EQ(first, uid(same));
  EXPECT_NE(first, uid(other));
  EXPECT_NE(first, uid(one)) << "created again with the same name";
}

TEST(PodKey, IsTheInverseOfShortKey) {
  EXPECT_EQ(PodKey("web"), "default/web");
  EXPECT_EQ(PodKey("blue/web"), "blue/web");
  EXPECT_EQ(ShortKey("default/web"), "web");
  EXPECT_EQ(ShortKey("blue/web"), "blue/web");
}

}  // namespace
}  // namespace berth::scenario
