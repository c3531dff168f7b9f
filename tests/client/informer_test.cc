// SPDX-License-Identifier: Apache-2.0
#include "client/informer.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/pod.h"
#include "tests/client/stub_client.h"

namespace berth::client {
namespace {

using http::StubReply;
using http::StubRequest;
using std::chrono::milliseconds;

bool AsksForInitialEvents(const std::string& target) {
  return target.find("sendInitialEvents=true") != std::string::npos;
}

// Returns the bookmark that ends the initial events.
std::string EndOfInitialEvents(const std::string& version) {
  return Frame("BOOKMARK", R"({"kind":"Pod","metadata":{"resourceVersion":")" + version +
                               R"(","annotations":{"k8s.io/initial-events-end":"true"}}})");
}

// Script replays separate sequences for watches with initial events, lists and other watches. When
// the first sequence is exhausted, the server rejects initial events; when the last one is, the
// last watch stays open and silent.
class Script {
 public:
  using Step = std::function<void(StubReply&)>;

  Script& List(int code, const std::string& body) {
    return List([=](StubReply& reply) { reply.Send(code, body); });
  }
  Script& List(Step step) {
    lists_.push_back(std::move(step));
    return *this;
  }
  Script& Watch(Step step) {
    watches_.push_back(std::move(step));
    return *this;
  }
  Script& Stream(Step step) {
    streams_.push_back(std::move(step));
    return *this;
  }
  // Steps that send frames and stay open.
  Script& Frames(std::vector<std::string> frames) { return Watch(Bring(std::move(frames))); }
  Script& Stream(std::vector<std::string> frames) { return Stream(Bring(std::move(frames))); }

  http::StubServer::Handler Handler() {
    return [this](const StubRequest& request, StubReply& reply) {
      Step step;
      {
        std::lock_guard lock(mutex_);
        const bool watch = request.target.find("watch=true") != std::string::npos;
        const bool stream = AsksForInitialEvents(request.target);
        std::deque<Step>& steps = stream ? streams_ : watch ? watches_ : lists_;
        if (!steps.empty()) {
          step = steps.front();
          steps.pop_front();
        } else if (stream) {
          step = [](StubReply& unknown) {
            unknown.Send(422, StatusJson(422, "Invalid", "sendInitialEvents is forbidden"));
          };
        } else if (watch) {
          step = [](StubReply& quiet) {
            quiet.Begin(200);
            quiet.WaitForPeer();
          };
        } else {
          step = [](StubReply& none) { none.Send(500, "the script has no more lists"); };
        }
      }
      step(reply);
    };
  }

 private:
  static Step Bring(std::vector<std::string> frames) {
    return [frames = std::move(frames)](StubReply& reply) {
      reply.Begin(200);
      for (const std::string& frame : frames) reply.Chunk(frame);
      reply.WaitForPeer();
    };
  }

  std::mutex mutex_;  // guards all below
  std::deque<Step> streams_;
  std::deque<Step> lists_;
  std::deque<Step> watches_;
};

char SignOf(api::ChangeType type) {
  return type == api::ChangeType::kAdded ? '+' : type == api::ChangeType::kModified ? '~' : '-';
}

// Diary records the notifications of listeners: "+a 1" added, "~a 2" modified, "-a 3" deleted, "?a"
// unreadable, or was unreadable and is deleted, "synced".
class Diary {
 public:
  void Follow(Informer<api::Pod>& pods) {
    pods.Listen([this](const api::Change<api::Pod>& change) {
      EXPECT_EQ(change.before == nullptr, change.type == api::ChangeType::kAdded);
      EXPECT_EQ(change.after == nullptr, change.type == api::ChangeType::kDeleted);
      const api::ObjectMeta& metadata = change.newest().metadata;
      Write(SignOf(change.type) + metadata.name + " " + metadata.resource_version);
    });
    pods.WhenUnreadable([this](const StoreKey& key) { Write("?" + key.second); });
    pods.WhenSynced([this] { Write("synced"); });
  }
  void Write(std::string line) {
    std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
  }
  std::vector<std::string> lines() const {
    std::lock_guard lock(mutex_);
    return lines_;
  }
  void Clear() {
    std::lock_guard lock(mutex_);
    lines_.clear();
  }

 private:
  mutable std::mutex mutex_;  // guards lines_
  std::vector<std::string> lines_;
};

// Stub is a minimal extract of a pod.
struct Stub {
  std::string uid;
  std::string resource_version;
  static Stub Of(const std::shared_ptr<const api::Pod>& pod) {
    return {pod->metadata.uid, pod->metadata.resource_version};
  }
};

