// SPDX-License-Identifier: Apache-2.0
// The images of the samples are on the cluster's nodes or can be pulled, and their programs run.
#include <filesystem>
#include <map>
#include <sstream>

#include "base/file.h"
#include "tests/e2e/harness/cluster_test.h"

namespace berth::e2e {
namespace {

// A program of each image that exits on its own. The pause image runs in all other tests; images of
// Berth and of registry.example.com do not come with the samples.
const std::map<std::string, Arguments> kPrograms = {
    {"docker.io/library/python", {"python3", "-c", "import http.server, json, socket, ssl"}},
    {"docker.io/prom/node-exporter", {"node_exporter", "--version"}},
    {"docker.io/prom/prometheus", {"prometheus", "--version"}},
};

// Returns the images of all containers in the manifests of samples, by name without the tag.
std::map<std::string, std::string> ImagesOfSamples() {
  std::map<std::string, std::string> images;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("samples")) {
    if (entry.path().extension() != ".yaml") continue;
    std::istringstream lines(ReadFile(entry.path().string()).value());
    for (std::string line; std::getline(lines, line);) {
      const size_t at = line.find("image: ");
      if (at == std::string::npos) continue;
      const std::string image = line.substr(at + std::string("image: ").size());
      images.emplace(image.substr(0, image.rfind(':')), image);
    }
  }
  std::erase_if(images, [](const auto& image) {
    return image.first == "registry.k8s.io/pause" || image.first == "berth" ||
           image.first.starts_with("registry.example.com/");
  });
  return images;
}

class SampleImages : public ClusterTest {};

TEST_F(SampleImages, RunTheProgramsOfTheSamples) {
  const auto images = ImagesOfSamples();
  EXPECT_FALSE(images.empty());
  for (const auto& [name, image] : images) {
    SCOPED_TRACE(image);
    ASSERT_TRUE(kPrograms.contains(name)) << "a new image; add one of its programs here";
    const std::string pod = name.substr(name.rfind('/') + 1);
    Json object = PausePod(ns_, pod, "default-scheduler", {{"restartPolicy", "Never"}});
    object["spec"]["containers"][0]["image"] = image;
    object["spec"]["containers"][0]["command"] = kPrograms.at(name);
    cluster_.Create("pod", ns_, object);
    EXPECT_TRUE(
        Eventually("the end of the program", std::chrono::seconds(60), [&]() -> std::string {
          const Json now = cluster_.Get("pod", pod, ns_);
          return TextAt(now, "/status/phase") == "Succeeded" ? "" : At(now, "/status").dump();
        }));
  }
}

}  // namespace
}  // namespace berth::e2e
