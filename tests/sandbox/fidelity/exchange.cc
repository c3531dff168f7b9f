// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/exchange.h"

#include <chrono>
#include <utility>

#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "client/kubeconfig.h"
#include "client/status.h"
#include "http/client/transport.h"

namespace berth::fidelity {
namespace {

constexpr std::chrono::seconds kSilence{8};

Json WarningsOf(const http::Headers& headers) {
  Json warnings = Json::array();
  for (const std::string_view line : headers.All("Warning")) {
    for (const std::string& text : client::WarningTexts(line)) warnings.push_back(text);
  }
  return warnings;
}

// Parses a body; returns a discarded value if it cannot be parsed. YAML is compared by its content,
// not by its layout.
Json Parsed(const std::string& body, std::string_view type) {
  if (!type.starts_with("application/yaml")) return Json::parse(body, nullptr, false);
  const auto json = yaml::ToJson(body);
  return json ? Json::parse(*json) : Json(Json::value_t::discarded);
}

Json EventsOf(std::string_view body) {
  Json events = Json::array();
  for (const std::string_view line : Split(body, '\n')) {
    if (line.empty()) continue;
    Json event = Json::parse(line, nullptr, false);
    if (event.is_discarded()) event = ReplaceInvalidUtf8(line);
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::Open(const std::filesystem::path& kubeconfig) {
  std::unique_ptr<Connection> made(new Connection);
  BERTH_TRY(made->config_, client::LoadKubeconfig({kubeconfig}, ""));
  http::TransportOptions options{
      .url = made->config_.server, .tls = made->config_.tls, .silence_limit = kSilence};
  BERTH_TRY(made->admin_, http::CreateTransport(options));
  options.tls.certificate = {};
  options.tls.key = {};
  BERTH_TRY(made->bare_, http::CreateTransport(options));
  return made;
}

http::Transport& Connection::TransportOf(As as, http::Request& request) const {
  if (as == As::kBare) return *bare_;
  if (!config_.token.empty()) request.headers.Set("Authorization", "Bearer " + config_.token);
  return *admin_;
}

Result<http::Response> Connection::Send(As as, http::Request request) const {
  http::Transport& transport = TransportOf(as, request);
  return transport.Call(std::move(request));
}

Result<http::Response> Connection::Collect(As as, http::Request request, int count) const {
  http::Transport& transport = TransportOf(as, request);
  BERTH_TRY(const auto stream, transport.Open(std::move(request)));
  http::Response response{.code = stream->code(), .headers = stream->headers(), .body = ""};
  for (int i = 0; i < count; ++i) {
    const auto line = stream->Next();
    if (!line || !*line) break;
    response.body += **line + "\n";
  }
  return response;
}

Json ToAnswer(const http::Response& response, Form form) {
  Json answer{{"code", response.code}};
  const std::string type(response.headers.Find("Content-Type").value_or(""));
  if (type != "application/json") answer["type"] = type;
  if (const Json warnings = WarningsOf(response.headers); !warnings.empty()) {
    answer["warnings"] = warnings;
  }
  if (const auto wait = response.headers.Find("Retry-After")) answer["retryAfter"] = *wait;
  if (form == Form::kEvents && response.code == 200) {
    answer["events"] = EventsOf(response.body);
  } else if (Json body = Parsed(response.body, type); !body.is_discarded()) {
    answer["body"] = std::move(body);
  } else {
    answer["text"] = ReplaceInvalidUtf8(response.body);
  }
  return answer;
}

}  // namespace berth::fidelity
