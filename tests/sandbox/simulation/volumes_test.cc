// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/volumes.h"

#include <unistd.h>

#include <filesystem>

#include <gmock/gmock.h>

#include "base/fake_clock.h"
#include "base/file.h"

namespace berth::simulation {
namespace {

using ::testing::HasSubstr;

class FakeSources final : public PodSources {
 public:
  Result<api::StringMap> ConfigMapData(const std::string&, const std::string& name) override {
    const auto found = config_maps.find(name);
    if (found == config_maps.end()) return Fail(Reason::kNotFound, name + " not found");
    return found->second;
  }
  Result<api::StringMap> SecretData(const std::string&, const std::string& name) override {
    return Fail(Reason::kNotFound, name + " not found");
  }
  Result<std::string> Token(const api::Pod&, const std::string&, int64_t seconds) override {
    return "token " + std::to_string(++tokens) + " for " + std::to_string(seconds) + " s";
  }

  std::map<std::string, api::StringMap> config_maps;
  int tokens = 0;
};

class PodVolumesTest : public ::testing::Test {
 protected:
  PodVolumesTest() {
    pod_.metadata.namespace_ = "shop";
    api::Volume config{.name = "config"};
    config.config_map.emplace().name = "settings";
    api::VolumeProjection token, authority, ns;
    token.service_account_token.emplace() = {
        .audience = "", .expiration_seconds = 1000, .path = "token"};
    authority.config_map.emplace() = {.name = "root", .items = {{.key = "ca", .path = "ca.crt"}}};
    api::DownwardApiVolumeFile file{.path = "namespace"};
    file.field_ref =
        api::ObjectFieldSelector{.api_version = "v1", .field_path = "metadata.namespace"};
    ns.downward_api.emplace().items = {file};
    api::Volume account{.name = "account"};
    account.projected.emplace().sources = {token, authority, ns};
    pod_.spec.volumes = {config, account};
    sources_.config_maps = {{"settings", {{"a.yaml", "one"}}},
                            {"root", {{"ca", "PEM"}, {"x", "y"}}}};
  }
  ~PodVolumesTest() override {
    volumes_.reset();
    std::filesystem::remove_all(root_);
  }

  std::string Content(const std::string& path) {
    return ReadFile(volumes_->root() + "/" + path).value_or("");
  }

  FakeClock clock_;
  FakeSources sources_;
  api::Pod pod_;
  const std::string root_ =
      ::testing::TempDir() + "berth-volumes-test-" + std::to_string(::getpid());
  std::unique_ptr<PodVolumes> volumes_ = std::make_unique<PodVolumes>(root_, sources_, clock_);
};

TEST_F(PodVolumesTest, WritesFiles) {
  const auto written = volumes_->Write(pod_);
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_EQ(Content("config/a.yaml"), "one");
  EXPECT_EQ(Content("account/token"), "token 1 for 1000 s");
  EXPECT_EQ(Content("account/ca.crt"), "PEM");
  EXPECT_EQ(Content("account/namespace"), "shop");
  EXPECT_FALSE(std::filesystem::exists(root_ + "/account/x"));
}

TEST_F(PodVolumesTest, UpdatesConfigMapsAndRenewsTokens) {
  ASSERT_TRUE(volumes_->Write(pod_));
  sources_.config_maps["settings"]["a.yaml"] = "two";
  clock_.Advance(std::chrono::seconds(799));
  ASSERT_TRUE(volumes_->Write(pod_));
  EXPECT_EQ(Content("config/a.yaml"), "two");
  EXPECT_EQ(sources_.tokens, 1);
  clock_.Advance(std::chrono::seconds(1));
  ASSERT_TRUE(volumes_->Write(pod_));
  EXPECT_EQ(Content("account/token"), "token 2 for 1000 s");
}

TEST_F(PodVolumesTest, ErrorNamesMissingObject) {
  sources_.config_maps.erase("settings");
  const auto written = volumes_->Write(pod_);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message(), HasSubstr("volume config: ConfigMap settings"));
  pod_.spec.volumes[0].config_map.Edit().optional = true;
  EXPECT_TRUE(volumes_->Write(pod_));
}

TEST_F(PodVolumesTest, RejectsUnknownVolumeTypes) {
  pod_.spec.volumes[0] = {.name = "disk"};
  pod_.spec.volumes[0].host_path.emplace().path = "/";
  const auto written = volumes_->Write(pod_);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message(),
              HasSubstr("volume disk: found a volume type that is not simulated"));
}

TEST_F(PodVolumesTest, DestructorRemovesFiles) {
  ASSERT_TRUE(volumes_->Write(pod_));
  volumes_.reset();
  EXPECT_FALSE(std::filesystem::exists(root_));
}

}  // namespace
}  // namespace berth::simulation
