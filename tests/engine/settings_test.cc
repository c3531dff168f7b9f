// SPDX-License-Identifier: Apache-2.0
#include "engine/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

api::KubeSchedulerConfiguration Config() {
  api::KubeSchedulerConfiguration config;
  api::SetDefaults(config);
  return config;
}

TEST(NeedsRestart, ListsChangedStartupSettingsWithBothValues) {
  api::KubeSchedulerConfiguration wanted = Config();
  wanted.leader_election.leader_elect = false;
  wanted.leader_election.lease_duration = std::chrono::seconds(60);
  wanted.pod_max_backoff_seconds = 20;
  EXPECT_THAT(NeedsRestart(Config(), wanted),
              ElementsAre(R"(leaderElection.leaderElect ("true" runs, "false" is asked for))",
                          R"(leaderElection.leaseDuration ("15s" runs, "1m0s" is asked for))"));
  EXPECT_THAT(NeedsRestart(wanted, wanted), IsEmpty());
}

TEST(KeepFromStart, RestoresSettingsThatNeedARestart) {
  api::KubeSchedulerConfiguration wanted = Config();
  wanted.leader_election.resource_name = "another";
  wanted.client_connection.kubeconfig = "/another";
  wanted.pod_max_backoff_seconds = 20;
  KeepFromStart(wanted, Config());
  EXPECT_THAT(NeedsRestart(Config(), wanted), IsEmpty());
  EXPECT_EQ(wanted.pod_max_backoff_seconds, 20);
}

TEST(WithoutEffect, ListsIneffectiveSettingsWithReasons) {
  EXPECT_THAT(WithoutEffect(Config()), IsEmpty());
  api::KubeSchedulerConfiguration config = Config();
  config.parallelism = 4;
  config.client_connection.qps = 5;
  config.client_connection.burst = 10;
  EXPECT_THAT(WithoutEffect(config),
              ElementsAre(StartsWith("parallelism: "), HasSubstr("priority and fairness"),
                          StartsWith("clientConnection.burst: ")));
}

}  // namespace
}  // namespace berth::engine
