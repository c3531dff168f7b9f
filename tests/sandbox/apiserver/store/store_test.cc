// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/store.h"

#include <gtest/gtest.h>

#include "tests/sandbox/apiserver/store/objects.h"

namespace berth::apiserver {
namespace {

using Json = nlohmann::json;

class StoreTest : public ::testing::Test {
 protected:
  Store store_;
  Collection& pods_ = store_.Add("pods", kPodFields);
};

TEST_F(StoreTest, AllCollectionsShareOneVersionCounter) {
  Collection& nodes = store_.Add("nodes", {});
  const uint64_t before = store_.version();
  const auto pod = pods_.Create(MakePod("ns", "a"));
  const auto node = nodes.Create(MakeDraft({{"metadata", {{"name", "n"}}}}, {}));
  ASSERT_TRUE(pod);
  ASSERT_TRUE(node);
  EXPECT_EQ((*pod)->version, before + 1);
  EXPECT_EQ((*node)->version, before + 2);
  EXPECT_EQ(store_.version(), before + 2);
}

TEST_F(StoreTest, CreateRejectsExistingName) {
  ASSERT_TRUE(pods_.Create(MakePod("ns", "a")));
  const uint64_t before = store_.version();
  const auto again = pods_.Create(MakePod("ns", "a"));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().reason(), Reason::kAlreadyExists);
  EXPECT_EQ(again.error().http_code(), 409);
  EXPECT_EQ(again.error().message(), "pods \"a\" already exists");
  EXPECT_EQ(store_.version(), before);
  EXPECT_TRUE(pods_.Create(MakePod("other", "a")));
}

TEST_F(StoreTest, UpdateChecksTheExpectedVersion) {
  const auto created = pods_.Create(MakePod("ns", "a"));
  const uint64_t version = (*created)->version;
  const auto updated = pods_.Update(MakePodOn("ns", "a", "node"), version);
  ASSERT_TRUE(updated);
  EXPECT_EQ((*updated)->version, version + 1);
  const auto stale = pods_.Update(MakePodOn("ns", "a", "other"), version);
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().reason(), Reason::kConflict);
  EXPECT_EQ(stale.error().message(),
            "Operation cannot be fulfilled on pods \"a\": the object has been modified; please "
            "apply your changes to the latest version and try again");
  EXPECT_TRUE(pods_.Update(MakePodOn("ns", "a", "other")));
  EXPECT_EQ(pods_.Update(MakePod("ns", "b")).error().message(), "pods \"b\" not found");
}

TEST_F(StoreTest, UpdateWithoutChangeWritesNothing) {
  const auto created = pods_.Create(MakePod("ns", "a"));
  const auto updated = pods_.Update(MakePod("ns", "a"));
  ASSERT_TRUE(updated);
  EXPECT_EQ(*updated, *created);
  EXPECT_EQ(store_.version(), (*created)->version);
}

TEST_F(StoreTest, DeleteReturnsLastStateWithNewVersion) {
  ASSERT_TRUE(pods_.Create(MakePod("ns", "a")));
  EXPECT_EQ(pods_.Delete("ns", "a", 1).error().reason(), Reason::kConflict);
  const auto gone = pods_.Delete("ns", "a");
  ASSERT_TRUE(gone);
  EXPECT_EQ((*gone)->version, store_.version());
  EXPECT_EQ(Json::parse((*gone)->text)["metadata"]["resourceVersion"],
            std::to_string(store_.version()));
  EXPECT_EQ(pods_.Get("ns", "a").error().message(), "pods \"a\" not found");
  EXPECT_EQ(pods_.Delete("ns", "a").error().reason(), Reason::kNotFound);
  EXPECT_EQ(pods_.size(), 0u);
}

TEST_F(StoreTest, GetAtReturnsAnOlderState) {
  const auto created = pods_.Create(MakePod("ns", "a"));
  const uint64_t first = (*created)->version;
  ASSERT_TRUE(pods_.Update(MakePodOn("ns", "a", "node")));
  ASSERT_TRUE(pods_.Delete("ns", "a"));
  ASSERT_TRUE(pods_.GetAt("ns", "a", first));
  EXPECT_EQ(*pods_.GetAt("ns", "a", first), *created);
  EXPECT_EQ((*pods_.GetAt("ns", "a", first + 1))->metadata.fields[0], "node");
  EXPECT_EQ(pods_.GetAt("ns", "a", first - 1).error().reason(), Reason::kNotFound);
  EXPECT_EQ(pods_.GetAt("ns", "a", first + 2).error().reason(), Reason::kNotFound);
  store_.Compact();
  EXPECT_EQ(pods_.GetAt("ns", "a", first).error().reason(), Reason::kExpired);
}

TEST_F(StoreTest, NewCollectionOfSameNameHasNoHistory) {
  const uint64_t old = store_.version();
  ASSERT_TRUE(pods_.Create(MakePod("ns", "a")));
  store_.Remove("pods");
  EXPECT_EQ(store_.Find("pods"), nullptr);
  Collection& pods = store_.Add("pods", kPodFields);
  EXPECT_EQ(pods.size(), 0u);
  const ListResult list =
      pods.List({.resource_version = std::to_string(old), .match = VersionMatch::kExact});
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().error.reason(), Reason::kExpired);
}

}  // namespace
}  // namespace berth::apiserver
