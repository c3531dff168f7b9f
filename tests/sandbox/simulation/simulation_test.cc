// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/simulation.h"

#include <memory>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "sandbox/simulation/requests.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/stub_server.h"

// The controllers and the kubelet together, on the in-memory API server. Templates set nodeName,
// since there is no scheduler.
namespace berth::simulation {
namespace {

using Json = nlohmann::json;
using http::Eventually;

constexpr std::chrono::seconds kLimit(30);

class SimulationTest : public ::testing::Test {
 protected:
  SimulationTest() {
    simulation_ = std::make_unique<Simulation>(
        *client_, memory_.clock(),
        SimulationOptions{
            .root_ca = "",
            .kubelet = {
                .berth_image = "",
                .processes = {.berth = "",
                              .commands = {{"greet", "/bin/sh"}},
                              .folder = ::testing::TempDir(),
                              .api_host = "",
                              .api_port = "",
                              .host_networks = {{"n1", {"/usr/bin/env", "NETWORK=of-n1"}}}}}});
    simulation_->AddNode({.name = "n1", .allocatable = {{"cpu", Quantity::FromValue(4)}}});
    simulation_->Start();
    EXPECT_TRUE(Eventually([&] { return simulation_->RegisteredNodes() == 1; }, kLimit));
    EXPECT_TRUE(Eventually(
        [&] { return client_->Get<api::ServiceAccount>("default", "default").has_value(); },
        kLimit));
  }
  ~SimulationTest() override { simulation_.reset(); }

  void Create(const api::ResourceInfo& resource, const std::string& ns, const Json& object) {
    const auto created = client_->Call(client::CreateRequest(resource, ns, object.dump()));
    ASSERT_TRUE(created) << created.error().message();
  }
  void CreateDeployment(const std::string& ns, int replicas) {
    const Json pod = {
        {"metadata", {{"labels", {{"app", "web"}}}}},
        {"spec",
         {{"nodeName", "n1"}, {"containers", Json::array({{{"name", "c"}, {"image", "web:1"}}})}}}};
    Create(Deployment::kResource, ns,
           {{"apiVersion", "apps/v1"},
            {"kind", "Deployment"},
            {"metadata", {{"name", "web"}}},
            {"spec",
             {{"replicas", replicas},
              {"selector", {{"matchLabels", {{"app", "web"}}}}},
              {"template", pod}}}});
  }
  void SetImage(const std::string& image) {
    const Json containers = Json::array({{{"name", "c"}, {"image", image}}});
    const Json patch = {{"spec", {{"template", {{"spec", {{"containers", containers}}}}}}}};
    const auto done = client_->Call(
        client::PatchRequest(Deployment::kResource, "default", "web", patch.dump(),
                             {.type = client::PatchType::kStrategicMerge, .field_manager = ""}));
    ASSERT_TRUE(done) << done.error().message();
  }
  bool IsComplete(const std::string& ns, int replicas) {
    const auto deployment = client_->Get<Deployment>(ns, "web");
    return deployment &&
           deployment->status.observed_generation == deployment->metadata.generation &&
           deployment->status.updated_replicas == replicas &&
           deployment->status.replicas == replicas &&
           deployment->status.available_replicas == replicas;
  }
  // Returns the images of the running pods.
  std::multiset<std::string> Images(const std::string& ns = "default") {
    std::multiset<std::string> images;
    const auto pods = client_->List<api::Pod>(ns);
    if (!pods) return images;
    for (const auto& pod : pods->items) {
      if (!pod->metadata.deletion_timestamp && pod->status.phase == "Running") {
        images.insert(pod->spec.containers[0].image);
      }
    }
    return images;
  }
  template <class T>
  size_t Count(const std::string& ns = "default") {
    const auto list = client_->List<T>(ns);
    return list ? list->items.size() : size_t{9999};
  }

