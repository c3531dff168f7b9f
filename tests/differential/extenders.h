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

// ExtenderCall is what an extender was asked.
struct ExtenderCall {
  std::string extender, verb;  // as in the scenario; "" where no extender has that path
  std::string method, path, content_type;
  Json body;  // a text where it was no JSON
};

// Extenders are the extenders of the scenario that is being played, all on one port of the loopback
// and each below a path of its name. They answer as the scenario says and remember what they were
// asked. Thread safe.
class Extenders {
 public:
  // Throws when there is no port. Requires: `api` outlives this; bindings are made through it.
  explicit Extenders(const Api& api);

  // Play forgets what was, and has these extenders answer from now on.
  void Play(const std::vector<ScenarioExtender>& extenders);

  // Answer changes what an extender says: verbs that are not named stay.
  void Answer(const std::string& extender, const ExtenderAnswers& answers);

  // Meet tells a pod's UID, by the name that the scenario has for it.
  void RegisterPod(const std::string& pod, const std::string& uid);

  // Configured are these extenders as a KubeSchedulerConfiguration has them.
  Json Configured(const std::vector<ScenarioExtender>& extenders) const;

  // Calls are those since Play, in the order in which they came.
  std::vector<ExtenderCall> Calls() const;

  // address is what stands in URLs, "127.0.0.1:40000".
  const std::string& address() const { return address_; }

 private:
  void Handle(const http::Request& request, http::Responder responder);
  // Note finds out whom a request is for, and adds it to the calls.
  ExtenderCall Note(const http::Request& request);
  ExtenderAnswer AnswerOf(const ExtenderCall& call) const;
  // Bind makes the binding beside the server's thread, which must not wait for it, and answers.
  void Bind(const Json& question, ExtenderReply reply, http::Responder responder);

  const Api& api_;
  mutable std::mutex mutex_;  // guards the next three
  std::map<std::string, ScenarioExtender> extenders_;
  std::map<std::string, std::string> uids_;  // of pods, by name
  std::vector<ExtenderCall> calls_;

  std::vector<http::Responder> unanswered_;  // of the server's thread
  std::unique_ptr<http::StreamServer> server_;
  std::string address_;
  std::vector<std::jthread> bindings_;  // of the server's thread; ended before it
};

}  // namespace berth::differential
