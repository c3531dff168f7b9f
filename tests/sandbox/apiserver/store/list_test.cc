// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/list.h"

#include <gtest/gtest.h>

#include "sandbox/apiserver/store/store.h"
#include "tests/sandbox/apiserver/store/objects.h"

namespace berth::apiserver {
namespace {

using Names = std::vector<std::string>;

class ListTest : public ::testing::Test {
 protected:
  ListTest() {
    for (const char* name : {"c", "a", "b"}) Create("ns", name);
    Create("ns-2", "a");  // before ns/… as bytes: '-' comes before '/'
    Create("z", "a");
  }
  void Create(const std::string& name_space, const std::string& name) {
    ASSERT_TRUE(pods_.Create(MakePod(name_space, name)));
  }
  static Names NamesOf(const ListPage& page) {
    Names names;
    for (const ObjectPtr& object : page.items) names.push_back(KeyOf(object->metadata));
    return names;
  }
  Names List(const ListOptions& options) {
    const ListResult page = pods_.List(options);
    return page ? NamesOf(*page) : Names{page.error().error.message()};
  }
  std::string Fails(const ListOptions& options, Reason reason) {
    const ListResult page = pods_.List(options);
    if (page) return "it does not fail";
    EXPECT_EQ(page.error().error.reason(), reason);
    return page.error().error.message();
  }
  static Selection In(const std::string& name_space) { return {.namespace_ = name_space}; }