  apiserver::InMemoryServer memory_;
  client::Client* const client_ = &memory_.client();
  std::unique_ptr<Simulation> simulation_;
};

TEST_F(SimulationTest, DeploymentRollsOutAndBack) {
  CreateDeployment("default", 3);
  ASSERT_TRUE(Eventually([&] { return IsComplete("default", 3); }, kLimit));
  SetImage("web:2");
  ASSERT_TRUE(
      Eventually([&] { return IsComplete("default", 3) && Images().count("web:2") == 3; }, kLimit));
  EXPECT_EQ(Count<ReplicaSet>(), 2U);
  SetImage("web:1");
  ASSERT_TRUE(
      Eventually([&] { return IsComplete("default", 3) && Images().count("web:1") == 3; }, kLimit));
  EXPECT_EQ(Count<ReplicaSet>(), 2U);
  const auto deployment = client_->Get<Deployment>("default", "web");
  EXPECT_EQ(deployment->metadata.annotations.at(kRevisionAnnotation), "3");
}

TEST_F(SimulationTest, DeletingDeploymentDeletesItsPods) {
  CreateDeployment("default", 2);
  ASSERT_TRUE(Eventually([&] { return IsComplete("default", 2); }, kLimit));
  api::DeleteOptions options;
  options.propagation_policy = "Foreground";
  ASSERT_TRUE(client_->Delete<Deployment>("default", "web", options));
  EXPECT_TRUE(Eventually(
      [&] {
        return Count<Deployment>() == 0 && Count<ReplicaSet>() == 0 && Count<api::Pod>() == 0;
      },
      kLimit));
}

TEST_F(SimulationTest, OrphansAreKept) {
  CreateDeployment("default", 1);
  ASSERT_TRUE(Eventually([&] { return IsComplete("default", 1); }, kLimit));
  api::DeleteOptions options;
  options.propagation_policy = "Orphan";
  ASSERT_TRUE(client_->Delete<Deployment>("default", "web", options));
  ASSERT_TRUE(Eventually([&] { return Count<Deployment>() == 0; }, kLimit));
  const auto sets = client_->List<ReplicaSet>("default");
  ASSERT_TRUE(sets);
  ASSERT_EQ(sets->items.size(), 1U);
  EXPECT_TRUE(sets->items[0]->metadata.owner_references.empty());
}

TEST_F(SimulationTest, NamespaceIsEmptiedAndDeleted) {
  Create(api::Namespace::kResource, "",
         {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "shop"}}}});
  ASSERT_TRUE(Eventually(
      [&] { return client_->Get<api::ServiceAccount>("shop", "default").has_value(); }, kLimit));
  CreateDeployment("shop", 2);
  ASSERT_TRUE(Eventually([&] { return IsComplete("shop", 2); }, kLimit));
  ASSERT_TRUE(client_->Delete<api::Namespace>("", "shop"));
  EXPECT_TRUE(Eventually(
      [&] {
        const auto ns = client_->Get<api::Namespace>("", "shop");
        return !ns && ns.error().Is(Reason::kNotFound);
      },
      kLimit));
}

Json PodOn(const std::string& node, const std::string& cpu, const Json& annotations) {
  const Json container = {
      {"name", "c"}, {"image", "x"}, {"resources", {{"requests", {{"cpu", cpu}}}}}};
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", {{"name", "p"}, {"annotations", annotations}}},
          {"spec", {{"nodeName", node}, {"containers", Json::array({container})}}}};
}

TEST_F(SimulationTest, PodThatDoesNotFitIsRejected) {
  Create(api::Pod::kResource, "default", PodOn("n1", "5", Json::object()));
  ASSERT_TRUE(Eventually(
      [&] {
        const auto pod = client_->Get<api::Pod>("default", "p");
        return pod && pod->status.phase == "Failed";
      },
      kLimit));
  const auto pod = client_->Get<api::Pod>("default", "p");
  EXPECT_EQ(pod->status.reason, "OutOfcpu");
}

