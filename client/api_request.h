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

// Retry says what the client may repeat by itself when the server asks it to wait (Retry-After).
// 429 means that nothing was done, so it is always repeated; after another code a write may have
// happened.
enum class Retry { kRejectedOnly, kOnRequest };

struct CallOptions {
  std::stop_token stop;
  http::Lane lane = http::Lane::kNormal;
  std::chrono::milliseconds timeout = std::chrono::seconds(30);  // of one try
  // How long a call may wait, in all, for the tries that Retry-After asks for; what it asks beyond
  // that is for the caller, who finds it in the error. kNoWaiting: the first such answer is the
  // outcome. For calls that others wait for.
  static constexpr std::chrono::milliseconds kNoWaiting{-1};
  std::chrono::milliseconds max_wait = std::chrono::seconds(30);
};

// How long an answer may be, by what it holds. The API server stores no object above 1.5 MiB (etcd's
// --max-request-bytes); answers to writes are objects, too.
constexpr size_t kMaxObjectBytes = 4 << 20;
constexpr size_t kMaxPageBytes = 64 << 20;       // 500 objects of a list
constexpr size_t kMaxDiscoveryBytes = 16 << 20;  // what an API server serves, also many CRDs

// ApiRequest is one call of the Kubernetes API in wire form. The functions below make it.
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
  int limit = 500;               // of a page; 0: all at once
  std::string continue_token;    // of the page before
  std::string resource_version;  // "0": what the server has in its cache, in one page, however long
  VersionMatch match = VersionMatch::kUnset;
};

struct WatchOptions {
  std::string label_selector;
  std::string field_selector;
  std::string resource_version;
  // First comes what there is, not older than the version (the newest without one), as ADDED; then a
  // bookmark with the annotation kInitialEventsEnd; then changes.
  bool send_initial_events = false;
  int timeout_seconds = 0;  // 0: the server chooses
};

// Source: apimachinery pkg/apis/meta/v1/types.go, InitialEventsAnnotationKey; its value is "true".
constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

enum class PatchType { kMerge, kStrategicMerge, kJson, kApply };

struct PatchOptions {
  PatchType type = PatchType::kMerge;
  std::string field_manager;  // required for kApply
  bool force = false;         // kApply: take fields that others own
};

// In all of these `ns` is empty for cluster-scoped kinds, and for collections of all namespaces.
ApiRequest GetRequest(const api::ResourceInfo& resource, std::string_view ns, std::string_view name,
                      std::string_view subresource = {});
ApiRequest ListRequest(const api::ResourceInfo& resource, std::string_view ns,
                       const ListOptions& options);
ApiRequest WatchRequest(const api::ResourceInfo& resource, std::string_view ns,
                        const WatchOptions& options);
// CreateRequest posts to the collection; with name and subresource to "pods/a/binding",
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
