// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/run_case.h"

#include <charconv>
#include <chrono>
#include <map>
#include <utility>

#include "tests/integration/harness/wait.h"
#include "tests/sandbox/fidelity/normalise.h"
#include "tests/sandbox/fidelity/select.h"
#include "tests/sandbox/fidelity/session.h"

namespace berth::fidelity {
namespace {

constexpr std::chrono::seconds kPatience{10};  // with an `until`

// Variables resolves ${…} in the texts of steps.
class Variables {
 public:
  explicit Variables(const Session& session) : session_(session) {}

  void Keep(const std::string& step, Json body) { answers_[step] = std::move(body); }

  Result<std::string> Fill(const std::string& text) const {
    std::string filled;
    size_t at = 0;
    for (size_t begin = text.find("${"); begin != std::string::npos; begin = text.find("${", at)) {
      const size_t end = text.find('}', begin);
      if (end == std::string::npos) return ConfigError("a ${ without } in \"" + text + "\"");
      BERTH_TRY(const std::string value, Value(text.substr(begin + 2, end - begin - 2)));
      filled += text.substr(at, begin - at) + value;
      at = end + 1;
    }
    return filled + text.substr(at);
  }

 private:
  Result<std::string> Value(const std::string& name) const {
    if (name == "ns") return session_.ns();
    if (name.starts_with("token:")) return session_.Token(name.substr(6));
    if (name.starts_with("filler:")) {
      size_t count = 0;
      std::from_chars(name.data() + 7, name.data() + name.size(), count);
      return std::string(count, 'x');
    }
    const size_t dot = name.find('.');
    const auto answer = answers_.find(name.substr(0, dot));
    if (answer == answers_.end()) return ConfigError("${" + name + "}: there is no such step");
    const Json value = Select(answer->second, name.substr(dot + 1));
    if (value.is_null()) return ConfigError("${" + name + "}: the answer has nothing there");
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  const Session& session_;
  std::map<std::string, Json> answers_;
};

Result<http::Request> ToRequest(const Step& step, const Variables& variables) {
  BERTH_TRY(const std::string line, variables.Fill(step.send));
  const size_t space = line.find(' ');
  http::Request request{.method = line.substr(0, space), .target = line.substr(space + 1)};
  BERTH_TRY(request.body, variables.Fill(step.body.text.empty() ? step.text : step.body.text));
  request.headers.Set("User-Agent", "fidelity");
  request.headers.Set("Accept", step.accept.empty() ? "application/json" : step.accept);
  if (!request.body.empty()) {
    request.headers.Set("Content-Type", step.type.empty() ? "application/json" : step.type);
  }
  for (const auto& [name, value] : step.headers) {
    BERTH_TRY(const std::string filled, variables.Fill(value));
    request.headers.Set(name, filled);
  }
  return request;
}

bool Meets(const Json& answer, const Until& until, const std::string& text) {
  if (until.code != 0 && answer["code"] != until.code) return false;
  const Json body = answer.value("body", Json());
  for (const auto& [path, value] : until.has) {
    if (Select(body, path) != Json::parse(value.text)) return false;
  }
  return answer.dump().find(text) != std::string::npos;
}

class Runner {
 public:
  Runner(const Connection& connection, Session& session)
      : connection_(connection),
        session_(session),
        variables_(session),
        normaliser_(session.ns()) {}

  Result<Json> Run(const Step& step) {
    BERTH_TRY(Json answer, Ask(step));
    for (const char* part : {"body", "events"}) {
      if (!answer.contains(part)) continue;
      answer[part] = normaliser_.Whole(std::move(answer[part]));
      if (!step.see) continue;
      BERTH_TRY(Json seen, See(answer[part], *step.see));
      answer.erase(part);
      if (!seen.empty()) answer["seen"] = std::move(seen);
    }
    return normaliser_.Values(std::move(answer));
  }

 private:
  // Returns the selected values by path, in the case's notation.
  Result<Json> See(const Json& part, const std::vector<std::string>& paths) const {
    Json seen = Json::object();
    for (const std::string& path : paths) {
      BERTH_TRY(const std::string filled, variables_.Fill(path));
      seen[path] = Select(part, filled);
    }
    return seen;
  }

  Result<Json> Ask(const Step& step) {
    BERTH_TRY(http::Request request, ToRequest(step, variables_));
    const std::string token = session_.Token(step.as);
    if (!token.empty()) request.headers.Set("Authorization", "Bearer " + token);
    BERTH_TRY(const std::string awaited, variables_.Fill(step.until ? step.until->text : ""));
    Result<Json> answer;
    const bool ended = integration::PollUntil(kPatience, [&] {
      answer = AskOnce(step, request);
      if (!answer) return true;
      session_.Note(request, *answer);
      if (!step.name.empty()) variables_.Keep(step.name, answer->value("body", Json()));
      return !step.until || Meets(*answer, *step.until, awaited);
    });
    if (ended) return answer;
    return Fail(Reason::kTimeout, "`until` never came; the last answer is " + answer->dump());
  }

  Result<Json> AskOnce(const Step& step, const http::Request& request) const {
    const auto as = step.as == "admin" ? Connection::As::kAdmin : Connection::As::kBare;
    if (step.events) {
      BERTH_TRY(const auto response, connection_.Collect(as, request, *step.events));
      return ToAnswer(response, Form::kEvents);
    }
    BERTH_TRY(const auto response, connection_.Send(as, request));
    return ToAnswer(response, Form::kBody);
  }

  const Connection& connection_;
  Session& session_;
  Variables variables_;
  Normaliser normaliser_;
};

}  // namespace

Result<Json> RunCase(const Connection& connection, const Script& script) {
  Session session(connection, UniqueNamespace());
  BERTH_TRY_VOID(session.Prepare(script.accounts));
  Runner runner(connection, session);
  Json answers = Json::array();
  for (size_t i = 0; i < script.steps.size(); ++i) {
    auto answer = runner.Run(script.steps[i]);
    if (!answer) return Fail(answer.error().With("steps[" + std::to_string(i) + "]"));
    answers.push_back(std::move(*answer));
  }
  return answers;
}

}  // namespace berth::fidelity
