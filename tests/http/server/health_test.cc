// SPDX-License-Identifier: Apache-2.0
#include "http/server/health.h"

#include <gtest/gtest.h>

namespace berth::http {
namespace {

class HealthEndpointTest : public ::testing::Test {
 protected:
  Response Get(const std::string& target) {
    const auto response = endpoint_.Handle({.target = target});
    return response ? *response : Response{.code = -1};
  }

  bool synced_ = true;
  HealthEndpoint endpoint_{"/readyz",
                           {{"ping", [] { return std::optional<std::string>(); }},
                            {"sync", [this]() -> std::optional<std::string> {
                               if (synced_) return std::nullopt;
                               return "pods are not synced";
                             }}}};
};

TEST_F(HealthEndpointTest, ReturnsOkIfAllChecksPass) {
  EXPECT_EQ(Get("/readyz").code, 200);
  EXPECT_EQ(Get("/readyz").body, "ok");
  EXPECT_EQ(Get("/readyz?verbose").body, "[+]ping ok\n[+]sync ok\nreadyz check passed\n");
}

TEST_F(HealthEndpointTest, NamesFailedCheckAndWithholdsReason) {
  synced_ = false;
  EXPECT_EQ(Get("/readyz").code, 500);
  EXPECT_EQ(Get("/readyz").body,
            "[+]ping ok\n[-]sync failed: reason withheld\nreadyz check failed\n");
}

TEST_F(HealthEndpointTest, SkipsExcludedCheck) {
  synced_ = false;
  EXPECT_EQ(Get("/readyz?exclude=sync").code, 200);
  EXPECT_EQ(Get("/readyz?exclude=ping").code, 500);
}

TEST_F(HealthEndpointTest, RunsSingleCheck) {
  synced_ = false;
  EXPECT_EQ(Get("/readyz/ping").code, 200);
  EXPECT_EQ(Get("/readyz/sync").code, 500);
  EXPECT_EQ(Get("/readyz/other").code, 404);
}

TEST_F(HealthEndpointTest, IgnoresOtherPaths) {
  EXPECT_FALSE(endpoint_.Handle({.target = "/metrics"}).has_value());
  EXPECT_FALSE(endpoint_.Handle({.target = "/readyzz"}).has_value());
}

}  // namespace
}  // namespace berth::http
