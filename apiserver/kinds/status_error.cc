// SPDX-License-Identifier: Apache-2.0
#include "apiserver/kinds/status_error.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

std::string Quoted(std::string_view text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

StatusError About(int code, std::string_view reason, const GroupResource& resource,
                  std::string_view name, std::string message) {
  return {.code = code,
          .reason = std::string(reason),
          .message = std::move(message),
          .details = {.name = std::string(name),
                      .group = resource.group,
                      .kind = resource.resource,
                      .uid = {},
                      .causes = {}}};
}

StatusError Plain(int code, std::string_view reason, std::string message) {
  return {
      .code = code, .reason = std::string(reason), .message = std::move(message), .details = {}};
}

json DetailsJson(const StatusDetails& details) {
  json out = json::object();
  const auto put = [&out](const char* name, const std::string& value) {
    if (!value.empty()) out[name] = value;
  };
  put("name", details.name);
  put("group", details.group);
  put("kind", details.kind);
  put("uid", details.uid);
  for (const StatusCause& cause : details.causes) {
    json entry = json::object();
    if (!cause.reason.empty()) entry["reason"] = cause.reason;
    if (!cause.message.empty()) entry["message"] = cause.message;
    if (!cause.field.empty()) entry["field"] = cause.field;
    out["causes"].push_back(std::move(entry));
  }
  if (details.retry_after_seconds > 0) out["retryAfterSeconds"] = details.retry_after_seconds;
  return out;
}

}  // namespace

json StatusError::ToJson() const {
  json out = {{"kind", "Status"},    {"apiVersion", "v1"}, {"metadata", json::object()},
              {"status", "Failure"}, {"message", message}, {"code", code}};
  if (!reason.empty()) out["reason"] = reason;
  if (!list_continue.empty()) out["metadata"]["continue"] = list_continue;
  if (!details.empty() || empty_details) out["details"] = DetailsJson(details);
  return out;
}

FieldProblem RequiredField(std::string path, std::string_view detail) {
  std::string text = "Required value";
  if (!detail.empty()) text.append(": ").append(detail);
  return {std::move(path), "FieldValueRequired", std::move(text)};
}

FieldProblem InvalidField(std::string path, std::string_view value_json, std::string_view detail) {
  std::string text = "Invalid value: ";
  text.append(value_json);
  if (!detail.empty()) text.append(": ").append(detail);
  return {std::move(path), "FieldValueInvalid", std::move(text)};
}

FieldProblem ForbiddenField(std::string path, std::string_view detail) {
  std::string text = "Forbidden";
  if (!detail.empty()) text.append(": ").append(detail);
  return {std::move(path), "FieldValueForbidden", std::move(text)};
}

FieldProblem ImmutableField(std::string path, const json& value) {
  return InvalidField(std::move(path), value.dump(), "field is immutable");
}

StatusError BadRequest(std::string message) { return Plain(400, "BadRequest", std::move(message)); }

StatusError Unauthorized() { return Plain(401, "Unauthorized", "Unauthorized"); }

StatusError Forbidden(const GroupResource& resource, std::string_view name, std::string_view why) {
  std::string message = resource.ToString();
  if (resource.resource.empty()) {
    message = "forbidden: " + std::string(why);
  } else if (name.empty()) {
    message += " is forbidden: " + std::string(why);
  } else {
    message += " " + Quoted(name) + " is forbidden: " + std::string(why);
  }
  return About(403, "Forbidden", resource, name, std::move(message));
}

StatusError NotFound(const GroupResource& resource, std::string_view name) {
  return About(404, "NotFound", resource, name,
               resource.ToString() + " " + Quoted(name) + " not found");
}

StatusError NotFoundPath() {
  StatusError error = Plain(404, "NotFound", "the server could not find the requested resource");
  error.empty_details = true;
  return error;
}

StatusError NotAcceptable(std::string_view offered) {
  StatusError error =
      Plain(406, "NotAcceptable",
            "406: Not Acceptable\n\nAvailable representations: " + std::string(offered));
  error.empty_details = true;
  return error;
}