class InformerTest : public ::testing::Test {
 protected:
  static ReflectorOptions Quick(ReflectorOptions options) {
    options.random = [] { return 0.5; };
    options.first_backoff = milliseconds(1);
    options.max_backoff = milliseconds(5);
    options.forbidden_retry = milliseconds(1);
    return options;
  }
  // Starts an informer against the script with short waits.
  void Start(ReflectorOptions options = {}, http::TransportOptions transport = {}) {
    stub_ = std::make_unique<StubClient>(script_.Handler(), "", std::move(transport));
    informer_ = std::make_unique<Informer<api::Pod>>(*stub_->client, Quick(std::move(options)),
                                                     stub_->clock);
    diary_.Follow(*informer_);
    informer_->Start();
  }
  void TearDown() override {
    informer_.reset();
    stub_.reset();
  }

  void ExpectDiary(const std::vector<std::string>& lines) {
    EXPECT_TRUE(http::Eventually([&] { return diary_.lines().size() >= lines.size(); }));
    EXPECT_EQ(diary_.lines(), lines);
  }
  // Targets of lists and the watches that follow them; and of watches with initial events.
  std::string Target(size_t request) { return TargetOf(false, request); }
  std::string StreamTarget(size_t request) { return TargetOf(true, request); }

  std::string TargetOf(bool initial_events, size_t number) {
    std::vector<std::string> targets;
    EXPECT_TRUE(http::Eventually([&] {
      targets.clear();
      for (const StubRequest& request : stub_->server.requests()) {
        if (AsksForInitialEvents(request.target) == initial_events)
          targets.push_back(request.target);
      }
      return targets.size() > number;
    }));
    return targets.at(number);
  }

