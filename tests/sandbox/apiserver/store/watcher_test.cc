// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/watcher.h"

#include <gtest/gtest.h>

#include "sandbox/apiserver/store/store.h"
#include "tests/sandbox/apiserver/store/objects.h"

namespace berth::apiserver {
namespace {

using Json = nlohmann::json;
using Lines = std::vector<std::string>;

class WatcherTest : public ::testing::Test {
 protected:
  std::unique_ptr<Watcher> Watch(WatchOptions options) {
    options.representation = plain_;
    auto watcher = pods_.Watch(std::move(options));
    EXPECT_TRUE(watcher) << watcher.error().message();
    return std::move(*watcher);
  }
  // Returns "TYPE name@version" for all pending events.
  static Lines Pull(Watcher& watcher) {
    Lines lines;
    while (const Frame frame = watcher.Next()) lines.push_back(Describe(*frame));
    return lines;
  }
  static std::string Describe(const std::string& frame) {
    EXPECT_EQ(frame.back(), '\n');
    const Json event = Json::parse(frame);
    const Json& object = event["object"];
    if (event["type"] == "ERROR") return object["message"];
    const Json& metadata = object["metadata"];
    std::string text = event["type"];
    if (metadata.contains("name")) text += " " + metadata["name"].get<std::string>();
    text += "@" + metadata["resourceVersion"].get<std::string>();
    if (metadata.contains("annotations")) text += " end";
    return text;
  }
  std::string At(const std::string& event) {
    return event + "@" + std::to_string(store_.version());
  }
  void Create(const std::string& name) { ASSERT_TRUE(pods_.Create(MakePod("ns", name))); }
  void Bind(const std::string& name, const std::string& node) {
    ASSERT_TRUE(pods_.Update(MakePodOn("ns", name, node)));
  }
  void Delete(const std::string& name) { ASSERT_TRUE(pods_.Delete("ns", name)); }
  Selection OnNode(const std::string& node) {
    return {.fields = *FieldSelector::Parse("spec.nodeName=" + node, pods_.fields())};
  }

