// SPDX-License-Identifier: Apache-2.0
#include "controllers/api_server_ports.h"

#include <atomic>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/stub_server.h"

namespace berth::controllers {
namespace {

using http::Eventually;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::chrono::seconds kLongEnough{30};

// The slice that kube-apiserver writes for two servers.
std::string SliceWith(const std::string& ports) {
  return R"({"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
             "metadata": {"name": "kubernetes",
                          "labels": {"kubernetes.io/service-name": "kubernetes"}},
             "addressType": "IPv4",
             "endpoints": [{"addresses": ["192.0.2.1"], "conditions": {"ready": true}},
                           {"addresses": ["192.0.2.2"], "conditions": {"ready": true}}],
             "ports": [)" +
         ports + "]}";
}

std::string PortJson(int number, const std::string& protocol = "TCP") {
  return R"({"name": "p)" + std::to_string(number) + R"(", "port": )" + std::to_string(number) +
         R"(, "protocol": ")" + protocol + R"("})";
}

class ApiServerPortsTest : public testing::Test {
 protected:
  ~ApiServerPortsTest() override { ports_.Stop(); }

  void Call(const client::ApiRequest& request) {
    const auto answer = client_.Call(request);
    ASSERT_TRUE(answer) << answer.error().message();
  }
  void Put(const std::string& ports) {
    Call(client::CreateRequest(api::EndpointSlice::kResource, "default", SliceWith(ports)));
  }
  void ChangeTo(const std::string& ports) {
    Call(client::PatchRequest(api::EndpointSlice::kResource, "default", "kubernetes",
                              R"({"ports": [)" + ports + "]}", {}));
  }
  void Delete() {
    Call(client::DeleteRequest(api::EndpointSlice::kResource, "default", "kubernetes"));
  }
  bool Hears(const Ports& ports) {
    return Eventually([&] { return ports_.Detected() == ports; }, kLongEnough);
  }

  apiserver::InMemoryServer memory_;
  client::Client& client_ = memory_.client();
  std::atomic<int> changes_ = 0;
  ApiServerPorts ports_{client_, memory_.clock(), [this] { ++changes_; }};
};

TEST_F(ApiServerPortsTest, ReturnsTcpPortsOfTheSliceSorted) {
  Put(PortJson(8443) + "," + PortJson(6443) + "," + PortJson(53, "UDP"));
  EXPECT_EQ(ports_.Detected(), std::nullopt) << "the watch has not started";
  ports_.Start();
  EXPECT_TRUE(Hears({6443, 8443}));
}

TEST_F(ApiServerPortsTest, ReturnsNoPortsWithoutASlice) {
  ports_.Start();
  EXPECT_TRUE(Hears({}));
  EXPECT_EQ(changes_, 0);
}

TEST_F(ApiServerPortsTest, ReturnsNoPortsIfSlicesAreForbiddenOrUnknown) {
  for (const char* code : {"403", "404"}) {
    memory_.Inject(R"({"action": "fail", "resource": "endpointslices", "code": )" +
                   std::string(code) + "}");
    FakeClock clock;
    ApiServerPorts ports(client_, clock, [] {});
    ports.Start();
    const auto known = [&] {
      clock.Advance(std::chrono::seconds(1));  // the permission might still be granted
      return ports.Detected() == Ports();
    };
    EXPECT_TRUE(Eventually(known, kLongEnough)) << code;
    ports.Stop();
    memory_.server().ClearFaults();
  }
}

TEST_F(ApiServerPortsTest, FollowsChangesOfTheSlice) {
  Put(PortJson(6443));
  ports_.Start();
  ASSERT_TRUE(Hears({6443}));
  ChangeTo(PortJson(16443));
  EXPECT_TRUE(Hears({16443}));
  EXPECT_TRUE(Eventually([&] { return changes_ == 2; }, kLongEnough));
}

TEST_F(ApiServerPortsTest, KeepsPortsWhileTheSliceIsEmptyOrMissing) {
  Put(PortJson(6443));
  ports_.Start();
  ASSERT_TRUE(Hears({6443}));
  ChangeTo("");
  Delete();
  Put(PortJson(8443));
  EXPECT_TRUE(Hears({8443}));
  ports_.Stop();
  EXPECT_EQ(changes_, 2) << "there was a moment without ports";
}

}  // namespace
}  // namespace berth::controllers
