// SPDX-License-Identifier: Apache-2.0
#include "engine/config_rollout.h"

#include <gmock/gmock.h>

#include "api/core.h"
#include "api/scheduler_contract.h"
#include "base/fake_clock.h"
#include "engine/heartbeat.h"
#include "tests/engine/config_fixture.h"

namespace berth::engine {
namespace {

using scheduler::ObjectKind;
using scheduler::ObjectKindSet;
using std::chrono::seconds;
using ::testing::HasSubstr;

// Returns a configuration with one profile. Only `filter` runs at Filter.
std::string ConfigOf(std::string_view filter, std::string_view more = "") {
  return "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" +
         std::string(more) +
         "profiles:\n- schedulerName: hello\n  plugins:\n    multiPoint: {disabled: [{name: '*'}], "
         "enabled: [{name: PrioritySort}, {name: DefaultBinder}]}\n    filter: {enabled: [{name: " +
         std::string(filter) + "}]}\n";
}

const std::string kPlain = ConfigOf("NodeName");  // reads pods and nodes only
const std::string kReadsNamespaces = ConfigOf("InterPodAffinity");
const std::string kBad = ConfigOf("NodeNam");

class ConfigRolloutTest : public ConfigTest, protected ConfigHost {
 protected:
  ConfigRolloutTest() {
    options_.config_source = "file.yaml";
    options_.config_map = ObjectName{"berth-system", "berth-hello"};
  }

  // ConfigHost.
  Choice Choose(const std::optional<std::string>& newest,
                const std::optional<std::string>& last_good, const ConfigSource& source,
                std::string_view running_hash) override {
    return ChooseConfig(newest, last_good, source, running_hash, registry_, handle_,
                        RejectExtender);
  }
  bool IsServing() const override { return is_serving_; }
  void List(ObjectKindSet kinds, TextNeeds) override { wanted_ = kinds; }
  bool HasListed(ObjectKindSet kinds) const override { return (kinds & listed_) == kinds; }
  std::optional<std::string> WhyNotListed(ObjectKindSet) const override { return list_error_; }
  void Use(const LoadedConfig& config) override { used_.push_back(config.hash); }
  void OnRollout() override { ++reports_; }

  void Offer(const std::string& text, const std::string& last_good = "") {
    api::ConfigMap map;
    map.data[std::string(api::kConfigKey)] = text;
    if (!last_good.empty()) map.data[std::string(api::kLastGoodKey)] = last_good;
    rollout_.OnConfigMap(map);
  }
  // Serves a configuration that reads pods and nodes only.
  void Serve() {
    Offer(kPlain);
    is_serving_ = true;
    used_.clear();
  }
  SchedulerReport Report() const {
    SchedulerReport report;
    rollout_.AddTo(report);
    return report;
  }
  static std::string HashOf(const std::string& text) { return api::ConfigHash(text); }

  FakeClock time_;
  MetricsRegistry metrics_registry_;
  SchedulerMetrics metrics_{metrics_registry_};
  EngineOptions options_;
  ConfigRollout rollout_{*this, options_, metrics_, time_};
  bool is_serving_ = false;
  ObjectKindSet wanted_, listed_;
  std::optional<std::string> list_error_;
  std::vector<std::string> used_;  // hashes
  int reports_ = 0;
};

TEST_F(ConfigRolloutTest, AppliesTheFirstConfigurationWithoutWaitingForItsLists) {
  Offer(kReadsNamespaces);
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(kReadsNamespaces)));
  EXPECT_EQ(Report().applied_hash, HashOf(kReadsNamespaces));
  EXPECT_EQ(reports_, 1);
  EXPECT_THAT(rollout_.Json(), HasSubstr("InterPodAffinity"));
  EXPECT_TRUE(rollout_.reads().Has(ObjectKind::kNamespace));
}

TEST_F(ConfigRolloutTest, WaitsForTheListsOfACandidate) {
  Serve();
  Offer(kReadsNamespaces);
  EXPECT_THAT(used_, testing::IsEmpty());
  EXPECT_TRUE(wanted_.Has(ObjectKind::kNamespace));
  EXPECT_EQ(Report().applied_hash, HashOf(kPlain));
  EXPECT_EQ(Report().error, "");

  rollout_.OnList();
  EXPECT_THAT(used_, testing::IsEmpty()) << "another list";
  listed_.Add(ObjectKind::kNamespace);
  rollout_.OnList();
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(kReadsNamespaces)));
  EXPECT_EQ(Report().applied_hash, HashOf(kReadsNamespaces));
}

