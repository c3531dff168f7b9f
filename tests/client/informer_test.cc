// SPDX-License-Identifier: Apache-2.0
#include "client/informer.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>

#include <gmock/gmock.h>

#include "tests/client/informer_fixture.h"

namespace berth::client {
namespace {

// Stub is a minimal extract of a pod.
struct Stub {
  std::string uid;
  std::string resource_version;
  static Stub Of(const std::shared_ptr<const api::Pod>& pod) {
    return {pod->metadata.uid, pod->metadata.resource_version};
  }
};

TEST_F(InformerTest, ListsThenWatchesFromListVersion) {
  script_.List(200, ListJson("10", {PodJson("a", "3"), PodJson("b", "4")}))
      .Frames({Frame("ADDED", PodJson("c", "11")), Frame("MODIFIED", PodJson("a", "12")),
               Frame("DELETED", PodJson("b", "13"))});
  Start();
  ExpectDiary({"+a 3", "+b 4", "synced", "+c 11", "~a 12", "-b 13"});
  EXPECT_EQ(Target(0), "/api/v1/pods?limit=500");
  EXPECT_EQ(
      Target(1),
      "/api/v1/pods?watch=true&allowWatchBookmarks=true&resourceVersion=10&timeoutSeconds=450");
  EXPECT_EQ(informer_->store().size(), 2u);
  EXPECT_EQ(informer_->store().Get("default", "a")->metadata.resource_version, "12");
  EXPECT_EQ(informer_->store().Get("default", "b"), nullptr);
  const ReflectorStatus status = informer_->status();
  EXPECT_TRUE(status.synced);
  EXPECT_FALSE(status.failing);
  EXPECT_EQ(status.resource, "pods");
}

TEST_F(InformerTest, ReadsInitialEventsFromWatch) {
  script_.Stream({Frame("ADDED", PodJson("a", "3")), Frame("ADDED", PodJson("b", "4")),
                  EndOfInitialEvents("10"), Frame("MODIFIED", PodJson("a", "12"))});
  Start({.ns = "work", .label_selector = "a=b"});
  ExpectDiary({"+a 3", "+b 4", "synced", "~a 12"});
  EXPECT_EQ(StreamTarget(0),
            "/api/v1/namespaces/work/pods?watch=true&allowWatchBookmarks=true&sendInitialEvents="
            "true&resourceVersionMatch=NotOlderThan&labelSelector=a%3Db&timeoutSeconds=450");
  EXPECT_EQ(stub_->server.requests().size(), 1u);
}

TEST_F(InformerTest, WatchesFromLastVersionAfterInitialEvents) {
  script_
      .Stream([](StubReply& reply) {
        reply.Begin(200);
        reply.Chunk(Frame("ADDED", PodJson("a", "3")) + EndOfInitialEvents("10"));
        reply.Close();
      })
      .Frames({Frame("MODIFIED", PodJson("a", "12"))});
  Start();
  ExpectDiary({"+a 3", "synced", "~a 12"});
  EXPECT_NE(Target(0).find("resourceVersion=10&"), std::string::npos) << "no second list";
}

// Changes during the initial events may come before the bookmark.
TEST_F(InformerTest, AppliesChangesAmongInitialEvents) {
  script_.Stream({Frame("ADDED", PodJson("a", "3")), Frame("ADDED", PodJson("b", "4")),
                  Frame("DELETED", PodJson("b", "11")), Frame("MODIFIED", PodJson("a", "12")),
                  EndOfInitialEvents("12")});
  Start();
  ExpectDiary({"+a 3", "+b 4", "-b 11", "~a 12", "synced"});
}

TEST_F(InformerTest, ReportsDifferenceAfterGoneWithInitialEvents) {
  script_
      .Stream({Frame("ADDED", PodJson("kept", "1")), Frame("ADDED", PodJson("gone", "3")),
               EndOfInitialEvents("10"), Frame("ERROR", StatusJson(410, "Expired", "too old"))})
      .Stream({Frame("ADDED", PodJson("fresh", "82")), Frame("ADDED", PodJson("kept", "1")),
               EndOfInitialEvents("90")});
  Start();
  ExpectDiary({"+kept 1", "+gone 3", "synced", "+fresh 82", "-gone 3"});
  EXPECT_NE(StreamTarget(1).find("resourceVersion=10&"), std::string::npos);
}

TEST_F(InformerTest, ListAgainPassesTextsOfUnchangedObjects) {
  script_
      .Stream({Frame("ADDED", PodJson("kept", "1")), Frame("ADDED", PodJson("gone", "3")),
               EndOfInitialEvents("10")})
      .Stream({Frame("ADDED", PodJson("kept", "1")), EndOfInitialEvents("20"),
               Frame("MODIFIED", PodJson("kept", "21"))});
  stub_ = std::make_unique<StubClient>(script_.Handler(), "");
  informer_ = std::make_unique<Informer<api::Pod>>(*stub_->client, Quick({}), stub_->clock);
  informer_->ListenToTexts([this](const api::Pod& pod, const std::string& text) {
    EXPECT_EQ(text, PodJson(pod.metadata.name, pod.metadata.resource_version));
    diary_.Write("text of " + pod.metadata.name);
  });
  diary_.Follow(*informer_);
  informer_->WhenListed(
      [this] { diary_.Write(informer_->HasListedAgain() ? "all listed" : "listed"); });
  EXPECT_TRUE(informer_->HasListedAgain()) << "no list was requested";
  informer_->Start();
  ExpectDiary({"text of kept", "+kept 1", "text of gone", "+gone 3", "all listed", "synced"});
  diary_.Clear();
  informer_->ListAgain();
  ExpectDiary({"text of kept", "-gone 3", "all listed", "text of kept", "~kept 21"});
  EXPECT_EQ(stub_->server.requests().size(), 2u);
}

TEST_F(InformerTest, ListAgainDuringListStartsAnother) {
  http::Gate looked;
  script_.Stream({Frame("ADDED", PodJson("a", "1"))}).Stream([&looked](StubReply& reply) {
    looked.Wait();
    reply.Begin(200);
    reply.Chunk(Frame("ADDED", PodJson("a", "1")) + Frame("ADDED", PodJson("b", "2")) +
                EndOfInitialEvents("20"));
    reply.WaitForPeer();
  });
  Start();
  ExpectDiary({"+a 1"});
  informer_->ListAgain();
  EXPECT_FALSE(informer_->HasListedAgain());
  looked.Open();
  ExpectDiary({"+a 1", "+b 2", "synced"});
  EXPECT_TRUE(informer_->HasListedAgain());
}

// Each list handler waits a moment for a second list to start.
TEST_F(InformerTest, RelistsRunOneAtATime) {
  http::Gate expired;
  std::mutex mutex;
  std::condition_variable asked;
  int under_way = 0, most = 0;
  const auto first = [&](StubReply& reply) {
    reply.Begin(200);
    reply.Chunk(EndOfInitialEvents("10"));
    expired.Wait();
    reply.Chunk(Frame("ERROR", StatusJson(410, "Expired", "too old")));
    reply.Close();
  };
  const auto second = [&](StubReply& reply) {
    reply.Begin(200);
    {
      std::unique_lock lock(mutex);
      most = std::max(most, ++under_way);
      asked.notify_all();
      asked.wait_for(lock, milliseconds(100), [&] { return under_way > 1; });
      --under_way;
    }
    reply.Chunk(Frame("ADDED", PodJson("a", "3")) + EndOfInitialEvents("20"));
    reply.WaitForPeer();
  };
  script_.Stream(first).Stream(first).Stream(second).Stream(second);
  Start();
  Informer<api::Pod> other(*stub_->client, Quick({}), stub_->clock);
  other.Start();
  EXPECT_TRUE(http::Eventually([&] { return informer_->synced() && other.synced(); }));
  expired.Open();
  EXPECT_TRUE(http::Eventually(
      [&] { return informer_->store().size() == 1 && other.store().size() == 1; }));
  const std::lock_guard lock(mutex);
  EXPECT_EQ(most, 1);
}

TEST_F(InformerTest, BrokenInitialEventsDeleteNothing) {
  script_
      .Stream({Frame("ADDED", PodJson("a", "1")), Frame("ADDED", PodJson("b", "2")),
               EndOfInitialEvents("10"), Frame("ERROR", StatusJson(410, "Expired", "too old"))})
      .Stream([](StubReply& reply) {
        reply.Begin(200);
        reply.Chunk(Frame("ADDED", PodJson("a", "50")));
        reply.Close();
      })
      .Stream({Frame("ADDED", PodJson("a", "50")), EndOfInitialEvents("90")});
  Start();
  ExpectDiary({"+a 1", "+b 2", "synced", "~a 50", "-b 2"});
  EXPECT_EQ(StreamTarget(2).find("resourceVersion="), std::string::npos)
      << "a state older than that of a must not follow";
}

TEST_F(InformerTest, ReadsPagesIfInitialEventsAreIgnored) {
  for (const bool brings_bookmark : {true, false}) {
    script_.Stream([=](StubReply& reply) {  // an ordinary watch
      reply.Begin(200);
      reply.Chunk(Frame("ADDED", PodJson("a", "3")));
      if (brings_bookmark) {
        reply.Chunk(Frame("BOOKMARK", R"({"kind":"Pod","metadata":{"resourceVersion":"9"}})"));
        reply.WaitForPeer();
      }
      reply.End();
    });
    script_.List(200, ListJson("10", {PodJson("a", "3"), PodJson("b", "4")}));
    Start();
    ExpectDiary({"+a 3", "+b 4", "synced"});
    EXPECT_EQ(Target(0), "/api/v1/pods?limit=500");
    TearDown();
    diary_.Clear();
  }
}

TEST_F(InformerTest, ReadsPagesAfterSilentInitialEvents) {
  script_.Stream({Frame("ADDED", PodJson("a", "3"))})
      .List(200, ListJson("10", {PodJson("a", "3")}));
  Start({}, {.silence_limit = milliseconds(100)});
  ExpectDiary({"+a 3", "synced"});
}

TEST_F(InformerTest, RelistsAfterInvalidWatchEvent) {
  const std::string long_line(300, 'x');
  for (const std::string& bad : {std::string("{\"type\":\"ADDED\",\n"), long_line + "\n",
                                 Frame("ERROR", "\"text\""), Frame("SHOUTED", PodJson("a", "1"))}) {
    script_.List(200, ListJson("10", {PodJson("a", "1")}))
        .Frames({bad})
        .List(200, ListJson("20", {PodJson("a", "12")}));
    Start({}, {.max_line_bytes = 200});
    ExpectDiary({"+a 1", "synced", "~a 12"});
    EXPECT_EQ(Target(2),
              "/api/v1/pods?limit=500&resourceVersion=10&resourceVersionMatch=NotOlderThan");
    TearDown();
    diary_.Clear();
  }
}

TEST_F(InformerTest, ReadsPagesAfterUnreadableInitialEvent) {
  script_.Stream({Frame("ADDED", PodJson("a", "3")), "garbage\n"})
      .List(200, ListJson("10", {PodJson("a", "3"), PodJson("b", "4")}));
  Start();
  ExpectDiary({"+a 3", "+b 4", "synced"});
}

TEST_F(InformerTest, SelectsByNameLabelAndNamespace) {
  script_.List(200, ListJson("10", {}));
  Start({.ns = "work", .name = "only", .label_selector = "a=b"});
  EXPECT_EQ(Target(0),
            "/api/v1/namespaces/work/pods?labelSelector=a%3Db&fieldSelector=metadata.name%3Donly&"
            "limit=500");
  ExpectDiary({"synced"});
}

TEST_F(InformerTest, ResumesFromBookmarkAfterBrokenConnection) {
  script_.List(200, ListJson("10", {}))
      .Watch([](StubReply& reply) {
        reply.Begin(200);
        reply.Chunk(Frame("BOOKMARK", R"({"kind":"Pod","metadata":{"resourceVersion":"55"}})"));
        reply.Close();
      })
      .Frames({Frame("ADDED", PodJson("a", "56"))});
  Start();
  ExpectDiary({"synced", "+a 56"});
  EXPECT_NE(Target(2).find("resourceVersion=55&"), std::string::npos) << "no second list";
}

TEST_F(InformerTest, JoinsFrameSplitOverChunks) {
  const std::string frame = Frame("ADDED", PodJson("a", "11"));
  script_.List(200, ListJson("10", {})).Frames({frame.substr(0, 20), frame.substr(20)});
  Start();
  ExpectDiary({"synced", "+a 11"});
}

TEST_F(InformerTest, ReportsDifferenceAfterGoneWithPages) {
  script_
      .List(200, ListJson("10", {PodJson("kept", "1"), PodJson("changed", "2"),
                                 PodJson("gone", "3"), PodJson("replaced", "4", "old-uid")}))
      .Frames({Frame("ERROR", StatusJson(410, "Expired", "too old resource version"))})
      .List(200, ListJson("90", {PodJson("kept", "1"), PodJson("changed", "80"),
                                 PodJson("replaced", "81", "new-uid"), PodJson("fresh", "82")}));
  Start();
  ExpectDiary({"+kept 1", "+changed 2", "+gone 3", "+replaced 4", "synced",  //
               "~changed 80", "-replaced 4", "+replaced 81", "+fresh 82", "-gone 3"});
  EXPECT_EQ(Target(2),
            "/api/v1/pods?limit=500&resourceVersion=10&resourceVersionMatch=NotOlderThan");
  EXPECT_NE(Target(3).find("resourceVersion=90&"), std::string::npos);
}

TEST_F(InformerTest, ReportsDifferenceWithExtracts) {
  script_
      .List(200, ListJson("10", {PodJson("kept", "1", "kept-uid"), PodJson("gone", "3", "gone-uid"),
                                 PodJson("replaced", "4", "old-uid")}))
      .Frames({Frame("MODIFIED", PodJson("kept", "11", "kept-uid")),
               Frame("ERROR", StatusJson(410, "Expired", "too old resource version"))})
      .List(200, ListJson("90", {PodJson("kept", "11", "kept-uid"),
                                 PodJson("replaced", "81", "new-uid")}))
      .Frames({Frame("DELETED", PodJson("replaced", "91", "new-uid"))});
  Diary diary;
  stub_ = std::make_unique<StubClient>(script_.Handler(), "", http::TransportOptions());
  Informer<api::Pod, Stub> informer(*stub_->client, {.random = [] { return 0.0; }}, stub_->clock);
  informer.Listen([&](const api::Change<api::Pod>& change) {
    const auto& known = change.after != nullptr ? change.after : change.before;
    diary.Write(SignOf(change.type) + (known != nullptr ? known->metadata.name : "?") + " " +
                change.uid() + " was " + (change.before != nullptr ? "known" : "not kept"));
  });
  informer.Start();
  EXPECT_TRUE(http::Eventually([&] { return diary.lines().size() == 8; }));
  EXPECT_EQ(diary.lines(), (std::vector<std::string>{
                               "+kept kept-uid was not kept", "+gone gone-uid was not kept",
                               "+replaced old-uid was not kept", "~kept kept-uid was not kept",
                               "-? old-uid was not kept", "+replaced new-uid was not kept",
                               "-? gone-uid was not kept", "-replaced new-uid was known"}));
  EXPECT_EQ(informer.store().size(), 1u);
  EXPECT_EQ(informer.store().Get("default", "kept")->resource_version, "11");
}

TEST_F(InformerTest, ListsNewestAfterExpiredList) {
  script_.List(200, ListJson("10", {}))
      .Watch([](StubReply& reply) { reply.Send(410, StatusJson(410, "Expired", "old")); })
      .List(410, StatusJson(410, "Expired", "old"))
      .List(200, ListJson("20", {PodJson("a", "19")}));
  Start();
  ExpectDiary({"synced", "+a 19"});
  EXPECT_EQ(Target(3), "/api/v1/pods?limit=500");
}

TEST_F(InformerTest, ListsNewestAfterTooLargeVersion) {
  script_.List(200, ListJson("10", {}))
      .Watch([](StubReply& reply) {
        reply.Send(504, StatusJson(504, "Timeout", "Too large resource version: 10, current: 5"));
      })
      .List(200, ListJson("6", {PodJson("a", "5")}));
  Start();
  ExpectDiary({"synced", "+a 5"});
  EXPECT_EQ(Target(2), "/api/v1/pods?limit=500");
}

TEST_F(InformerTest, SilenceEndsWatch) {
  script_.List(200, ListJson("10", {})).Frames({}).Frames({Frame("ADDED", PodJson("a", "11"))});
  Start({}, {.silence_limit = milliseconds(100)});
  EXPECT_TRUE(http::Eventually([&] { return informer_->store().size() == 1; }));
}

TEST_F(InformerTest, StopReturnsWhileAWatchIsSilent) {
  script_.List(200, ListJson("10", {}));
  Start();
  Target(1);
  informer_->Stop();
  EXPECT_TRUE(informer_->status().synced);
}

}  // namespace
}  // namespace berth::client
