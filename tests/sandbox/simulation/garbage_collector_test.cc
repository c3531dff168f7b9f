// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/garbage_collector.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/apiextensions.h"
#include "api/core.h"
#include "base/fake_clock.h"
#include "sandbox/apiserver/server.h"
#include "tests/support/http/stub_server.h"

namespace berth::simulation {
namespace {

using Json = nlohmann::json;
using http::Eventually;

constexpr std::chrono::seconds kCollectLimit(30);
constexpr api::ResourceInfo kThings{.group = "example.com",
                                    .version = "v1",
                                    .kind = "Thing",
                                    .plural = "things",
                                    .namespaced = true};

// The collector's clock stands still, so that no periodic discovery runs.
class GarbageCollectorTest : public ::testing::Test {
 protected:
  GarbageCollectorTest() {
    apiserver::ServerOptions options;
    options.anonymous_admin = true;
    server_ = std::move(*apiserver::Server::Start(std::move(options), clock_));
    client::ClientConfig config;
    config.server = server_->url();
    client_ = std::move(*client::Client::Create(config, {.component = "test"}, clock_));
    collector_ = std::make_unique<GarbageCollector>(*client_, still_);
  }
  ~GarbageCollectorTest() override { collector_.reset(); }

  // Returns the new object's uid.
  std::string Create(const api::ResourceInfo& resource, const Json& object) {
    const std::string ns = resource.namespaced ? "default" : "";
    const auto created = client_->Call(client::CreateRequest(resource, ns, object.dump()));
    EXPECT_TRUE(created) << created.error().message();
    return created ? Json::parse(*created)["metadata"]["uid"].get<std::string>() : "";
  }
  void CreateOwned(const std::string& name, const Json& owner) {
    Create(api::ConfigMap::kResource,
           {{"apiVersion", "v1"},
            {"kind", "ConfigMap"},
            {"metadata", {{"name", name}, {"ownerReferences", Json::array({owner})}}}});
  }
  bool IsGone(const std::string& config_map) {
    const auto found = client_->Get<api::ConfigMap>("default", config_map);
    return !found && found.error().Is(Reason::kNotFound);
  }

  static Json Definition() {
    const Json schema = {{"openAPIV3Schema", {{"type", "object"}}}};
    return {{"apiVersion", "apiextensions.k8s.io/v1"},
            {"kind", "CustomResourceDefinition"},
            {"metadata", {{"name", "things.example.com"}}},
            {"spec",
             {{"group", "example.com"},
              {"names", {{"kind", "Thing"}, {"plural", "things"}}},
              {"scope", "Namespaced"},
              {"versions",
               Json::array(
                   {{{"name", "v1"}, {"served", true}, {"storage", true}, {"schema", schema}}})}}}};
  }

  SystemClock clock_;
  FakeClock still_;
  std::unique_ptr<apiserver::Server> server_;
  std::unique_ptr<client::Client> client_;
  std::unique_ptr<GarbageCollector> collector_;
};

TEST_F(GarbageCollectorTest, DiscoversNewKindAtOnce) {
  // Once this one is collected, the initial resources are known.
  CreateOwned("first",
              {{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"name", "none"}, {"uid", "none"}});
  collector_->Start();
  ASSERT_TRUE(Eventually([&] { return IsGone("first"); }, kCollectLimit));

  Create(api::CustomResourceDefinition::kResource, Definition());
  const std::string uid = Create(
      kThings,
      {{"apiVersion", "example.com/v1"}, {"kind", "Thing"}, {"metadata", {{"name", "owner"}}}});
  CreateOwned(
      "second",
      {{"apiVersion", "example.com/v1"}, {"kind", "Thing"}, {"name", "owner"}, {"uid", uid}});
  ASSERT_TRUE(client_->Call(client::DeleteRequest(kThings, "default", "owner")));
  EXPECT_TRUE(Eventually([&] { return IsGone("second"); }, kCollectLimit));
}

}  // namespace
}  // namespace berth::simulation
