// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/default_binder.h"

#include <optional>

#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::MakePod;
using testing::TestCluster;
using testing::Text;

class DefaultBinderTest : public ::testing::Test {
 protected:
  void Bind() {
    cluster_.Add(testing::MakeNode("n1"));
    const NodeRef node(cluster_.cache().At(cluster_.SlotOf("n1")));
    plugin_->Bind(cycle_.context(), node, [this](Status status) { outcome_ = std::move(status); });
  }

  TestCluster cluster_;
  std::unique_ptr<DefaultBinder> plugin_ = cluster_.Plugin<DefaultBinder>();
  Cycle cycle_{cluster_, MakePod("a").Uid("u1")};
  std::optional<Status> outcome_;
};

TEST_F(DefaultBinderTest, BindsPodByUid) {
  Bind();
  ASSERT_EQ(cluster_.api().binds.size(), 1u);
  const auto& call = cluster_.api().binds.front();
  EXPECT_EQ(call.pod.Key(), "default/a");
  EXPECT_EQ(call.pod.uid, "u1");
  EXPECT_EQ(call.node, "n1");
  EXPECT_FALSE(outcome_.has_value()) << "Bind reports before the API server responds";
}

TEST_F(DefaultBinderTest, ReportsSuccessAfterResponse) {
  Bind();
  cluster_.api().binds.front().done({});
  ASSERT_TRUE(outcome_.has_value());
  EXPECT_EQ(*outcome_, Status::Success());
}

TEST_F(DefaultBinderTest, ReportsApiServerError) {
  Bind();
  cluster_.api().binds.front().done(
      Fail(Reason::kConflict, "pod a is already assigned to node n2"));
  ASSERT_TRUE(outcome_.has_value());
  EXPECT_EQ(Text(*outcome_), "Error: pod a is already assigned to node n2");
}

}  // namespace
}  // namespace berth::scheduler