TEST_F(ConfigRolloutTest, ReportsAFailingListAsARejection) {
  Serve();
  Offer(kReadsNamespaces);
  list_error_ = "namespaces is forbidden";
  const int before = reports_;
  EXPECT_EQ(rollout_.NextStep(time_.Now()), time_.Now() + seconds(1));
  rollout_.Step(time_.Now());
  rollout_.Step(time_.Now());
  EXPECT_EQ(reports_, before + 1) << "the error is reported once";
  EXPECT_EQ(Report().error, "namespaces is forbidden");
  EXPECT_EQ(Report().rejected_hash, HashOf(kReadsNamespaces));

  list_error_.reset();
  rollout_.Step(time_.Now());
  EXPECT_EQ(Report().error, "");
}

TEST_F(ConfigRolloutTest, DropsAWaitingCandidateWhenTheRunningTextIsBack) {
  Serve();
  Offer(kReadsNamespaces);
  Offer(kPlain);
  EXPECT_FALSE(wanted_.Has(ObjectKind::kNamespace)) << "its list has ended";
  listed_.Add(ObjectKind::kNamespace);
  rollout_.OnList();
  EXPECT_THAT(used_, testing::IsEmpty());
}

TEST_F(ConfigRolloutTest, ANewerCandidateReplacesAWaitingOne) {
  Serve();
  Offer(kReadsNamespaces);
  const std::string newer = ConfigOf("NodePorts");
  Offer(newer);
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(newer)));
  listed_.Add(ObjectKind::kNamespace);
  rollout_.OnList();
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(newer)));
}

TEST_F(ConfigRolloutTest, ARejectedTextLeavesTheRunningAndTheWaitingConfiguration) {
  Serve();
  Offer(kReadsNamespaces);
  Offer(kBad);
  EXPECT_EQ(Report().applied_hash, HashOf(kPlain));
  EXPECT_EQ(Report().rejected_hash, HashOf(kBad));
  EXPECT_THAT(Report().error, HasSubstr("NodeNam"));
  listed_.Add(ObjectKind::kNamespace);
  rollout_.OnList();
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(kReadsNamespaces)));
}

TEST_F(ConfigRolloutTest, StartsWithTheLastGoodTextIfTheNewestIsRejected) {
  Offer(kBad, kPlain);
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(kPlain)));
  EXPECT_EQ(Report().applied_hash, HashOf(kPlain));
  EXPECT_EQ(Report().rejected_hash, HashOf(kBad));
}

TEST_F(ConfigRolloutTest, TheFileWaitsForTheConfigMap) {
  options_.config_text = kPlain;
  ASSERT_TRUE(rollout_.LoadFile());
  rollout_.Start();
  rollout_.Step(time_.Now());
  EXPECT_THAT(used_, testing::IsEmpty());
  EXPECT_EQ(rollout_.NextStep(time_.Now()), time_.Now() + options_.config_map_wait);
  time_.Advance(options_.config_map_wait);
  rollout_.Step(time_.Now());
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(kPlain)));
}

TEST_F(ConfigRolloutTest, TheConfigMapReplacesTheFile) {
  options_.config_text = kReadsNamespaces;
  ASSERT_TRUE(rollout_.LoadFile());
  rollout_.Start();
  Offer(kPlain);
  time_.Advance(options_.config_map_wait);
  rollout_.Step(time_.Now());
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(kPlain)));
}

TEST_F(ConfigRolloutTest, TheFileIsUsedAtOnceWithoutAConfigMap) {
  options_.config_map.reset();
  options_.config_text = kPlain;
  ASSERT_TRUE(rollout_.LoadFile());
  EXPECT_THAT(used_, testing::IsEmpty());
  rollout_.Start();
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(kPlain)));
}

TEST_F(ConfigRolloutTest, TheFileIsUsedAfterARejectedConfigMap) {
  options_.config_text = kPlain;
  ASSERT_TRUE(rollout_.LoadFile());
  rollout_.Start();
  Offer(kBad);
  EXPECT_EQ(Report().rejected_hash, HashOf(kBad));
  rollout_.ConsiderFile();
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(kPlain)));
}

class GuardedRollout : public ConfigRolloutTest {
 protected:
  GuardedRollout() { options_.profile = "hello"; }

