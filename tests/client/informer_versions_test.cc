// SPDX-License-Identifier: Apache-2.0
// An informer of a kind that servers of different ages serve in different versions.
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/native_pod_group.h"
#include "tests/client/informer_fixture.h"

namespace berth::client {
namespace {

using ::testing::ElementsAre;

constexpr const char* kNew = "/apis/scheduling.k8s.io/v1beta1/podgroups";
constexpr const char* kOld = "/apis/scheduling.k8s.io/v1alpha2/podgroups";

// VersionsTest has a server with one PodGroup, in one version at a time. Lists are pages, whose
// objects have no version.
class VersionsTest : public ::testing::Test {
 protected:
  void Start(ReflectorOptions options = {.may_be_absent = true}) {
    options.first_backoff = options.max_backoff = milliseconds(1);
    informer_ = std::make_unique<Informer<api::NativePodGroup>>(*stub_.client, std::move(options),
                                                                stub_.clock);
    informer_->Listen([this](const api::Change<api::NativePodGroup>& change) {
      diary_.Write(SignOf(change.type) + change.newest().metadata.name + " " +
                   change.newest().api_version);
    });
    informer_->WhenSynced([this] { diary_.Write("synced"); });
    informer_->Start();
  }
  // Changes the served version and ends the watch.
  void Serve(const std::string& path) {
    const std::lock_guard lock(mutex_);
    served_ = path;
    std::exchange(watch_, std::make_shared<http::Gate>())->Open();
  }
  void Answer(const StubRequest& request, StubReply& reply) {
    std::shared_ptr<http::Gate> watch;
    const std::string path = request.target.substr(0, request.target.find('?'));
    {
      const std::lock_guard lock(mutex_);
      paths_.push_back(path);
      watch = watch_;
      if (path != served_) return reply.Send(404, StatusJson(404, "NotFound", "no such resource"));
    }
    if (request.target.find("sendInitialEvents=true") != std::string::npos) {
      return reply.Send(422, StatusJson(422, "Invalid", "sendInitialEvents is forbidden"));
    }
    if (request.target.find("watch=true") == std::string::npos) {
      return reply.Send(200, ListJson("10", {PodJson("g", "3")}));
    }
    reply.Begin(200);
    watch->Wait();
    reply.Close();
  }
  std::vector<std::string> Paths() {
    const std::lock_guard lock(mutex_);
    return paths_;
  }
  void ExpectDiary(const std::vector<std::string>& lines) {
    EXPECT_TRUE(http::Eventually([&] { return diary_.lines().size() >= lines.size(); }));
    EXPECT_EQ(diary_.lines(), lines);
  }
  void TearDown() override {
    Serve("");
    informer_.reset();
  }

  std::mutex mutex_;  // guards the three below
  std::string served_;
  std::vector<std::string> paths_;
  std::shared_ptr<http::Gate> watch_ = std::make_shared<http::Gate>();  // ends the watches
  Diary diary_;
  StubClient stub_{
      [this](const StubRequest& request, StubReply& reply) { Answer(request, reply); }};
  std::unique_ptr<Informer<api::NativePodGroup>> informer_;
};

TEST_F(VersionsTest, ReadsTheNewestVersion) {
  served_ = kNew;
  Start();
  ExpectDiary({"+g scheduling.k8s.io/v1beta1", "synced"});
  EXPECT_EQ(Paths().front(), kNew);
}

TEST_F(VersionsTest, TriesTheOldVersionWithoutReportingAnAbsence) {
  served_ = kOld;
  Start();
  ExpectDiary({"+g scheduling.k8s.io/v1alpha2", "synced"});
  EXPECT_FALSE(informer_->status().absent);
  const std::vector<std::string> paths = Paths();
  ASSERT_GE(paths.size(), 3u);
  EXPECT_EQ(paths[0], kNew);
  EXPECT_EQ(paths[1], kOld);
  EXPECT_EQ(paths[2], kOld) << "it stays with the served version";
}

TEST_F(VersionsTest, RequiredKindIsFoundInTheOldVersion) {
  served_ = kOld;
  Start({.may_be_absent = false});
  ExpectDiary({"+g scheduling.k8s.io/v1alpha2", "synced"});
  EXPECT_FALSE(informer_->status().failing);
}

TEST_F(VersionsTest, FindsTheNewVersionAfterAnUpgradeAndReportsAllObjects) {
  served_ = kOld;
  Start();
  ExpectDiary({"+g scheduling.k8s.io/v1alpha2", "synced"});
  Serve(kNew);
  ExpectDiary({"+g scheduling.k8s.io/v1alpha2", "synced", "~g scheduling.k8s.io/v1beta1"});
  informer_->ListAgain();
  EXPECT_TRUE(http::Eventually([&] { return informer_->HasListedAgain(); }));
  EXPECT_EQ(diary_.lines().size(), 3u) << "the object has not changed again";
}

TEST_F(VersionsTest, KindWithoutServedVersionIsAbsentUntilOneIsServed) {
  Start();
  ExpectDiary({"synced"});
  EXPECT_TRUE(http::Eventually([&] { return informer_->status().absent; }));
  EXPECT_TRUE(http::Eventually([&] { return Paths().size() >= 4; }));
  const std::vector<std::string> paths = Paths();
  EXPECT_THAT(std::vector(paths.begin(), paths.begin() + 4), ElementsAre(kNew, kOld, kNew, kOld));
  Serve(kOld);
  ExpectDiary({"synced", "+g scheduling.k8s.io/v1alpha2"});
  EXPECT_FALSE(informer_->status().absent);
  Serve("");
  ExpectDiary({"synced", "+g scheduling.k8s.io/v1alpha2", "-g scheduling.k8s.io/v1alpha2"});
}

}  // namespace
}  // namespace berth::client
