// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/pod_name_length.h"

#include <gtest/gtest.h>

#include "scheduler/framework/profile.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::FilterAll;
using testing::MakeNode;
using testing::MakePod;
using testing::TestCluster;
using Answers = std::map<std::string, std::string>;

Answers AnswersFor(const std::string& pod, const std::string& args = "") {
  TestCluster cluster;
  cluster.Add(MakeNode("n")).Add(MakeNode("m"));
  const auto plugin = cluster.Plugin<PodNameLength>(args);
  Cycle cycle(cluster, MakePod(pod));
  return FilterAll(*plugin, cycle);
}

std::string Rejected(int length, int limit) {
  return "UnschedulableAndUnresolvable: the pod's name has " + std::to_string(length) +
         " characters, it must have fewer than " + std::to_string(limit);
}

TEST(PodNameLength, AdmitsNamesShorterThanTheLimit) {
  EXPECT_EQ(AnswersFor("four"), (Answers{{"n", "Success"}, {"m", "Success"}}));
  EXPECT_EQ(AnswersFor("fives"), (Answers{{"n", Rejected(5, 5)}, {"m", Rejected(5, 5)}}));
  EXPECT_EQ(AnswersFor("fives", R"({"maxLength":6})").at("n"), "Success");
  EXPECT_EQ(AnswersFor("a", R"({"maxLength":1})").at("n"), Rejected(1, 1));
}

TEST(PodNameLength, BatchVerdictsEqualSingleVerdicts) {
  TestCluster cluster;
  cluster.Add(MakeNode("n")).Add(MakeNode("m"));
  const auto plugin = cluster.Plugin<PodNameLength>();
  for (const char* name : {"four", "fives"}) {
    Cycle cycle(cluster, MakePod(name));
    std::vector<Verdict> verdicts(2);
    plugin->FilterBatch(cycle.context(), cluster.snapshot().Order(), verdicts);
    for (const Verdict& verdict : verdicts) {
      EXPECT_EQ(verdict, plugin->Filter(cycle.context(), cluster.View("n"))) << name;
    }
  }
}

TEST(PodNameLength, RejectsInvalidLimit) {
  const auto errors = PodNameLength::Descriptor().check({R"({"maxLength":0})"});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors.front().ToString(), "maxLength: Invalid value: 0: must be at least 1");
  EXPECT_TRUE(PodNameLength::Descriptor().check({R"({"maxLength":1})"}).empty());
}

TEST(PodNameLength, RegistersNoEvents) {
  TestCluster cluster;
  api::KubeSchedulerProfile spec;
  spec.plugins.multi_point.enabled = {{"PodNameLength"}};
  const auto profile = Profile::Create(spec, 0, MakeRegistry(), cluster.handle());
  ASSERT_TRUE(profile) << profile.error().message();
  EXPECT_FALSE((*profile)->PluginsAt(ExtensionPoint::kFilter).empty());
  for (const Profile::Registration& registration : (*profile)->registrations()) {
    EXPECT_NE(registration.plugin, "PodNameLength") << registration.event.Label();
  }
}

}  // namespace
}  // namespace berth::scheduler
