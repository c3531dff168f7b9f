// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/container_command.h"

#include <gmock/gmock.h>

namespace berth::simulation {
namespace {

using ::testing::HasSubstr;

class NoSources final : public PodSources {
 public:
  Result<api::StringMap> ConfigMapData(const std::string&, const std::string& name) override {
    if (name == "settings") return api::StringMap{{"level", "3"}};
    return Fail(Reason::kNotFound, "configmaps \"" + name + "\" not found");
  }
  Result<api::StringMap> SecretData(const std::string&, const std::string& name) override {
    return Fail(Reason::kNotFound, "secrets \"" + name + "\" not found");
  }
  Result<std::string> Token(const api::Pod&, const std::string&, int64_t) override {
    return std::string("token");
  }
};

TEST(HostArgument, MapsMountPathsToHostPaths) {
  const Mounts mounts = {{"/etc/berth", "/tmp/p/config"}, {"/etc/berth/extra", "/tmp/p/extra"}};
  EXPECT_EQ(HostArgument("--config=/etc/berth/a.yaml", mounts, "127.0.0.9"),
            "--config=/tmp/p/config/a.yaml");
  EXPECT_EQ(HostArgument("/etc/berth/extra/b", mounts, "127.0.0.9"), "/tmp/p/extra/b");
  EXPECT_EQ(HostArgument("--config=/etc/berth2/a", mounts, "127.0.0.9"), "--config=/etc/berth2/a");
  EXPECT_EQ(HostArgument("/etc/berth", mounts, "127.0.0.9"), "/tmp/p/config");
}

TEST(HostArgument, WildcardAddressBecomesPodIp) {
  EXPECT_EQ(HostArgument("--bind-address=0.0.0.0", {}, "127.0.0.9"), "--bind-address=127.0.0.9");
  EXPECT_EQ(HostArgument("--metrics-bind-address=:8080", {}, "127.0.0.9"),
            "--metrics-bind-address=127.0.0.9:8080");
  EXPECT_EQ(HostArgument("--listen=0.0.0.0:80", {}, "127.0.0.9"), "--listen=127.0.0.9:80");
  EXPECT_EQ(HostArgument("--listen=[::]:80", {}, "127.0.0.9"), "--listen=127.0.0.9:80");
  EXPECT_EQ(HostArgument("--listen=10.0.0.1:80", {}, "127.0.0.9"), "--listen=10.0.0.1:80");
  EXPECT_EQ(HostArgument("--tag=:latest", {}, "127.0.0.9"), "--tag=:latest");
}

TEST(MountsOf, ResolvesSubPaths) {
  api::Container container;
  container.volume_mounts = {{.name = "config", .mount_path = "/etc/berth/"},
                             {.name = "data", .mount_path = "/data", .sub_path = "a"}};
  const Mounts mounts = MountsOf(container, "/root");
  EXPECT_EQ(mounts.at("/etc/berth"), "/root/config");
  EXPECT_EQ(mounts.at("/data"), "/root/data/a");
}

TEST(ExpandVariables, ResolvesReferencesAndEscapes) {
  const api::StringMap variables = {{"A", "1"}};
  EXPECT_EQ(ExpandVariables("x$(A)y", variables), "x1y");
  EXPECT_EQ(ExpandVariables("$(B) $$(A) $", variables), "$(B) $(A) $");
}

TEST(EnvironmentOf, ResolvesFieldsAndKeysInOrder) {
  api::Pod pod;
  pod.metadata.name = "p";
  pod.metadata.labels = {{"app", "web"}};
  api::Container container;
  container.env.resize(4);
  container.env[0].name = "NAME";
  container.env[0].value_from.emplace().field_ref.emplace().field_path = "metadata.name";
  container.env[1].name = "LEVEL";
  container.env[1].value_from.emplace().config_map_key_ref.emplace() = {.name = "settings",
                                                                        .key = "level"};
  container.env[2] = {.name = "BOTH", .value = "$(NAME)-$(LEVEL)"};
  container.env[3].name = "APP";
  container.env[3].value_from.emplace().field_ref.emplace().field_path = "metadata.labels['app']";
  NoSources sources;
  const auto variables = EnvironmentOf(container, pod, "127.0.0.9", sources);
  ASSERT_TRUE(variables) << variables.error().message();
  EXPECT_EQ(variables->at("BOTH"), "p-3");
  EXPECT_EQ(variables->at("APP"), "web");
}

TEST(EnvironmentOf, ErrorNamesMissingObject) {
  api::Container container;
  container.env.resize(1);
  container.env[0].name = "LEVEL";
  container.env[0].value_from.emplace().config_map_key_ref.emplace() = {.name = "settings",
                                                                        .key = "depth"};
  NoSources sources;
  const auto variables = EnvironmentOf(container, {}, "", sources);
  ASSERT_FALSE(variables);
  EXPECT_THAT(variables.error().message(), HasSubstr("variable LEVEL: couldn't find key depth"));
  container.env[0].value_from.Edit().config_map_key_ref.Edit().optional = true;
  EXPECT_TRUE(EnvironmentOf(container, {}, "", sources));
}

}  // namespace
}  // namespace berth::simulation
