// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/status_error.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/json/json.h"
#include "base/strings.h"
#include "sandbox/apiserver/document.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

StatusError About(int code, std::string_view reason, const GroupResource& resource,
                  std::string_view name, std::string message) {
  return {.code = code,
          .reason = std::string(reason),
          .message = std::move(message),
          .details = {.name = std::string(name),
                      .group = resource.group,
                      .kind = resource.resource,
                      .uid = {},
                      .causes = {}},
          .empty_details = true};
}

StatusError Plain(int code, std::string_view reason, std::string message) {
  return {
      .code = code, .reason = std::string(reason), .message = std::move(message), .details = {}};
}

}  // namespace

json StatusError::ToJson() const {
  json out = {{"kind", "Status"},    {"apiVersion", "v1"}, {"metadata", json::object()},
              {"status", "Failure"}, {"message", message}, {"code", code}};
  if (!reason.empty()) out["reason"] = reason;
  if (!list_continue.empty()) out["metadata"]["continue"] = list_continue;
  if (empty_details || details != StatusDetails{}) {
    out["details"] = ReadDocument(ReplaceInvalidUtf8(berth::json::Encode(details)));
  }
  return out;
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

StatusError RequestTooLarge(size_t limit_bytes) {
  return Plain(413, "RequestEntityTooLarge",
               "Request entity too large: limit is " + std::to_string(limit_bytes));
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
                    std::span<const FieldError> errors) {
  StatusError error;
  error.code = 422;
  error.reason = "Invalid";
  error.details.name = name;
  error.details.group = group;
  error.details.kind = kind;
  for (const FieldError& cause : errors) {
    error.details.causes.push_back({std::string(cause.CauseReason()), cause.Body(), cause.path});
  }
  error.message = std::string(kind) + (group.empty() ? "" : "." + std::string(group)) + " " +
                  Quoted(name) + " is invalid";
  if (!errors.empty()) error.message += ": " + api::Aggregate(errors);
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

StatusError NotImplemented(std::string_view what) {
  return Plain(501, "NotImplemented",
               std::string(what) + " is not served by this server: it needs a real API server");
}

StatusError Unclassified(std::string message) { return Plain(500, "", std::move(message)); }

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
  // Upstream answers some errors without a reason.
  if (error.Is(Reason::kUnknown) && error.http_code() != 0)
    return Plain(error.http_code(), "", error.message());
  const auto* found = std::find_if(std::begin(kCodes), std::end(kCodes),
                                   [&](const auto& row) { return error.Is(row.first); });
  if (found == std::end(kCodes)) return InternalError(error.message());
  const int code = error.http_code() != 0 ? error.http_code() : found->second;
  return Plain(code, ToString(error.reason()), error.message());
}

}  // namespace berth::apiserver