  Script script_;
  Diary diary_;
  std::unique_ptr<StubClient> stub_;
  std::unique_ptr<Informer<api::Pod>> informer_;
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

// Replies like a server that does not serve the kind.
void Unknown(StubReply& reply) {
  reply.Send(404, StatusJson(404, "NotFound", "the server could not find the requested resource"));
}

TEST_F(InformerTest, AbsentKindIsEmptyUntilServedAndAfterRemoval) {
  script_.Stream(Unknown)
      .Stream(Unknown)
      .Stream([](StubReply& reply) {
        reply.Begin(200);
        reply.Chunk(Frame("ADDED", PodJson("a", "3")) + EndOfInitialEvents("10"));
        reply.Close();
      })
      .Watch(Unknown)
      .Stream({Frame("ADDED", PodJson("b", "21")), EndOfInitialEvents("22")});
  Start({.may_be_absent = true});
  ExpectDiary({"synced", "+a 3", "-a 3", "+b 21"});
  EXPECT_EQ(StreamTarget(3).find("resourceVersion=1"), std::string::npos)
      << "the version of the deleted kind is not used";
  EXPECT_FALSE(informer_->status().absent);
}

TEST_F(InformerTest, AbsentKindIsServedFromFirstListedObject) {
  const auto checked = std::make_shared<http::Gate>();  // the handler may end after the test
  script_.Stream(Unknown).Stream([checked](StubReply& reply) {
    reply.Begin(200);
    reply.Chunk(Frame("ADDED", PodJson("a", "3")));
    checked->Wait();
    reply.Chunk(EndOfInitialEvents("10"));
  });
  Start({.may_be_absent = true});
  ExpectDiary({"synced", "+a 3"});
  EXPECT_FALSE(informer_->status().absent) << "the list has not ended yet";
  checked->Open();
}

TEST_F(InformerTest, AbsentKindCompletesRelistWithoutFailure) {
  for (int i = 0; i < 1000; ++i) script_.Stream(Unknown);
  Start({.may_be_absent = true});
  EXPECT_TRUE(http::Eventually([&] { return informer_->status().absent; }));
  EXPECT_TRUE(http::Eventually([&] { return informer_->synced(); }));
  informer_->ListAgain();
  EXPECT_TRUE(http::Eventually([&] { return informer_->HasListedAgain(); }));
  EXPECT_FALSE(informer_->status().failing);
  EXPECT_EQ(informer_->status().last_error, std::nullopt);
}

TEST_F(InformerTest, RequiredKindFailsIfUnknown) {
  for (int i = 0; i < 1000; ++i) script_.Stream(Unknown);
  Start();
  EXPECT_TRUE(http::Eventually([&] { return informer_->status().failing; }));
  EXPECT_FALSE(informer_->synced());
  EXPECT_FALSE(informer_->status().absent);
}

TEST_F(InformerTest, RequiredKindIsListedSoonAfterItsDefinition) {
  for (int i = 0; i < 20; ++i) script_.Stream(Unknown);
  script_.Stream({Frame("ADDED", PodJson("a", "3")), EndOfInitialEvents("10")});
  stub_ = std::make_unique<StubClient>(script_.Handler(), "");
  ReflectorOptions options = Quick({.max_absent_backoff = milliseconds(1)});
  options.max_backoff = std::chrono::hours(1);
  informer_ = std::make_unique<Informer<api::Pod>>(*stub_->client, options, stub_->clock);
  diary_.Follow(*informer_);
  informer_->Start();
  ExpectDiary({"+a 3", "synced"});
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

TEST_F(InformerTest, RecoversFromServerErrorsAtStart) {
  script_.List(500, "").List(503, "").List(200, ListJson("10", {PodJson("a", "1")}));
  Start();
  ExpectDiary({"+a 1", "synced"});
  EXPECT_FALSE(informer_->status().failing);
  EXPECT_FALSE(informer_->status().last_error);
}

TEST_F(InformerTest, ServiceUnavailableFailsAfterFiveResponses) {
  std::atomic<int> asked = 0, first_failing = 0;
  const Script::Step not_ready = [&](StubReply& reply) {
    ++asked;
    if (first_failing == 0 && informer_->status().failing) first_failing = asked.load();
    reply.Send(503, StatusJson(503, "ServiceUnavailable", "apiserver is starting"));
  };
  for (int i = 0; i < 4; ++i) script_.List(not_ready);
  script_.List(200, ListJson("10", {PodJson("a", "1")}));
  // A success resets the count.
  for (int i = 0; i < 6; ++i) script_.Watch(not_ready);
  script_.Frames({Frame("MODIFIED", PodJson("a", "11"))});
  Start();
  ExpectDiary({"+a 1", "synced", "~a 11"});
  EXPECT_EQ(asked, 10);
  EXPECT_EQ(first_failing, 10) << "the fifth response of the second outage";
  EXPECT_FALSE(informer_->status().failing);
}

TEST_F(InformerTest, RetriesForbiddenWithinGraceTime) {
  for (int i = 0; i < 3; ++i) script_.List(403, StatusJson(403, "Forbidden", "not yet"));
  script_.List(200, ListJson("10", {PodJson("a", "1")}));
  Start();
  ExpectDiary({"+a 1", "synced"});
}

TEST_F(InformerTest, ForbiddenAfterGraceTimeIsFailure) {
  for (int i = 0; i < 1000; ++i) script_.List(403, StatusJson(403, "Forbidden", "never"));
  Start({.forbidden_grace = milliseconds(20)});
  EXPECT_TRUE(http::Eventually([&] { return informer_->status().failing; }));
  EXPECT_EQ(informer_->status().last_error->reason(), Reason::kForbidden);
  EXPECT_FALSE(informer_->status().synced);
}

TEST_F(InformerTest, UnreadableObjectDoesNotBlockOthers) {
  const std::string bad =
      R"({"metadata":{"namespace":"default","name":"bad","resourceVersion":"12"},"spec":"text"})";
  script_.List(200, ListJson("10", {PodJson("bad", "1"), bad, PodJson("b", "4")}))
      .Watch([=](StubReply& reply) {
        reply.Begin(200);
        reply.Chunk(Frame("MODIFIED", bad) + Frame("ADDED", PodJson("c", "13")));
        reply.Chunk(Frame("MODIFIED", bad));
        reply.Close();
      });
  Start();
  ExpectDiary({"+bad 1", "?bad", "+b 4", "synced", "?bad", "+c 13", "?bad"});
  EXPECT_NE(Target(2).find("resourceVersion=12&"), std::string::npos) << "its version is used";
}

TEST_F(InformerTest, KeepsUnreadableObjectUntilReadableOrDeleted) {
  const auto bad = [](const std::string& name) {
    return R"({"metadata":{"namespace":"default","name":")" + name +
           R"(","resourceVersion":"12"},"spec":"text"})";
  };
  script_
      .Stream({Frame("ADDED", PodJson("fixed", "1")), Frame("ADDED", PodJson("deleted", "2")),
               Frame("ADDED", bad("lost")), EndOfInitialEvents("10"),
               Frame("MODIFIED", bad("fixed")), Frame("MODIFIED", bad("deleted")),
               Frame("MODIFIED", PodJson("fixed", "13")), Frame("DELETED", bad("deleted")),
               Frame("ERROR", StatusJson(410, "Expired", "too old"))})
      .Stream({Frame("ADDED", PodJson("fixed", "13")), EndOfInitialEvents("90")});
  Start();
  ExpectDiary({"+fixed 1", "+deleted 2", "?lost", "synced", "?fixed", "?deleted", "~fixed 13",
               "-deleted 2", "?deleted", "?lost"});
  EXPECT_THAT(informer_->AllUnreadable(), testing::IsEmpty());
  EXPECT_EQ(informer_->store().size(), 1u);
}

TEST_F(InformerTest, BacksOffAfterShortWatch) {
  std::atomic<int> ends = 0;
  script_.List(200, ListJson("10", {}));
  for (int i = 0; i < 3; ++i) {
    script_.Watch([&](StubReply& reply) {
      ++ends;
      reply.Begin(200);
      reply.End();
    });
  }
  Start();
  EXPECT_TRUE(http::Eventually([&] { return ends == 3; }));
  EXPECT_TRUE(http::Eventually([&] { return informer_->status().last_error.has_value(); }));
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
