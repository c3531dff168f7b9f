// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <tuple>

#include <gtest/gtest.h>

#include "api/apiextensions.h"
#include "api/core.h"
#include "api/pod_group.h"
#include "client/informer.h"
#include "crds/pod_group.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/ipv6.h"
#include "tests/support/http/stub_server.h"

// An informer on an API server with random faults.
namespace berth::client {
namespace {

using std::chrono::milliseconds;
using Versions = std::map<std::string, std::string>;  // of objects, by name

template <class Objects>
Versions VersionsOf(const Objects& objects) {
  Versions versions;
  for (const auto& object : objects) {
    versions[object->metadata.name] = object->metadata.resource_version;
  }
  return versions;
}

// Mirror rebuilds the objects from the changes alone and checks that the changes are consistent.
class Mirror {
 public:
  void Take(const api::Change<api::ConfigMap>& change) {
    const std::lock_guard lock(mutex_);
    const api::ObjectMeta& metadata = change.newest().metadata;
    EXPECT_EQ(versions_.contains(metadata.name), change.type != api::ChangeType::kAdded)
        << metadata.name;
    if (change.type == api::ChangeType::kDeleted) {
      versions_.erase(metadata.name);
    } else {
      versions_[metadata.name] = metadata.resource_version;
    }
  }
  Versions versions() const {
    const std::lock_guard lock(mutex_);
    return versions_;
  }

 private:
  mutable std::mutex mutex_;  // guards versions_
  Versions versions_;
};

// Parameters: the random seed; whether the server streams initial events; its address, because IPv6
// uses another HTTP library.
class InformerOnServer : public testing::TestWithParam<std::tuple<uint64_t, bool, const char*>> {
 protected:
  void SetUp() override {
    if (IsIpv6() && !http::HasIpv6()) GTEST_SKIP() << http::kNoIpv6;
  }

  static uint64_t Seed() { return std::get<0>(GetParam()); }
  static bool IsIpv6() { return std::get<2>(GetParam()) == std::string_view("::1"); }

  static apiserver::ServerOptions Options() {
    apiserver::ServerOptions options;
    options.seed = Seed();
    options.watch_list = std::get<1>(GetParam());
    if (!IsIpv6() || http::HasIpv6()) options.address = std::get<2>(GetParam());
    return options;
  }

  // Creates, changes or deletes one of a few objects.
  void Write() {
    api::ConfigMap map;
    map.metadata.namespace_ = "default";
    map.metadata.name = "map-" + std::to_string(random_() % 8);
    map.data["value"] = std::to_string(random_());
    if (client_.Create(map)) return;
    const bool deletes = random_() % 3 == 0;
    EXPECT_TRUE(deletes ? client_.Delete<api::ConfigMap>("default", map.metadata.name).has_value()
                        : client_.Apply(map, "test").has_value());
  }

  std::mt19937_64 random_{Seed()};
  apiserver::InMemoryServer memory_{Options()};
  Client& client_ = memory_.client();
};

TEST_P(InformerOnServer, ConvergesToServerStateDespiteFaults) {
  for (const char* rule : {
           R"({"action": "fail", "verb": "list", "probability": 0.3})",
           R"({"action": "drop", "verb": "watch", "probability": 0.2})",
           R"({"action": "drop", "when": "after", "verb": "list", "probability": 0.2})",
           R"({"action": "delay", "verb": "watch", "probability": 0.5, "delayMilliseconds": 3})",
           R"({"action": "stale", "verb": "list", "probability": 0.5, "lag": 4})",
       }) {
    memory_.Inject(rule);
  }
  Mirror mirror;
  Informer<api::ConfigMap> informer(
      client_, {.ns = "default", .first_backoff = milliseconds(1), .max_backoff = milliseconds(4)},
      memory_.clock());
  informer.Listen([&](const api::Change<api::ConfigMap>& change) { mirror.Take(change); });
  informer.Start();
  for (int i = 1; i <= 120; ++i) {
    Write();
    if (i % 10 == 0) memory_.server().CutWatches("configmaps");
    if (i % 25 == 0) memory_.server().CompactHistory();
    const std::lock_guard lock(informer.store().changes());
    EXPECT_EQ(mirror.versions(), VersionsOf(informer.store().List()))
        << "listeners have seen the stored state";
  }
  memory_.server().ClearFaults();
  memory_.server().CutWatches("configmaps");

  const auto list = client_.List<api::ConfigMap>("default");
  ASSERT_TRUE(list) << list.error().message();
  const Versions wanted = VersionsOf(list->items);
  EXPECT_TRUE(http::Eventually([&] { return VersionsOf(informer.store().List()) == wanted; }));
  EXPECT_EQ(mirror.versions(), wanted);
  informer.Stop();
}

TEST(InformerOfACustomKind, FollowsCustomResourceDefinition) {
  apiserver::InMemoryServer memory;
  Client& client = memory.client();
  Informer<api::PodGroup> groups(
      client,
      {.first_backoff = milliseconds(1), .max_backoff = milliseconds(4), .may_be_absent = true},
      memory.clock());
  groups.Start();
  EXPECT_TRUE(http::Eventually([&] { return groups.synced() && groups.status().absent; }));
  const auto define = [&] {
    ASSERT_TRUE(client.Create(crds::PodGroupDefinition()));
    api::PodGroup group;
    group.metadata.namespace_ = "default";
    group.metadata.name = "workers";
    group.spec.min_member = 2;
    EXPECT_TRUE(http::Eventually([&] { return client.Create(group).has_value(); }));
    EXPECT_TRUE(http::Eventually([&] { return groups.store().size() == 1; }));
    EXPECT_FALSE(groups.status().absent);
  };
  define();
  ASSERT_TRUE(
      client.Delete<api::CustomResourceDefinition>("", crds::PodGroupDefinition().metadata.name));
  EXPECT_TRUE(http::Eventually([&] { return groups.store().size() == 0; }));
  EXPECT_TRUE(http::Eventually([&] { return groups.status().absent; }));
  define();
}

INSTANTIATE_TEST_SUITE_P(Seeds, InformerOnServer,
                         testing::Combine(testing::Values(1, 2, 3), testing::Bool(),
                                          testing::Values("127.0.0.1", "::1")));

}  // namespace
}  // namespace berth::client
