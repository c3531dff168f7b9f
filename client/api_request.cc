// SPDX-License-Identifier: Apache-2.0
#include "client/api_request.h"

#include <utility>

#include "base/json/json.h"
#include "http/encoding.h"

namespace berth::client {
namespace {

std::string_view ContentType(PatchType type) {
  switch (type) {
    case PatchType::kMerge:
      return "application/merge-patch+json";
    case PatchType::kStrategicMerge:
      return "application/strategic-merge-patch+json";
    case PatchType::kJson:
      return "application/json-patch+json";
    case PatchType::kApply:
      return "application/apply-patch+yaml";
  }
  return "application/json";
}

std::string_view ToString(VersionMatch match) {
  switch (match) {
    case VersionMatch::kExact:
      return "Exact";
    case VersionMatch::kNotOlderThan:
      return "NotOlderThan";
    case VersionMatch::kUnset:
      break;
  }
  return "";
}

}  // namespace

std::string EscapeFieldValue(std::string_view value) {
  std::string escaped;
  for (const char c : value) {
    if (c == ',' || c == '=' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

ApiRequest GetRequest(const api::ResourceInfo& resource, std::string_view ns, std::string_view name,
                      std::string_view subresource) {
  return {.method = "GET", .target = resource.Path(ns, name, subresource)};
}

ApiRequest ListRequest(const api::ResourceInfo& resource, std::string_view ns,
                       const ListOptions& options) {
  http::QueryBuilder query;
  query.AddIf("labelSelector", options.label_selector)
      .AddIf("fieldSelector", options.field_selector);
  if (options.limit > 0) query.Add("limit", std::to_string(options.limit));
  // A continue token carries its own version; the server rejects a second one.
  if (options.continue_token.empty()) {
    query.AddIf("resourceVersion", options.resource_version)
        .AddIf("resourceVersionMatch", ToString(options.match));
  } else {
    query.Add("continue", options.continue_token);
  }
  return {.method = "GET",
          .target = resource.Path(ns) + query.text(),
          .timeout_of = http::TimeoutOf::kSilence,
          .max_answer_bytes = kMaxPageBytes};
}

ApiRequest WatchRequest(const api::ResourceInfo& resource, std::string_view ns,
                        const WatchOptions& options) {
  http::QueryBuilder query;
  query.Add("watch", "true").Add("allowWatchBookmarks", "true");
  if (options.send_initial_events) {
    query.Add("sendInitialEvents", "true").Add("resourceVersionMatch", "NotOlderThan");
  }
  query.AddIf("labelSelector", options.label_selector)
      .AddIf("fieldSelector", options.field_selector)
      .AddIf("resourceVersion", options.resource_version);
  if (options.timeout_seconds > 0) {
    query.Add("timeoutSeconds", std::to_string(options.timeout_seconds));
  }
  return {.method = "GET", .target = resource.Path(ns) + query.text()};
}

ApiRequest CreateRequest(const api::ResourceInfo& resource, std::string_view ns, std::string body,
                         std::string_view name, std::string_view subresource) {
  return {.method = "POST",
          .target = resource.Path(ns, name, subresource),
          .body = std::move(body),
          .retry = Retry::kRejectedOnly};
}

ApiRequest UpdateRequest(const api::ResourceInfo& resource, std::string_view ns,
                         std::string_view name, std::string body, std::string_view subresource) {
  return {.method = "PUT", .target = resource.Path(ns, name, subresource), .body = std::move(body)};
}

ApiRequest PatchRequest(const api::ResourceInfo& resource, std::string_view ns,
                        std::string_view name, std::string body, const PatchOptions& options,
                        std::string_view subresource) {
  http::QueryBuilder query;
  query.AddIf("fieldManager", options.field_manager);
  if (options.force) query.Add("force", "true");
  return {.method = "PATCH",
          .target = resource.Path(ns, name, subresource) + query.text(),
          .body = std::move(body),
          .content_type = std::string(ContentType(options.type)),
          .retry = options.type == PatchType::kJson ? Retry::kRejectedOnly : Retry::kOnRequest};
}

ApiRequest DeleteRequest(const api::ResourceInfo& resource, std::string_view ns,
                         std::string_view name, const api::DeleteOptions& options) {
  return {.method = "DELETE", .target = resource.Path(ns, name), .body = json::Encode(options)};
}

}  // namespace berth::client
