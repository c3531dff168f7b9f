// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/extenders.h"

#include <stdexcept>
#include <utility>

namespace berth::differential {

Extenders::Extenders(const Api& api) : api_(api) {
  constexpr size_t kMaxQuestion = 16 << 20;
  auto server = http::StreamServer::Listen({.max_body_bytes = kMaxQuestion});
  if (!server) throw std::runtime_error(server.error().message());
  server_ = std::move(*server);
  address_ = "127.0.0.1:" + std::to_string(server_->port());
  server_->Serve([this](const http::Request& request, http::Responder responder) {
    Handle(request, std::move(responder));
  });
}

void Extenders::Play(const std::vector<ScenarioExtender>& extenders) {
  const std::scoped_lock lock(mutex_);
  extenders_.clear();
  for (const ScenarioExtender& extender : extenders) extenders_[extender.name] = extender;
  uids_.clear();
  calls_.clear();
}

void Extenders::Answer(const std::string& extender, const ExtenderAnswers& answers) {
  const std::scoped_lock lock(mutex_);
  for (const auto& [verb, answer] : answers) extenders_[extender].answers[verb] = answer;
}

void Extenders::RegisterPod(const std::string& pod, const std::string& uid) {
  const std::scoped_lock lock(mutex_);
  uids_[pod] = uid;
}

Json Extenders::Configured(const std::vector<ScenarioExtender>& extenders) const {
  Json configured = Json::array();
  for (const ScenarioExtender& extender : extenders) {
    configured.push_back(extender.config);
    configured.back()["urlPrefix"] = "http://" + address_ + "/" + extender.name;
  }
  return configured;
}

std::vector<ExtenderCall> Extenders::Calls() const {
  const std::scoped_lock lock(mutex_);
  return calls_;
}

ExtenderCall Extenders::Note(const http::Request& request) {
  ExtenderCall call{.method = request.method, .path = request.target};
  call.content_type = request.headers.Find("Content-Type").value_or("");
  call.body = Json::parse(request.body, nullptr, /*allow_exceptions=*/false);
  if (call.body.is_discarded()) call.body = request.body;
  const std::scoped_lock lock(mutex_);
  for (const auto& [name, extender] : extenders_) {
    for (const char* verb : {"filter", "prioritize", "preempt", "bind"}) {
      const std::string path = extender.config.value(std::string(verb) + "Verb", "");
      if (path.empty() || request.target != "/" + name + "/" + path) continue;
      call.extender = name;
      call.verb = verb;
    }
  }
  calls_.push_back(call);
  return call;
}

ExtenderAnswer Extenders::AnswerOf(const ExtenderCall& call) const {
  const std::scoped_lock lock(mutex_);
  const ExtenderAnswers& answers = extenders_.at(call.extender).answers;
  const auto answer = answers.find(call.verb);
  return answer == answers.end() ? ExtenderAnswer() : answer->second;
}

void Extenders::Handle(const http::Request& request, http::Responder responder) {
  const ExtenderCall call = Note(request);
  if (call.extender.empty()) return responder.Send({.code = 404, .headers = {}, .body = {}});
  const ExtenderAnswer answer = AnswerOf(call);
  if (answer.never) return unanswered_.push_back(std::move(responder));
  std::map<std::string, std::string> uids;
  {
    const std::scoped_lock lock(mutex_);
    uids = uids_;
  }
  ExtenderReply reply = ReplyTo(call.verb, answer, call.body, uids);
  if (call.verb == "bind" && answer.Binds()) {
    return Bind(call.body, std::move(reply), std::move(responder));
  }
  responder.Send({.code = reply.code, .headers = {}, .body = std::move(reply.body)});
}

void Extenders::Bind(const Json& question, ExtenderReply reply, http::Responder responder) {
  const std::string ns = question["PodNamespace"];
  const Json metadata = {{"name", question["PodName"]}, {"uid", question["PodUID"]}};
  const Json node = {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", question["Node"]}};
  Operation binding{
      Operation::Verb::kCreate,
      {"binding", ns, question["PodName"]},
      {{"apiVersion", "v1"}, {"kind", "Binding"}, {"metadata", metadata}, {"target", node}}};
  auto later = std::make_shared<http::Responder>(std::move(responder));
  bindings_.emplace_back(
      [this, binding = std::move(binding), reply = std::move(reply), later]() mutable {
        if (const auto bound = api_.Do(binding); !bound) {
          reply.body = Json{{"Error", bound.error().message()}}.dump();
        }
        server_->Post([later, reply = std::move(reply)] {
          later->Send({.code = reply.code, .headers = {}, .body = reply.body});
        });
      });
}

}  // namespace berth::differential