TEST_F(SimulationTest, RunsKnownProgramsAndSimulatesOthers) {
  Json pod = PodOn("n1", "1", Json::object());
  pod["spec"]["restartPolicy"] = "Never";
  pod["spec"]["automountServiceAccountToken"] = false;
  pod["spec"]["containers"][0]["command"] = {"greet", "-c", "test $HOSTNAME = p"};
  Create(api::Pod::kResource, "default", pod);
  pod["metadata"]["name"] = "pretends";
  pod["spec"]["containers"][0]["command"] = {"elsewhere", "-c", "test $HOSTNAME = p"};
  Create(api::Pod::kResource, "default", pod);
  const auto reaches = [this](const char* name, const char* phase) {
    return Eventually(
        [&] {
          const auto found = client_->Get<api::Pod>("default", name);
          return found && found->status.phase == phase;
        },
        kLimit);
  };
  EXPECT_TRUE(reaches("p", "Succeeded"));
  EXPECT_TRUE(reaches("pretends", "Running"));
}

TEST_F(SimulationTest, HostNetworkProgramHasNameAndAddressOfNode) {
  Json pod = PodOn("n1", "1", Json::object());
  pod["spec"]["hostNetwork"] = true;
  pod["spec"]["restartPolicy"] = "Never";
  pod["spec"]["automountServiceAccountToken"] = false;
  pod["spec"]["containers"][0]["command"] = {"greet", "-c", "test $HOSTNAME$NETWORK = n1of-n1"};
  Create(api::Pod::kResource, "default", pod);
  EXPECT_TRUE(Eventually(
      [&] {
        const auto found = client_->Get<api::Pod>("default", "p");
        return found && found->status.phase == "Succeeded";
      },
      kLimit));
  const auto text = client_->Call(client::GetRequest(api::Pod::kResource, "default", "p"));
  EXPECT_EQ(Json::parse(*text)["status"]["podIP"],
            client_->Get<api::Node>("", "n1")->status.addresses.at(0).address);
}

TEST_F(SimulationTest, PodWithRunSecondsSucceeds) {
  Create(api::Pod::kResource, "default", PodOn("n1", "1", {{kRunSecondsAnnotation, "0"}}));
  EXPECT_TRUE(Eventually(
      [&] {
        const auto pod = client_->Get<api::Pod>("default", "p");
        return pod && pod->status.phase == "Succeeded";
      },
      kLimit));
}

TEST_F(SimulationTest, BudgetAllowsOneEvictionAtATime) {
  CreateDeployment("default", 3);
  ASSERT_TRUE(Eventually([&] { return IsComplete("default", 3); }, kLimit));
  Create(api::PodDisruptionBudget::kResource, "default",
         {{"metadata", {{"name", "budget"}}},
          {"spec", {{"minAvailable", "60%"}, {"selector", {{"matchLabels", {{"app", "web"}}}}}}}});
  const auto allowed = [&] {
    const auto budget = client_->Get<api::PodDisruptionBudget>("default", "budget");
    return budget && budget->status.observed_generation == budget->metadata.generation
               ? budget->status.disruptions_allowed
               : -1;
  };
  ASSERT_TRUE(Eventually([&] { return allowed() == 1; }, kLimit));
  const auto pods = client_->List<api::Pod>("default");
  ASSERT_TRUE(pods);
  ASSERT_EQ(pods->items.size(), 3U);
  const auto evict = [&](size_t i) {
    const std::string& name = pods->items[i]->metadata.name;
    const Json eviction = {
        {"apiVersion", "policy/v1"}, {"kind", "Eviction"}, {"metadata", {{"name", name}}}};
    return client_->Call(
        client::CreateRequest(api::Pod::kResource, "default", eviction.dump(), name, "eviction"));
  };
  ASSERT_TRUE(evict(0));
  const auto rejected = evict(1);
  ASSERT_FALSE(rejected);
  EXPECT_TRUE(rejected.error().Is(Reason::kTooManyRequests)) << rejected.error().message();
  // The replacement of the first pod makes room for the second eviction.
  ASSERT_TRUE(Eventually([&] { return allowed() == 1; }, kLimit));
  EXPECT_TRUE(evict(1));
}

}  // namespace
}  // namespace berth::simulation
