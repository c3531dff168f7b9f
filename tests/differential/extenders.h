// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "http/server/stream_server.h"
#include "tests/differential/api.h"
#include "tests/differential/extender_answers.h"

namespace berth::differential {

// ExtenderCall is a request to an extender.
struct ExtenderCall {
  std::string extender, verb;  // as in the scenario; "" if no extender has that path
  std::string method, path, content_type;
  Json body;  // a string if it is not JSON
};

// Extenders serves the extenders of the current scenario on one port of the loopback interface,
// each below a path with its name. They respond as the scenario configures and record their
// requests. Thread-safe.
class Extenders {
 public:
  // Throws if no port is free. Requires: `api` outlives this; it creates the bindings.
  explicit Extenders(const Api& api);

  // Forgets all recorded requests and serves these extenders.
  void Play(const std::vector<ScenarioExtender>& extenders);

  // Changes the responses of an extender; other verbs keep theirs.
  void Answer(const std::string& extender, const ExtenderAnswers& answers);

  // Registers a pod's UID under its scenario name.
  void RegisterPod(const std::string& pod, const std::string& uid);

  // Returns these extenders in the form of a KubeSchedulerConfiguration.
  Json Configured(const std::vector<ScenarioExtender>& extenders) const;

  // Returns the requests since Play, in order.
  std::vector<ExtenderCall> Calls() const;

  // The host and port of URLs, "127.0.0.1:40000".
  const std::string& address() const { return address_; }

 private:
  void Handle(const http::Request& request, http::Responder responder);
  // Finds the extender and verb of a request, and records the call.
  ExtenderCall Note(const http::Request& request);
  ExtenderAnswer AnswerOf(const ExtenderCall& call) const;
  // Creates the binding on another thread, because the server's thread must not block, and
  // responds.
  void Bind(const Json& question, ExtenderReply reply, http::Responder responder);

  const Api& api_;
  mutable std::mutex mutex_;  // guards the next three members
  std::map<std::string, ScenarioExtender> extenders_;
  std::map<std::string, std::string> uids_;  // of pods, by name
  std::vector<ExtenderCall> calls_;

  std::vector<http::Responder> unanswered_;  // owned by the server's thread
  std::unique_ptr<http::StreamServer> server_;
  std::string address_;
  std::vector<std::jthread> bindings_;  // owned by the server's thread; destroyed before it
};

}  // namespace berth::differential
