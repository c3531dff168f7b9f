// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/node_finder.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::MakeNode;
using testing::TestCluster;

class NodeFinderTest : public ::testing::Test {
 protected:
  // Returns the name of the node that is found; "-" for none.
  std::string Found(const std::string& what) const {
    NodeFinder finder(cluster_.snapshot());
    const Slot slot = finder.Find(what);
    return slot == kNoSlot ? "-" : std::string(cluster_.snapshot().At(slot).name.text());
  }

  TestCluster cluster_;
};

TEST_F(NodeFinderTest, FindsANodeByNameAndEachAddress) {
  cluster_.Add(MakeNode("a")
                   .Address("InternalIP", "10.0.0.1")
                   .Address("InternalIP", "fd00::1")
                   .Address("Hostname", "machine-1")
                   .Address("ExternalIP", "203.0.113.1")
                   .Address("InternalDNS", "machine-1.internal"));
  cluster_.Add(MakeNode("b").Address("InternalIP", "10.0.0.2"));
  for (const char* const what :
       {"a", "10.0.0.1", "fd00::1", "machine-1", "203.0.113.1", "machine-1.internal"}) {
    EXPECT_EQ(Found(what), "a") << what;
  }
  EXPECT_EQ(Found("10.0.0.2"), "b");
  for (const char* const what : {"", "c", "10.0.0.3", "10.0.0", "fd00::2"}) {
    EXPECT_EQ(Found(what), "-") << what;
  }
}

TEST_F(NodeFinderTest, PrefersNamesToAddresses) {
  cluster_.Add(MakeNode("a").Address("Hostname", "b"));
  cluster_.Add(MakeNode("b").Address("Hostname", "a"));
  EXPECT_EQ(Found("a"), "a");
  EXPECT_EQ(Found("b"), "b");
}

TEST_F(NodeFinderTest, IgnoresAnAddressOfSeveralNodes) {
  cluster_.Add(
      MakeNode("a").Address("InternalIP", "10.0.0.1").Address("ExternalIP", "203.0.113.1"));
  cluster_.Add(
      MakeNode("b").Address("InternalIP", "10.0.0.2").Address("ExternalIP", "203.0.113.1"));
  cluster_.Add(MakeNode("c").Address("ExternalIP", "203.0.113.1"));
  EXPECT_EQ(Found("203.0.113.1"), "-");
  EXPECT_EQ(Found("10.0.0.2"), "b");
}

TEST_F(NodeFinderTest, FindsANodeWithADuplicateAddress) {
  cluster_.Add(MakeNode("a").Address("InternalIP", "10.0.0.1").Address("ExternalIP", "10.0.0.1"));
  EXPECT_EQ(Found("10.0.0.1"), "a");
}

TEST_F(NodeFinderTest, DoesNotFindPlaceholders) {
  cluster_.Add(MakeNode("a").Address("InternalIP", "10.0.0.1"));
  cluster_.Add(testing::MakePod("p").OnNode("a"));
  cluster_.cache().RemoveNode("a");
  EXPECT_EQ(Found("10.0.0.1"), "-");
  EXPECT_EQ(Found("a"), "-");
}

}  // namespace
}  // namespace berth::scheduler
