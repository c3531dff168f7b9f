// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/default_preemption.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/scheduler/testing/recorded_evictions.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::MakePod;
using testing::RecordedEvictions;
using testing::TestCluster;
using testing::Text;

TEST(DefaultPreemption, PreEnqueueRejectsPreemptorUntilVictimsAreGone) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<DefaultPreemption>();
  RecordedEvictions evictions;
  const auto pod = MakePod("p").Info(cluster.words());
  EXPECT_EQ(Text(plugin->PreEnqueue(*pod, {evictions})), "Success");
  evictions.preempting = {pod->uid()};
  EXPECT_EQ(Text(plugin->PreEnqueue(*pod, {evictions})),
            "UnschedulableAndUnresolvable: waiting for the preemption for this pod to be finished");
}

// Returns the errors in the args, one per line.
std::string Rejected(const std::string& args) {
  std::string text;
  for (const api::FieldError& error : DefaultPreemption::Descriptor().check({args})) {
    if (!text.empty()) text += "\n";
    text += error.ToString();
  }
  return text;
}

TEST(DefaultPreemption, ValidatesArgs) {
  EXPECT_EQ(Rejected(""), "");
  EXPECT_EQ(Rejected(R"({"minCandidateNodesPercentage":0,"minCandidateNodesAbsolute":1})"), "");
  EXPECT_EQ(Rejected(R"({"minCandidateNodesPercentage":100,"minCandidateNodesAbsolute":0})"), "");
  EXPECT_EQ(Rejected(R"({"minCandidateNodesPercentage":101})"),
            "minCandidateNodesPercentage: Invalid value: 101: not in valid range [0, 100]");
  EXPECT_EQ(Rejected(R"({"minCandidateNodesPercentage":-1,"minCandidateNodesAbsolute":-1})"),
            "minCandidateNodesPercentage: Invalid value: -1: not in valid range [0, 100]\n"
            "minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0, inf)");
  EXPECT_EQ(Rejected(R"({"minCandidateNodesPercentage":0,"minCandidateNodesAbsolute":0})"),
            "minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time "
            "as minCandidateNodesAbsolute\n"
            "minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as "
            "minCandidateNodesPercentage");
}

TEST(DefaultPreemption, ValidatesPdb) {
  EXPECT_EQ(Rejected(R"({"pdb":"Prefer"})"), "");
  EXPECT_EQ(Rejected(R"({"pdb":"Respect"})"), "");
  EXPECT_EQ(Rejected(R"({"pdb":"Ignore"})"),
            "pdb: Unsupported value: \"Ignore\": supported values: \"Prefer\", \"Respect\"");
}

}  // namespace
}  // namespace berth::scheduler
