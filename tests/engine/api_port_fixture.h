// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include <gtest/gtest.h>

#include "engine/api_port.h"
#include "tests/engine/fake_server.h"

namespace berth::engine {

using client::ApiRequest;

// FakeTimer runs due callbacks when the test calls it.
class FakeTimer final : public http::Timer {
 public:
  Id After(std::chrono::milliseconds delay, std::function<void()> callback) override {
    delays_.push_back(delay);
    callbacks_.push_back(std::move(callback));
    return delays_.size();
  }
  void Cancel(Id) override {}

  void Fire() {
    auto callbacks = std::move(callbacks_);
    callbacks_.clear();
    for (auto& callback : callbacks) callback();
  }
  const std::vector<std::chrono::milliseconds>& delays() const { return delays_; }

 private:
  std::vector<std::chrono::milliseconds> delays_;
  std::vector<std::function<void()>> callbacks_;
};

inline std::string PodOn(const std::string& node, const std::string& uid = "u1") {
  return R"({"metadata":{"namespace":"default","name":"a","uid":")" + uid +
         R"("},"spec":{"nodeName":")" + node + R"("}})";
}

inline Failure Lost() { return Fail(Reason::kUnavailable, "connection reset"); }

class ApiPortTest : public ::testing::Test {
 protected:
  ApiPortTest() : port_(writer_, timer_, Options()) {}

  ApiPortOptions Options() {
    ApiPortOptions options;
    options.post = [this](std::function<void()> message) {
      mailbox_.push_back(std::move(message));
    };
    options.random = [] { return 0.0; };
    return options;
  }

  // Runs the messages posted to the scheduling thread.
  void Deliver() {
    while (!mailbox_.empty()) {
      auto message = std::move(mailbox_.front());
      mailbox_.pop_front();
      message();
    }
  }
  void FireTimer() {
    timer_.Fire();
    Deliver();
  }
  ApiRequest Answer(Result<std::string> body) {
    ApiRequest request = server_.Answer(std::move(body));
    Deliver();
    return request;
  }

  void Bind(const std::string& node = "n1") {
    port_.Bind(pod_, node, [this](Result<void> result) { outcomes_.push_back(std::move(result)); });
  }
  void Patch(scheduler::PodStatusPatch patch = {.nominated_node_name = ""}) {
    PatchOf(pod_, std::move(patch));
  }
  void PatchOf(const scheduler::PodRef& pod, scheduler::PodStatusPatch patch) {
    port_.PatchPodStatus(pod, std::move(patch),
                         [this](Result<void> result) { outcomes_.push_back(std::move(result)); });
  }
  // Fills the in-flight limit with patches of other pods.
  void FillUp() {
    for (size_t i = 0; i < ApiWriterOptions().in_flight[WriteClass::kStatus]; ++i) {
      const std::string name = "other" + std::to_string(i);
      PatchOf({"default", name, "uid-" + name, ""}, {.nominated_node_name = ""});
    }
  }
  // Answers all requests; returns those about the test's pod, in order.
  std::vector<ApiRequest> AnswerAll() {
    std::vector<ApiRequest> about_the_pod;
    while (server_.pending() > 0) {
      ApiRequest request = Answer("{}");
      if (request.target.find("/pods/a/") != std::string::npos) about_the_pod.push_back(request);
    }
    return about_the_pod;
  }
  static api::PodCondition Rejected(const std::string& message) {
    api::PodCondition condition;
    condition.type = "PodScheduled";
    condition.status = "False";
    condition.message = message;
    return condition;
  }

  const scheduler::PodRef pod_{"default", "a", "u1", "7"};
  bool may_write_ = true;
  FakeServer server_;
  FakeTimer timer_;
  std::deque<std::function<void()>> mailbox_;
  std::vector<Result<void>> outcomes_;
  ApiWriter writer_{server_, {.may_write = [this] { return may_write_; }}};
  ApiServerPort port_;
};

}  // namespace berth::engine
