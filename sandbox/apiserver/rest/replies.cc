// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/replies.h"

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"

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
  Reply reply = JsonReply(error.code, DocumentText(error.ToJson()));
  if (error.details.retry_after_seconds > 0) {
    reply.response.headers.Set("Retry-After", std::to_string(error.details.retry_after_seconds));
  }
  return reply;
}

Reply PageNotFound() { return TextReply(404, "404 page not found\n"); }

void AddWarnings(const std::vector<std::string>& warnings, Reply& reply) {
  for (const std::string& warning : warnings) {
    reply.response.headers.Add("Warning", "299 - " + Quoted(warning));
  }
}

StatusError MethodNotAllowed() {
  return {.code = 405,
          .reason = "MethodNotAllowed",
          .message = "the server does not allow this method on the requested resource",
          .details = {},
          .empty_details = true};
}

}  // namespace berth::apiserver
