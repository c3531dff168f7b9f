// SPDX-License-Identifier: Apache-2.0
// An informer whose server does not serve the kind, answers with errors, or sends unreadable
// objects.
#include <atomic>

#include "tests/client/informer_fixture.h"

namespace berth::client {
namespace {

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
  ReflectorOptions options = Quick({.max_absent_backoff = milliseconds(1)});
  options.max_backoff = std::chrono::hours(1);
  StartWith(options);
  ExpectDiary({"+a 3", "synced"});
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

}  // namespace
}  // namespace berth::client
