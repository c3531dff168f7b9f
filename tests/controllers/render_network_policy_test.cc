// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controllers/render.h"
#include "tests/controllers/profiles.h"

namespace berth::controllers {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::string Text(const api::NetworkPolicyPort& port) {
  return port.protocol + "/" + port.port->ToString();
}

std::vector<std::string> PortsIn(const api::NetworkPolicyEgressRule& rule) {
  std::vector<std::string> ports;
  for (const api::NetworkPolicyPort& port : rule.ports) ports.push_back(Text(port));
  return ports;
}

std::vector<api::NetworkPolicyEgressRule> EgressOf(const crds::SchedulerProfile& profile,
                                                   Ports api_server_ports = {443}) {
  return RenderNetworkPolicy({.profile = profile, .api_server_ports = std::move(api_server_ports)})
      .value()
      .spec.egress;
}

TEST(PortsToApiServer, IncludeServicePortAndDetectedPorts) {
  EXPECT_THAT(PortsToApiServer({}, {8443, 16443}), ElementsAre(443, 8443, 16443));
  EXPECT_THAT(PortsToApiServer({}, {443}), ElementsAre(443));
}

TEST(PortsToApiServer, DefaultTo443And6443) {
  EXPECT_THAT(PortsToApiServer({}, {}), ElementsAre(443, 6443));
}

TEST(PortsToApiServer, AreReplacedByTheAdministratorsPorts) {
  EXPECT_THAT(PortsToApiServer({7443}, {8443}), ElementsAre(7443));
}

TEST(RenderNetworkPolicy, OpensTheApiServersPortsToAnyAddress) {
  const auto egress = EgressOf(MakeProfile("a"), {443, 8443});
  ASSERT_THAT(egress, SizeIs(2));
  EXPECT_THAT(PortsIn(egress[1]), ElementsAre("TCP/443", "TCP/8443"));
  EXPECT_THAT(egress[1].to, SizeIs(0));
}

TEST(RenderNetworkPolicy, OpensDnsPortsOfServiceAndPods) {
  EXPECT_THAT(PortsIn(EgressOf(MakeProfile("a"))[0]),
              ElementsAre("UDP/53", "UDP/5353", "TCP/53", "TCP/5353"));
}

TEST(RenderNetworkPolicy, OpensThePortsOfExtenders) {
  const auto egress = EgressOf(
      MakeProfile("a",
                  "extenders: [{urlPrefix: 'https://a.example.com:8443/x', ignorable: true}, "
                  "{urlPrefix: 'https://b.example.com', ignorable: true}]"));
  ASSERT_THAT(egress, SizeIs(2));
  EXPECT_THAT(PortsIn(egress[1]), ElementsAre("TCP/443", "TCP/8443"));
}

TEST(RenderNetworkPolicy, OpensAllPortsOfPodsBehindAnExtenderService) {
  const auto egress = EgressOf(
      MakeProfile("a",
                  "extenders: [{urlPrefix: 'http://a.berth-system.svc/x', ignorable: true}, "
                  "{urlPrefix: 'http://b.berth-system.svc', ignorable: true}]"));
  ASSERT_THAT(egress, SizeIs(3));
  EXPECT_THAT(PortsIn(egress[1]), ElementsAre("TCP/80", "TCP/443"));
  EXPECT_THAT(egress[2].ports, SizeIs(0));
  ASSERT_THAT(egress[2].to, SizeIs(1));
  EXPECT_EQ(egress[2].to[0].namespace_selector->match_labels,
            (api::StringMap{{"kubernetes.io/metadata.name", "berth-system"}}));
}

TEST(RenderNetworkPolicy, OpensNothingForSidecars) {
  const auto egress = EgressOf(
      MakeProfile("a",
                  "{extenders: [{urlPrefix: 'http://localhost:8888'}, {urlPrefix: "
                  "'http://127.0.0.1:80'}], deployment: {sidecars: [{name: b, image: x, port: "
                  "8888}, {name: c, image: x, port: 80}]}}"),
      {443});
  ASSERT_THAT(egress, SizeIs(2));
  EXPECT_THAT(PortsIn(egress[1]), ElementsAre("TCP/443"));
}

TEST(RenderNetworkPolicy, OpensPortsOfMetricSources) {
  const auto egress = EgressOf(MakeProfile(
      "a", "pluginConfig: [{name: NetworkTraffic, args: {address: 'p.monitoring.svc:9090'}}]"));
  ASSERT_THAT(egress, SizeIs(3));
  EXPECT_THAT(PortsIn(egress[1]), ElementsAre("TCP/443", "TCP/9090"));
  ASSERT_THAT(egress[2].to, SizeIs(1));
  EXPECT_EQ(egress[2].to[0].namespace_selector->match_labels,
            (api::StringMap{{"kubernetes.io/metadata.name", "monitoring"}}));
}

TEST(Plan, OpensDetectedApiServerPorts) {
  const Plan plan = PlanAlone(MakeProfile("a"), {.api_server_ports = {8443}});
  const auto policy =
      std::ranges::find(plan.apply, &api::NetworkPolicy::kResource,
                        [](const RenderedObject& object) { return object.key.resource; });
  ASSERT_NE(policy, plan.apply.end());
  EXPECT_THAT(PortsIn(policy->object.As<api::NetworkPolicy>()->spec.egress[1]),
              ElementsAre("TCP/443", "TCP/8443"));
}

}  // namespace
}  // namespace berth::controllers