  Store store_;
  Collection& pods_ = store_.Add("pods", kPodFields);
};

TEST_F(ListTest, ReturnsObjectsInKeyOrder) {
  EXPECT_EQ(List({}), (Names{"ns-2/a", "ns/a", "ns/b", "ns/c", "z/a"}));
  EXPECT_EQ(List({.selection = In("ns")}), (Names{"ns/a", "ns/b", "ns/c"}));
  EXPECT_EQ(List({.selection = In("n")}), Names{});
}

TEST_F(ListTest, SelectsByLabelsAndFields) {
  ASSERT_TRUE(pods_.Update(MakePod("ns", "b", [](nlohmann::json& pod) {
    pod["metadata"]["labels"]["app"] = "web";
    pod["spec"]["nodeName"] = "n1";
  })));
  EXPECT_EQ(List({.selection = {.labels = *ParseLabelSelector("app=web")}}), Names{"ns/b"});
  EXPECT_EQ(
      List({.selection = {.fields = *FieldSelector::Parse("spec.nodeName!=n1", pods_.fields())}}),
      (Names{"ns-2/a", "ns/a", "ns/c", "z/a"}));
}

TEST_F(ListTest, PagesShowOneVersion) {
  const ListResult first = pods_.List({.limit = 2});
  ASSERT_TRUE(first);
  EXPECT_EQ(NamesOf(*first), (Names{"ns-2/a", "ns/a"}));
  EXPECT_EQ(first->remaining_item_count, 3);
  ASSERT_TRUE(pods_.Delete("ns", "b"));
  Create("ns", "bb");
  ASSERT_TRUE(pods_.Update(MakePodOn("ns", "c", "late")));
  const ListResult second = pods_.List({.limit = 2, .continue_ = first->continue_});
  ASSERT_TRUE(second);
  EXPECT_EQ(NamesOf(*second), (Names{"ns/b", "ns/c"}));
  EXPECT_EQ(second->items[1]->metadata.fields[0], "");
  EXPECT_EQ(second->version, first->version);
  EXPECT_EQ(second->remaining_item_count, 1);
  const ListResult third = pods_.List({.limit = 2, .continue_ = second->continue_});
  ASSERT_TRUE(third);
  EXPECT_EQ(NamesOf(*third), Names{"z/a"});
  EXPECT_EQ(third->continue_, "");
  EXPECT_EQ(third->remaining_item_count, std::nullopt);
}

TEST_F(ListTest, TokensOfNamespaceOmitItsName) {
  const ListResult page = pods_.List({.selection = In("ns"), .limit = 1});
  ASSERT_TRUE(page);
  const auto token = ContinueToken::Decode(page->continue_);
  ASSERT_TRUE(token) << token.error().message();
  EXPECT_EQ(token->start, std::string("a\0", 2));
  EXPECT_EQ(token->version, static_cast<int64_t>(store_.version()));
  EXPECT_EQ(List({.selection = In("ns"), .continue_ = page->continue_}), (Names{"ns/b", "ns/c"}));
}

TEST_F(ListTest, OmitsRemainingCountWithSelector) {
  const ListResult page =
      pods_.List({.selection = {.labels = *ParseLabelSelector("!app")}, .limit = 1});
  ASSERT_TRUE(page);
  EXPECT_NE(page->continue_, "");
  EXPECT_EQ(page->remaining_item_count, std::nullopt);
}

TEST_F(ListTest, ExpiredTokenReturnsInconsistentContinuation) {
  const ListResult first = pods_.List({.limit = 2});
  ASSERT_TRUE(pods_.Delete("ns", "b"));
  store_.Compact();
  const ListResult expired = pods_.List({.limit = 2, .continue_ = first->continue_});
  ASSERT_FALSE(expired);
  EXPECT_EQ(expired.error().error.reason(), Reason::kExpired);
  EXPECT_EQ(expired.error().error.http_code(), 410);
  EXPECT_TRUE(expired.error().error.message().starts_with(
      "The provided continue parameter is too old to display a consistent list result."));
  const ListResult rest = pods_.List({.limit = 1, .continue_ = expired.error().continue_});
  ASSERT_TRUE(rest);
  EXPECT_EQ(NamesOf(*rest), Names{"ns/c"});
  EXPECT_EQ(rest->version, store_.version());
  EXPECT_EQ(List({.continue_ = rest->continue_}), Names{"z/a"});
}

TEST_F(ListTest, RejectsForeignTokens) {
  const struct {
    std::string token;
    std::string message;
  } cases[] = {
      {"%", "invalid continue token: continue key is not valid: it was not issued by this server"},
      {"e30",
       "invalid continue token: continue key is not valid: it was not issued by this server"},
      {ContinueToken{.version = 0, .start = "a"}.Encode(),
       "invalid continue token: continue key is not valid: incorrect encoded start "
       "resourceVersion (version meta.k8s.io/v1)"},
      {ContinueToken{.version = 3, .start = ""}.Encode(),
       "invalid continue token: continue key is not valid: encoded start key empty (version "
       "meta.k8s.io/v1)"},
  };
  for (const auto& [token, message] : cases) {
    EXPECT_EQ(Fails({.continue_ = token}, Reason::kBadRequest), message);
  }
  const ListResult page = pods_.List({.limit = 1});
  EXPECT_EQ(Fails({.continue_ = page->continue_, .resource_version = "3"}, Reason::kBadRequest),
            "specifying resource version is not allowed when using continue");
}

TEST_F(ListTest, VersionMatchFollowsUpstream) {
  const std::string old = std::to_string(store_.version() - 1);  // before z/a
  const std::string now = std::to_string(store_.version());
  const Names all = {"ns-2/a", "ns/a", "ns/b", "ns/c", "z/a"};
  const Names before = {"ns-2/a", "ns/a", "ns/b", "ns/c"};
  EXPECT_EQ(List({.resource_version = old, .match = VersionMatch::kExact}), before);
  EXPECT_EQ(List({.resource_version = old, .match = VersionMatch::kNotOlderThan}), all);
  EXPECT_EQ(List({.resource_version = old}), all);
  EXPECT_EQ(List({.limit = 10, .resource_version = old}), before) << "a limit makes it exact";
  EXPECT_EQ(List({.limit = 10, .resource_version = "0"}), all);
  EXPECT_EQ(List({.resource_version = now, .match = VersionMatch::kExact}), all);
  const ListResult exact = pods_.List({.resource_version = old, .match = VersionMatch::kExact});
  EXPECT_EQ(std::to_string(exact->version), old);
}

TEST_F(ListTest, RejectsUnavailableVersions) {
  for (const VersionMatch match :
       {VersionMatch::kUnset, VersionMatch::kExact, VersionMatch::kNotOlderThan}) {
    const ListResult future = pods_.List({.resource_version = "1000", .match = match});
    ASSERT_FALSE(future);
    EXPECT_TRUE(future.error().version_too_large);
    EXPECT_EQ(future.error().error.message(),
              "Timeout: Too large resource version: 1000, current: 6");
  }
  EXPECT_EQ(Fails({.resource_version = "abc"}, Reason::kBadRequest),
            "invalid resource version: resourceVersion: Invalid value: \"abc\": "
            "strconv.ParseUint: parsing \"abc\": invalid syntax");
  store_.SetWindow(2);
  EXPECT_EQ(Fails({.resource_version = "2", .match = VersionMatch::kExact}, Reason::kExpired),
            "The resourceVersion for the provided list is too old.");
  EXPECT_EQ(List({.resource_version = "4", .match = VersionMatch::kExact}),
            (Names{"ns/a", "ns/b", "ns/c"}));
}

}  // namespace
}  // namespace berth::apiserver
