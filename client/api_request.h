// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>

#include "api/meta.h"
#include "http/client/transport.h"

namespace berth::client {

// Retry selects the responses with Retry-After after which the client repeats a request. 429 means
// that the server did nothing, so the request is always repeated. After another code a write may
// have happened.
enum class Retry { kRejectedOnly, kOnRequest };

struct CallOptions {
  std::stop_token stop;
  http::Lane lane = http::Lane::kNormal;
  std::chrono::milliseconds timeout = std::chrono::seconds(30);  // of one attempt
  // Limits the total wait for attempts that Retry-After asks for. A longer Retry-After is returned
  // to the caller in the error. kNoWaiting: the first such response is the outcome. Use it for
  // calls that other work waits for.
  static constexpr std::chrono::milliseconds kNoWaiting{-1};
  std::chrono::milliseconds max_wait = std::chrono::seconds(30);
};

// Maximum size of a response, by content. The API server stores no object above 1.5 MiB (etcd's
// --max-request-bytes). Responses to writes are objects, too.
constexpr size_t kMaxObjectBytes = 4 << 20;
constexpr size_t kMaxPageBytes = 64 << 20;       // 500 objects of a list
constexpr size_t kMaxDiscoveryBytes = 16 << 20;  // discovery with many CRDs

// ApiRequest is one call of the Kubernetes API in wire form. The functions below create it.
struct ApiRequest {
  std::string method = "GET";
  std::string target;  // path and query, encoded
  std::string body;
  std::string content_type = "application/json";
  Retry retry = Retry::kOnRequest;
  http::TimeoutOf timeout_of = http::TimeoutOf::kExchange;
  size_t max_answer_bytes = kMaxObjectBytes;
  CallOptions options;
};

// VersionMatch is how a list uses its resource version (resourceVersionMatch).
enum class VersionMatch { kUnset, kExact, kNotOlderThan };

struct ListOptions {
  std::string label_selector;
  std::string field_selector;
  int limit = 500;               // objects per page; 0: one page
  std::string continue_token;    // of the previous page
  std::string resource_version;  // "0": the server's cache, in one page of any length
  VersionMatch match = VersionMatch::kUnset;
};

struct WatchOptions {
  std::string label_selector;
  std::string field_selector;
  std::string resource_version;
  // Sends the existing objects first, as ADDED events, not older than resource_version (the newest
  // without one). Then comes a bookmark with the annotation kInitialEventsEnd, then changes.
  bool send_initial_events = false;
  int timeout_seconds = 0;  // 0: the server chooses
};

// Source: apimachinery pkg/apis/meta/v1/types.go, InitialEventsAnnotationKey; its value is "true".
constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

enum class PatchType { kMerge, kStrategicMerge, kJson, kApply };

struct PatchOptions {
  PatchType type = PatchType::kMerge;
  std::string field_manager;  // required for kApply
  bool force = false;         // kApply: take fields of other field managers
};

// Returns the value as part of a field selector, with backslashes before ',', '=' and '\'. Source:
// apimachinery pkg/fields/selector.go, EscapeValue.
std::string EscapeFieldValue(std::string_view value);

// In all functions below `ns` is empty for cluster-scoped kinds and for collections of all
// namespaces.
ApiRequest GetRequest(const api::ResourceInfo& resource, std::string_view ns, std::string_view name,
                      std::string_view subresource = {});
ApiRequest ListRequest(const api::ResourceInfo& resource, std::string_view ns,
                       const ListOptions& options);
ApiRequest WatchRequest(const api::ResourceInfo& resource, std::string_view ns,
                        const WatchOptions& options);
// Posts to the collection; with name and subresource to "pods/a/binding",
// "serviceaccounts/a/token".
ApiRequest CreateRequest(const api::ResourceInfo& resource, std::string_view ns, std::string body,
                         std::string_view name = {}, std::string_view subresource = {});
ApiRequest UpdateRequest(const api::ResourceInfo& resource, std::string_view ns,
                         std::string_view name, std::string body,
                         std::string_view subresource = {});
ApiRequest PatchRequest(const api::ResourceInfo& resource, std::string_view ns,
                        std::string_view name, std::string body, const PatchOptions& options,
                        std::string_view subresource = {});
ApiRequest DeleteRequest(const api::ResourceInfo& resource, std::string_view ns,
                         std::string_view name, const api::DeleteOptions& options = {});

}  // namespace berth::client
