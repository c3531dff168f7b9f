// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/replies.h"

#include <nlohmann/json.hpp>

#include "base/yaml/yaml.h"

namespace berth::apiserver {

using nlohmann::json;

Reply JsonReply(int code, std::string body) {
  Reply reply;
  reply.response.code = code;
  reply.response.headers.Set("Content-Type", "application/json");
  reply.response.headers.Set("Cache-Control", "no-cache, private");
  reply.response.body = std::move(body);
  return reply;
}

Reply TextReply(int code, std::string body) {
  Reply reply = JsonReply(code, std::move(body));
  reply.response.headers.Set("Content-Type", "text/plain; charset=utf-8");
  return reply;
}

Reply ErrorReply(const StatusError& error) {
  Reply reply =
      JsonReply(error.code, error.ToJson().dump(-1, ' ', false, json::error_handler_t::replace));
  if (error.details.retry_after_seconds > 0) {
    reply.response.headers.Set("Retry-After", std::to_string(error.details.retry_after_seconds));
  }
  return reply;
}

Reply PageNotFound() { return TextReply(404, "404 page not found\n"); }

void AddWarnings(const std::vector<std::string>& warnings, Reply& reply) {
  for (const std::string& warning : warnings) {
    reply.response.headers.Add(
        "Warning", "299 - " + json(warning).dump(-1, ' ', false, json::error_handler_t::replace));
  }
}

void ToYaml(Reply& reply) {
  if (reply.watcher ||
      reply.response.headers.Find("Content-Type").value_or("") != "application/json")
    return;
  reply.response.body = yaml::FromJson(reply.response.body);
  reply.response.headers.Set("Content-Type", "application/yaml");
}

StatusError MethodNotAllowed() {
  return {.code = 405,
          .reason = "MethodNotAllowed",
          .message = "the server does not allow this method on the requested resource",
          .details = {},
          .empty_details = true};
}

StatusError MethodNotSupported(const GroupResource& resource, std::string_view verb) {
  StatusError error{.code = 405, .reason = "MethodNotAllowed", .message = {}, .details = {}};
  error.message = std::string(verb) + " is not supported on resources of kind " +
                  json(resource.ToString()).dump();
  error.details.group = resource.group;
  error.details.kind = resource.resource;
  return error;
}

}  // namespace berth::apiserver
