// SPDX-License-Identifier: Apache-2.0
// An informer of pods against a server that replays a script.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "api/pod.h"
#include "client/informer.h"
#include "tests/client/stub_client.h"

namespace berth::client {

using http::StubReply;
using http::StubRequest;
using std::chrono::milliseconds;

inline bool AsksForInitialEvents(const std::string& target) {
  return target.find("sendInitialEvents=true") != std::string::npos;
}

// Returns the bookmark that ends the initial events.
inline std::string EndOfInitialEvents(const std::string& version) {
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

inline char SignOf(api::ChangeType type) {
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
    StartWith(Quick(std::move(options)), std::move(transport));
  }
  void StartWith(ReflectorOptions options, http::TransportOptions transport = {}) {
    stub_ = std::make_unique<StubClient>(script_.Handler(), "", std::move(transport));
    informer_ =
        std::make_unique<Informer<api::Pod>>(*stub_->client, std::move(options), stub_->clock);
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

}  // namespace berth::client
