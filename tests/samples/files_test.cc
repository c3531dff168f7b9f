// SPDX-License-Identifier: Apache-2.0
// Parses every sample as strictly as the API server. Each must be valid without warnings and have a
// pod with its scheduler name.
#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>

#include "api/pod.h"
#include "base/file.h"
#include "base/yaml/yaml.h"
#include "controllers/plugin_catalogue.h"
#include "crds/effects.h"
#include "crds/validation.h"
#include "scheduler/plugins/registry.h"

namespace berth::crds {
namespace {

std::vector<std::string> Samples() {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator("samples")) {
    if (entry.is_directory()) folders.push_back(entry.path().string());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

template <class T>
T ReadAs(const std::string& path) {
  const auto text = ReadFile(path);
  EXPECT_TRUE(text.has_value()) << path;
  const auto object = json::Decode<T>(yaml::ToJson(text.value()).value(), json::Mode::kStrict);
  EXPECT_TRUE(object.has_value()) << path << ": " << (object ? "" : object.error().message());
  return object.value();
}

TEST(Samples, AreValidAndHaveAPodWithTheirName) {
  const controllers::PluginCatalogue catalogue(scheduler::MakeRegistry());
  const auto folders = Samples();
  EXPECT_GE(folders.size(), 10u);
  for (const std::string& folder : folders) {
    const auto profile = ReadAs<SchedulerProfile>(folder + "/profile.yaml");
    EXPECT_THAT(Validate(profile, catalogue.view()), testing::IsEmpty()) << folder;
    EXPECT_THAT(Warnings(profile.spec), testing::IsEmpty()) << folder;

    std::vector<std::string> names = profile.spec.aliases;
    names.push_back(profile.metadata.name);
    const auto pod = ReadAs<api::Pod>(folder + "/pod.yaml");
    EXPECT_THAT(names, testing::Contains(pod.spec.scheduler_name)) << folder;
    EXPECT_TRUE(std::filesystem::exists(folder + "/README.md")) << folder;
  }
}

}  // namespace
}  // namespace berth::crds
