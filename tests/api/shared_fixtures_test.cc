// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/apps.h"
#include "api/core.h"
#include "api/kubernetes_version.h"
#include "api/node.h"
#include "api/pod.h"
#include "api/policy.h"
#include "api/scheduler_config.h"
#include "base/json/json.h"

namespace berth::api {
namespace {

struct FixtureObjects {
  std::vector<Pod> pods;
  std::vector<Node> nodes;
  std::vector<Service> services;
  std::vector<Namespace> namespaces;
  std::vector<PodDisruptionBudget> pdbs;
  static auto Fields() {
    return json::Object(json::Field("pods", &FixtureObjects::pods),
                        json::Field("nodes", &FixtureObjects::nodes),
                        json::Field("services", &FixtureObjects::services),
                        json::Field("namespaces", &FixtureObjects::namespaces),
                        json::Field("pdbs", &FixtureObjects::pdbs));
  }
};

struct Fixture {
  std::string name;
  json::Raw config;
  FixtureObjects objects;
  std::optional<Pod> pod;
  std::vector<Pod> pod_sequence;
  static auto Fields() {
    return json::Object(
        json::Field("name", &Fixture::name), json::Field("config", &Fixture::config),
        json::Field("objects", &Fixture::objects), json::Field("pod", &Fixture::pod),
        json::Field("podSequence", &Fixture::pod_sequence));
  }
};

std::filesystem::path FixtureFolder() {
  const char* shared = std::getenv("BERTH_SHARED");
  return std::filesystem::path(shared != nullptr ? shared : BERTH_SHARED_DIR) /
         ("conformance-" + kReferenceKubernetes.ToString());
}

template <class T>
void ExpectRoundTrips(const std::vector<T>& objects, const std::string& name) {
  for (const T& object : objects) {
    const auto again = json::Decode<T>(json::Encode(object), json::Mode::kStrict);
    ASSERT_TRUE(again) << name << ": " << again.error().message();
    ASSERT_TRUE(*again == object) << name << ": " << json::Encode(object);
  }
}

void ExpectGood(const Fixture& fixture) {
  ASSERT_FALSE(fixture.name.empty());
  EXPECT_TRUE(fixture.pod.has_value() || !fixture.pod_sequence.empty()) << fixture.name;
  ExpectRoundTrips(fixture.objects.pods, fixture.name);
  ExpectRoundTrips(fixture.objects.nodes, fixture.name);
  ExpectRoundTrips(fixture.objects.services, fixture.name);
  ExpectRoundTrips(fixture.objects.namespaces, fixture.name);
  ExpectRoundTrips(fixture.objects.pdbs, fixture.name);
  ExpectRoundTrips(fixture.pod_sequence, fixture.name);
  for (const Node& node : fixture.objects.nodes) {
    EXPECT_FALSE(node.metadata.name.empty()) << fixture.name;
    EXPECT_FALSE(node.status.allocatable.empty()) << fixture.name;
  }
  for (const Pod& pod : fixture.objects.pods) {
    EXPECT_FALSE(pod.spec.containers.empty()) << fixture.name;
  }
  const auto config = LoadSchedulerConfiguration(fixture.config.text, fixture.name);
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(Aggregate(Validate(*config)), "") << fixture.name;
}

TEST(SharedFixtures, DecodeAndRoundTrip) {
  const std::filesystem::path folder = FixtureFolder();
  if (!std::filesystem::is_directory(folder)) {
    GTEST_SKIP() << "no fixtures at " << folder << "; set BERTH_SHARED to the folder that holds "
                 << folder.filename();
  }
  size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      const auto fixture = json::Decode<Fixture>(line);
      ASSERT_TRUE(fixture) << entry.path() << ": " << fixture.error().message();
      ExpectGood(*fixture);
      ++cases;
    }
  }
  EXPECT_GT(cases, 0u) << "no cases in " << folder;
}

}  // namespace
}  // namespace berth::api