  Store store_;
  Collection& pods_ = store_.Add("pods", kPodFields);
  std::shared_ptr<const Representation> plain_ = std::make_shared<PlainRepresentation>("v1", "Pod");
};

TEST_F(WatcherTest, StartsAfterAVersion) {
  Create("a");
  const std::string version = std::to_string(store_.version());
  Create("b");
  const auto watcher = Watch({.resource_version = version});
  EXPECT_EQ(Pull(*watcher), Lines{At("ADDED b")});
  Bind("a", "node");
  EXPECT_EQ(Pull(*watcher), Lines{At("MODIFIED a")});
  Delete("a");
  EXPECT_EQ(Pull(*watcher), Lines{At("DELETED a")});
  EXPECT_EQ(Pull(*watcher), Lines{});
  EXPECT_FALSE(watcher->ended());
}

TEST_F(WatcherTest, StartsWithExistingObjectsWithoutVersion) {
  Create("b");
  Create("a");
  for (const char* version : {"", "0"}) {
    const auto watcher = Watch({.resource_version = version});
    EXPECT_EQ(Pull(*watcher), (Lines{"ADDED a@3", "ADDED b@2"}));
  }
  const auto from_now = Watch({.send_initial_events = false});
  EXPECT_EQ(Pull(*from_now), Lines{});
  Create("c");
  EXPECT_EQ(Pull(*from_now), Lines{At("ADDED c")});
}

TEST_F(WatcherTest, BookmarkEndsInitialEvents) {
  Create("a");
  const auto watcher =
      Watch({.resource_version = "1", .send_initial_events = true, .allow_bookmarks = true});
  Create("b");
  EXPECT_EQ(Pull(*watcher), (Lines{"ADDED a@2", "BOOKMARK@2 end", "ADDED b@3"}));
  const auto without = Watch({.send_initial_events = true});
  EXPECT_EQ(Pull(*without), (Lines{"ADDED a@2", "ADDED b@3"}));
}

TEST_F(WatcherTest, BookmarkMatchesUpstream) {
  const auto watcher = Watch({.send_initial_events = true, .allow_bookmarks = true});
  const Frame frame = watcher->Next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(Json::parse(*frame), Json::parse(R"({"type":"BOOKMARK","object":{"kind":"Pod",
      "apiVersion":"v1","metadata":{"resourceVersion":"1",
      "annotations":{"k8s.io/initial-events-end":"true"}}}})"));
}

TEST_F(WatcherTest, RequestedBookmarkFollowsPendingEvents) {
  const auto watcher = Watch({.resource_version = "1", .allow_bookmarks = true});
  Create("a");
  watcher->RequestBookmark();
  EXPECT_EQ(Pull(*watcher), (Lines{"ADDED a@2", "BOOKMARK@2"}));
  int woken = 0;
  watcher->OnReady([&] { ++woken; });
  watcher->RequestBookmark();
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(Pull(*watcher), Lines{"BOOKMARK@2"});
  const auto without = Watch({.resource_version = "2"});
  without->RequestBookmark();
  EXPECT_EQ(Pull(*without), Lines{});
}

TEST_F(WatcherTest, ObjectsEnterAndLeaveASelection) {
  Create("a");
  Create("b");
  const auto watcher = Watch({.selection = OnNode("n1"), .send_initial_events = false});
  Bind("a", "n1");
  EXPECT_EQ(Pull(*watcher), Lines{At("ADDED a")});
  Bind("b", "n2");
  EXPECT_EQ(Pull(*watcher), Lines{});
  Bind("a", "n3");
  const Frame gone = watcher->Next();
  ASSERT_TRUE(gone);
  EXPECT_EQ(Describe(*gone), At("DELETED a"));
  EXPECT_EQ(Json::parse(*gone)["object"]["spec"]["nodeName"], "n1") << "the last matching state";
  Delete("a");
  EXPECT_EQ(Pull(*watcher), Lines{}) << "it had left";
}

TEST_F(WatcherTest, ShowsOneNamespaceOnly) {
  const auto watcher = Watch({.selection = {.namespace_ = "other"}});
  Create("a");
  ASSERT_TRUE(pods_.Create(MakePod("other", "b")));
  EXPECT_EQ(Pull(*watcher), Lines{At("ADDED b")});
}

TEST_F(WatcherTest, TooOldVersionYieldsErrorEvent) {
  store_.SetWindow(1);
  Create("a");
  Create("b");
  Create("c");
  const auto expired = Watch({.resource_version = "2"});
  const Frame frame = expired->Next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(Json::parse(*frame), Json::parse(R"json({"type":"ERROR","object":{"kind":"Status",
      "apiVersion":"v1","metadata":{},"status":"Failure","reason":"Expired","code":410,
      "message":"too old resource version: 2 (3)"
}
})json"));
  EXPECT_TRUE(expired->ended());
  EXPECT_EQ(expired->Next(), nullptr);
  const auto edge = Watch({.resource_version = "3"});
  EXPECT_EQ(Pull(*edge), Lines{"ADDED c@4"});
}

TEST_F(WatcherTest, InitialEventsAreAtLeastAsNewAsRequested) {
  const auto watcher = Watch({.resource_version = "9", .send_initial_events = true});
  const Frame frame = watcher->Next();
  ASSERT_TRUE(frame);
  const Json status = Json::parse(*frame)["object"];
  EXPECT_EQ(status["message"], "Timeout: Too large resource version: 9, current: 1");
  EXPECT_EQ(status["code"], 504);
  EXPECT_EQ(status["details"]["causes"][0]["reason"], "ResourceVersionTooLarge");
  EXPECT_EQ(status["details"]["retryAfterSeconds"], 1);
}

TEST_F(WatcherTest, WaitsForFutureVersion) {
  const auto watcher = Watch({.resource_version = "3"});
  Create("a");
  Create("b");
  Create("c");
  EXPECT_EQ(Pull(*watcher), Lines{"ADDED c@4"});
}

TEST_F(WatcherTest, RejectsVersionThatIsNotANumber) {
  const auto watcher = pods_.Watch({.resource_version = "x", .representation = plain_});
  ASSERT_FALSE(watcher);
  EXPECT_EQ(watcher.error().reason(), Reason::kInvalid);
}

