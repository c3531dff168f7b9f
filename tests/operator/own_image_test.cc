// SPDX-License-Identifier: Apache-2.0
#include "operator/own_image.h"

#include <map>

#include <gmock/gmock.h>

namespace berth::operator_ {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

api::Pod PodWith(const std::map<std::string, std::string>& images) {
  api::Pod pod;
  pod.metadata.namespace_ = "other";
  pod.metadata.name = "berth-operator-1";
  for (const auto& [name, image] : images) {
    pod.spec.containers.push_back({.name = name, .image = image});
  }
  return pod;
}

client::Environment EnvironmentOf(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

TEST(FindOwnPod, NeedsNameAndNamespace) {
  const auto pod = FindOwnPod(EnvironmentOf({{"POD_NAME", "a"}, {"POD_NAMESPACE", "other"}}));
  ASSERT_TRUE(pod.has_value());
  EXPECT_EQ(pod->ns, "other");
  EXPECT_EQ(pod->name, "a");
  EXPECT_FALSE(FindOwnPod(EnvironmentOf({{"POD_NAME", "a"}})));
  EXPECT_FALSE(FindOwnPod(EnvironmentOf({{"POD_NAMESPACE", "other"}, {"POD_NAME", ""}})));
}

TEST(OwnImageIn, ReturnsImageOfOperatorContainerUnchanged) {
  const std::string image = "registry.example.com:5000/b/berth@sha256:0123";
  api::Pod pod = PodWith({{"a-proxy", "proxy:1"}, {"manager", image}});
  pod.spec.image_pull_secrets = {{"pull"}};
  const auto own = OwnImageIn(pod);
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ(own->name, image);
  EXPECT_THAT(own->pull_secrets, ElementsAre(api::LocalObjectReference{"pull"}));
  EXPECT_EQ(own->secrets_namespace, "other");
}

TEST(OwnImageIn, ReturnsImageOfOnlyContainer) {
  EXPECT_EQ(OwnImageIn(PodWith({{"berth", "berth:2"}}))->name, "berth:2");
}

TEST(OwnImageIn, FailsForSeveralUnknownContainers) {
  const auto own = OwnImageIn(PodWith({{"a", "a:1"}, {"b", "b:1"}}));
  ASSERT_FALSE(own.has_value());
  EXPECT_THAT(own.error().message(),
              HasSubstr("Pod other/berth-operator-1 has 2 containers, none with the name manager: "
                        "set the image of schedulers with --scheduler-image"));
}

TEST(SetDefaultImage, ReplacesAllowedImage) {
  controllers::PlanOptions options;
  options.allowances.images = {"ours/*"};
  options.default_image.architecture = "arm64";
  SetDefaultImage({.name = "berth:1"}, options);
  EXPECT_THAT(options.allowances.images, ElementsAre("berth:1", "ours/*"));
  SetDefaultImage({.name = "mirror/berth:1"}, options);
  EXPECT_THAT(options.allowances.images, ElementsAre("mirror/berth:1", "ours/*"));
  EXPECT_EQ(options.default_image.name, "mirror/berth:1");
  EXPECT_EQ(options.default_image.architecture, "arm64");
}

}  // namespace
}  // namespace berth::operator_