  // The operator records these texts in the profile's status.
  void Record(const std::string& rendered, const std::string& applied = "", bool paused = false) {
    api::ProfileRecord profile;
    if (paused) profile.metadata.annotations["berth.dev/paused"] = "true";
    profile.status.scheduler = {HashOf(rendered), applied.empty() ? "" : HashOf(applied)};
    rollout_.OnProfile(&profile);
  }
};

TEST_F(GuardedRollout, TextIsUsedOnceTheStatusRecordsIt) {
  Offer(kPlain);
  EXPECT_THAT(used_, testing::IsEmpty()) << "the profile was not read yet";
  Record(kReadsNamespaces);
  EXPECT_THAT(used_, testing::IsEmpty());
  Record(kPlain);
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(kPlain)));
}

TEST_F(GuardedRollout, TextOfAnotherClientIsNeverUsed) {
  Record(kPlain);
  Offer(kPlain);
  const std::string foreign = ConfigOf("NodePorts");
  for (int i = 0; i < 3; ++i) {
    Offer(foreign, foreign);
    Record(kPlain, kPlain);
    EXPECT_EQ(Report().applied_hash, HashOf(kPlain));
    EXPECT_EQ(Report().error, "");
    Offer(kPlain, kPlain);
  }
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(kPlain)));
  Record(foreign, kPlain);
  EXPECT_THAT(used_, testing::SizeIs(1)) << "it is no longer offered";
}

TEST_F(GuardedRollout, StartsWithARecordedLastGoodText) {
  Record(kReadsNamespaces, kPlain);
  Offer(ConfigOf("NodePorts"), kPlain);
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(kPlain)));
  Offer(kReadsNamespaces, kPlain);
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(kPlain), HashOf(kReadsNamespaces)));
}

TEST_F(GuardedRollout, NoLastGoodTextOfAnotherClientIsUsed) {
  Record(kBad);
  Offer(kBad, kPlain);
  EXPECT_THAT(used_, testing::IsEmpty());
  EXPECT_EQ(Report().rejected_hash, HashOf(kBad));
}

TEST_F(GuardedRollout, AnyTextIsUsedWithoutTheProfileOrWhileItIsPaused) {
  Offer(kPlain);
  rollout_.OnProfile(nullptr);
  EXPECT_EQ(Report().applied_hash, HashOf(kPlain));
  Record(kPlain, kPlain, /*paused=*/true);
  Offer(kReadsNamespaces);
  EXPECT_EQ(Report().applied_hash, HashOf(kReadsNamespaces));
}

TEST_F(GuardedRollout, FileWaitsForTheProfile) {
  options_.config_text = kPlain;
  ASSERT_TRUE(rollout_.LoadFile());
  rollout_.Start();
  time_.Advance(options_.config_map_wait);
  rollout_.Step(time_.Now());
  EXPECT_THAT(used_, testing::IsEmpty());
  EXPECT_EQ(rollout_.NextStep(time_.Now()), std::nullopt) << "no turn without work";
  Record(kPlain);
  rollout_.Step(time_.Now());
  EXPECT_THAT(used_, testing::ElementsAre(HashOf(kPlain)));
}

TEST_F(ConfigRolloutTest, OptionsOverrideLeaderElectionOfTheConfiguration) {
  options_.lease = ObjectName{"elsewhere", "mine"};
  options_.leader_elect = false;
  Offer(kPlain);
  const api::LeaderElectionConfiguration& election = rollout_.running()->config.leader_election;
  EXPECT_FALSE(election.leader_elect);
  EXPECT_EQ(election.resource_namespace, "elsewhere");
  EXPECT_EQ(election.resource_name, "mine");
}

TEST_F(ConfigRolloutTest, ABadFileIsAnErrorOnlyWithoutAConfigMap) {
  options_.config_text = kBad;
  EXPECT_TRUE(rollout_.LoadFile());
  options_.config_map.reset();
  const auto loaded = rollout_.LoadFile();
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message(), HasSubstr("NodeNam"));
}

TEST_F(ConfigRolloutTest, KeepsSettingsOfTheStartAndReportsThem) {
  Serve();
  Offer(ConfigOf("NodePorts", "leaderElection: {leaderElect: true, leaseDuration: 40s}\n"));
  EXPECT_THAT(Report().needs_restart, HasSubstr("leaseDuration"));
  EXPECT_THAT(rollout_.Json(), testing::Not(HasSubstr("40s")));
}

}  // namespace
}  // namespace berth::engine