TEST_F(WatcherTest, CallsReadyOnceForRelevantChanges) {
  const auto watcher = Watch({.selection = OnNode("n1")});
  int woken = 0;
  watcher->OnReady([&] { ++woken; });
  Create("a");
  EXPECT_EQ(woken, 0) << "it has not said that it waits";
  EXPECT_EQ(Pull(*watcher), Lines{});
  Bind("a", "n2");
  EXPECT_EQ(woken, 0) << "of no concern";
  Bind("a", "n1");
  Delete("a");
  EXPECT_EQ(woken, 1) << "once until it has pulled";
  EXPECT_EQ(Pull(*watcher), (Lines{"ADDED a@4", "DELETED a@5"}));
}

TEST_F(WatcherTest, CutsWatcherBehindTheWindow) {
  store_.SetWindow(2);
  const auto slow = Watch({});
  const auto quick = Watch({});
  Lines seen;
  quick->OnReady([&] {
    for (const std::string& line : Pull(*quick)) seen.push_back(line);
  });
  EXPECT_EQ(Pull(*slow), Lines{});
  EXPECT_EQ(Pull(*quick), Lines{});
  int woken = 0;
  slow->OnReady([&] { ++woken; });
  Create("a");
  Create("b");
  EXPECT_FALSE(slow->ended());
  Create("c");
  EXPECT_TRUE(slow->ended());
  EXPECT_EQ(woken, 2) << "when something came, and at the end";
  EXPECT_EQ(slow->Next(), nullptr);
  EXPECT_EQ(seen, (Lines{"ADDED a@2", "ADDED b@3", "ADDED c@4"}));
}

TEST_F(WatcherTest, CompactionKeepsUpToDateWatcher) {
  const auto watcher = Watch({});
  Create("a");
  EXPECT_EQ(Pull(*watcher), Lines{"ADDED a@2"});
  store_.Compact();
  Create("b");
  EXPECT_EQ(Pull(*watcher), Lines{"ADDED b@3"});
}

TEST_F(WatcherTest, EndsWithItsCollection) {
  const auto watcher = Watch({});
  EXPECT_EQ(Pull(*watcher), Lines{});
  bool told = false;
  watcher->OnReady([&] { told = watcher->ended(); });
  store_.Remove("pods");
  EXPECT_TRUE(told);
  EXPECT_EQ(watcher->Next(), nullptr);
}

TEST_F(WatcherTest, CallbacksMayDestroyAndAddWatchers) {
  auto first = Watch({});
  auto second = Watch({});
  std::unique_ptr<Watcher> third;
  EXPECT_EQ(Pull(*first), Lines{});
  EXPECT_EQ(Pull(*second), Lines{});
  bool second_woken = false;
  second->OnReady([&] { second_woken = true; });
  first->OnReady([&] {
    second.reset();
    third = Watch({.send_initial_events = false});
    first.reset();
  });
  Create("a");
  EXPECT_FALSE(second_woken);
  Create("b");
  EXPECT_EQ(Pull(*third), Lines{"ADDED b@3"});
}

TEST_F(WatcherTest, WatchersOfOneRepresentationShareFrames) {
  const auto other_look = std::make_shared<PlainRepresentation>("v1", "Pod");
  const auto first = Watch({});
  const auto second = Watch({});
  const auto other = Watch({});
  other->SetRepresentation(other_look);
  Create("a");
  const Frame frame = first->Next();
  EXPECT_EQ(frame, second->Next());
  const Frame same_text = other->Next();
  EXPECT_NE(frame, same_text);
  EXPECT_EQ(*frame, *same_text);
}

TEST_F(WatcherTest, AllWatchersSeeTheSameOrder) {
  std::vector<std::unique_ptr<Watcher>> watchers;
  std::vector<Lines> seen(50);
  for (size_t i = 0; i < seen.size(); ++i) {
    watchers.push_back(Watch({}));
    EXPECT_EQ(watchers[i]->Next(), nullptr);
    watchers[i]->OnReady([&, i] {
      for (const std::string& line : Pull(*watchers[i])) seen[i].push_back(line);
    });
  }
  for (int i = 0; i < 20; ++i) Create("pod-" + std::to_string(i));
  EXPECT_EQ(seen[0].size(), 20u);
  for (const Lines& lines : seen) EXPECT_EQ(lines, seen[0]);
}

}  // namespace
}  // namespace berth::apiserver