StatusError UnsupportedMediaType(std::string_view offered) {
  return Plain(415, "UnsupportedMediaType",
               "the body of the request was in an unknown format - accepted media types include: " +
                   std::string(offered));
}

StatusError AlreadyExists(const GroupResource& resource, std::string_view name) {
  return About(409, "AlreadyExists", resource, name,
               resource.ToString() + " " + Quoted(name) + " already exists");
}

StatusError Conflict(const GroupResource& resource, std::string_view name, std::string_view why) {
  return About(409, "Conflict", resource, name,
               "Operation cannot be fulfilled on " + resource.ToString() + " " + Quoted(name) +
                   ": " + std::string(why));
}

StatusError Invalid(std::string_view group, std::string_view kind, std::string_view name,
                    std::span<const FieldProblem> problems) {
  StatusError error;
  error.code = 422;
  error.reason = "Invalid";
  error.details.name = name;
  error.details.group = group;
  error.details.kind = kind;
  std::vector<std::string> lines;
  std::set<std::string> seen;
  for (const FieldProblem& problem : problems) {
    error.details.causes.push_back({problem.reason, problem.text, problem.path});
    std::string line = problem.path + ": " + problem.text;
    if (seen.insert(line).second) lines.push_back(std::move(line));
  }
  error.message = std::string(kind) + (group.empty() ? "" : "." + std::string(group)) + " " +
                  Quoted(name) + " is invalid";
  if (lines.empty()) return error;
  error.message += ": ";
  if (lines.size() > 1) error.message += "[";
  for (size_t i = 0; i < lines.size(); ++i) error.message += (i == 0 ? "" : ", ") + lines[i];
  if (lines.size() > 1) error.message += "]";
  return error;
}

StatusError TooManyRequests(std::string message, int retry_after_seconds) {
  StatusError error = Plain(429, "TooManyRequests", std::move(message));
  error.details.retry_after_seconds = retry_after_seconds;
  return error;
}

StatusError TooLargeResourceVersion(std::string_view asked, std::string_view current) {
  StatusError error = Plain(504, "Timeout",
                            "Timeout: Too large resource version: " + std::string(asked) +
                                ", current: " + std::string(current));
  error.details.causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
  error.details.retry_after_seconds = 1;
  return error;
}

StatusError InternalError(std::string_view message) {
  StatusError error =
      Plain(500, "InternalError", "Internal error occurred: " + std::string(message));
  error.details.causes.push_back({"", std::string(message), ""});
  return error;
}

StatusError FromError(const Error& error) {
  static constexpr std::pair<Reason, int> kCodes[] = {{Reason::kBadRequest, 400},
                                                      {Reason::kUnauthorized, 401},
                                                      {Reason::kForbidden, 403},
                                                      {Reason::kNotFound, 404},
                                                      {Reason::kMethodNotAllowed, 405},
                                                      {Reason::kNotAcceptable, 406},
                                                      {Reason::kAlreadyExists, 409},
                                                      {Reason::kConflict, 409},
                                                      {Reason::kGone, 410},
                                                      {Reason::kExpired, 410},
                                                      {Reason::kRequestEntityTooLarge, 413},
                                                      {Reason::kUnsupportedMediaType, 415},
                                                      {Reason::kInvalid, 422},
                                                      {Reason::kTooManyRequests, 429},
                                                      {Reason::kServiceUnavailable, 503},
                                                      {Reason::kTimeout, 504},
                                                      {Reason::kServerTimeout, 500}};
  const auto* found = std::find_if(std::begin(kCodes), std::end(kCodes),
                                   [&](const auto& row) { return error.Is(row.first); });
  if (found == std::end(kCodes)) return InternalError(error.message());
  const int code = error.http_code() != 0 ? error.http_code() : found->second;
  return Plain(code, ToString(error.reason()), error.message());
}

}  // namespace berth::apiserver
