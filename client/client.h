// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/meta.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "client/api_request.h"
#include "client/client_config.h"
#include "client/list_turns.h"
#include "client/token_source.h"
#include "client/watch_stream.h"
#include "http/client/transport.h"
#include "http/timer.h"

namespace berth::client {

// Callback receives the outcome of one call, once, on a thread of the transport or the timer. It
// must be short and must not block.
template <class T>
using Callback = std::function<void(Result<T>)>;

// ObjectList is a whole list, all pages together.
template <class T>
struct ObjectList {
  std::string resource_version;  // to start a watch from
  std::vector<std::shared_ptr<const T>> items;
};

// RawList is a list of objects that are still JSON text.
struct RawList {
  std::string resource_version;
  std::vector<std::string> items;
};

struct ClientOptions {
  std::string component;  // for the User-Agent: "operator", "scheduler"
};

// Client sends requests to one Kubernetes API server. Thread safe.
//
// Every call has two forms: blocking (Get, List, …; not allowed on threads that run callbacks) and
// asynchronous (Send with a request of api_request.h). Errors carry the reason, message and code of
// the server's Status object. After kUnavailable and kTimeout it is unknown whether a write
// happened.
//
// The client retries by itself: once after a 401, with a freshly read token; up to ten times after
// 429 or 503 with Retry-After, for requests that allow it, within CallOptions::max_wait. It waits
// on a timer, not on a thread of its own. Warnings of the server are logged once each.
class Client {
 public:
  // Creates the client and its transport. Errors (kConfig): see http::CreateTransport.
  static Result<std::unique_ptr<Client>> Create(const ClientConfig& config,
                                                const ClientOptions& options, const Clock& clock);

  // Parts are the dependencies that Create constructs; tests pass their own.
  struct Parts {
    std::shared_ptr<http::Timer> timer;
    std::shared_ptr<http::Transport> transport;
    std::shared_ptr<TokenSource> token;
    http::Headers headers;  // sent with every request
  };
  Client(Parts parts, const ClientOptions& options);
  // Cancels requests in flight and waits until each callback has run. Requires: all watches have
  // ended.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // ---- Any request, JSON text. The value is the body of the response.
  void Send(ApiRequest request, Callback<std::string> done);
  Result<std::string> Call(ApiRequest request);

  // ---- Any request, typed response.
  template <class T>
  void SendAs(ApiRequest request, Callback<T> done);
  template <class T>
  Result<T> CallAs(ApiRequest request);

  // ---- Blocking calls. `ns` is empty for cluster-scoped kinds, and in List for all namespaces.
  // Create, Update and Apply take namespace and name from the object.
  template <class T>
  Result<T> Get(std::string_view ns, std::string_view name, CallOptions options = {});
  template <class T>
  Result<ObjectList<T>> List(std::string_view ns = {}, const ListOptions& list = {},
                             CallOptions options = {});
  template <class T>
  Result<T> Create(const T& object, CallOptions options = {});
  // Replaces the whole object; with `subresource` "status" only the status.
  template <class T>
  Result<T> Update(const T& object, std::string_view subresource = {}, CallOptions options = {});
  template <class T>
  Result<T> Patch(std::string_view ns, std::string_view name, std::string body,
                  const PatchOptions& patch, std::string_view subresource = {},
                  CallOptions options = {});
  // Sends a server-side apply patch with exactly the fields that are set in `object`.
  template <class T>
  Result<T> Apply(const T& object, std::string_view field_manager, bool force = true,
                  std::string_view subresource = {}, CallOptions options = {});
  template <class T>
  Result<void> Delete(std::string_view ns, std::string_view name,
                      const api::DeleteOptions& what = {}, CallOptions options = {});

  // ---- The same for callers that know the resource only at run time; bodies are JSON text.
  Result<std::string> ApplyRaw(const api::ResourceInfo& resource, std::string_view ns,
                               std::string_view name, std::string json_body,
                               std::string_view field_manager, bool force = true,
                               CallOptions options = {});
  Result<void> DeleteRaw(const api::ResourceInfo& resource, std::string_view ns,
                         std::string_view name, const api::DeleteOptions& what = {},
                         CallOptions options = {});
  // Passes each object to `take`, page by page, so that at most one page is in memory. Returns the
  // resource version of the list. A page above kMaxPageBytes is requested again with half as many
  // objects. After an error (kExpired: the remaining pages have expired) `take` may have received
  // some objects.
  Result<std::string> ListEach(const api::ResourceInfo& resource, std::string_view ns,
                               ListOptions list,
                               const std::function<void(std::string object)>& take,
                               const CallOptions& options = {});
  // Returns the whole list. Restarts once from the first page if a later page is answered with 410.
  Result<RawList> ListRaw(const api::ResourceInfo& resource, std::string_view ns,
                          const ListOptions& list, CallOptions options = {});

  // Opens a watch; see watch_stream.h. Blocks until the server has answered. `stop` ends the watch
  // at any time.
  Result<std::unique_ptr<WatchStream>> Watch(const api::ResourceInfo& resource, std::string_view ns,
                                             const WatchOptions& watch, std::stop_token stop = {});

  // Serializes relists of the informers of this client; see ReflectorLoop.
  ListTurns& list_turns() { return list_turns_; }

 private:
  struct RetriedCall;
  using RetriedCallPtr = std::shared_ptr<RetriedCall>;

  // Adds the credentials and the common headers. *token_used receives the token that was sent.
  Result<http::Request> ToHttp(const ApiRequest& request, std::string* token_used);
  void Try(const RetriedCallPtr& exchange);
  void Judge(const RetriedCallPtr& exchange, Result<http::Response> response);
  void TryLater(const RetriedCallPtr& exchange, std::chrono::milliseconds delay);
  bool TakeWaiting(const RetriedCallPtr& exchange);
  void Finish(const RetriedCallPtr& exchange, Result<std::string> result);
  Result<std::unique_ptr<http::LineStream>> OpenOnce(const ApiRequest& request, bool may_renew,
                                                     std::stop_token stop);
  void LogWarnings(const http::Headers& headers);
  // Logs an outage once when it begins and once when it ends.
  void RecordReachable(const Error* failure);

  const Parts parts_;
  const http::Headers headers_;
  std::stop_source closing_;
  ListTurns list_turns_;

  std::mutex mutex_;  // guards all below
  std::condition_variable idle_;
  size_t active_ = 0;
  bool unreachable_ = false;
  std::set<std::string, std::less<>> warned_;
};

// ---- implementation of the templates

template <class T>
void Client::SendAs(ApiRequest request, Callback<T> done) {
  Send(std::move(request), [done = std::move(done)](Result<std::string> body) {
    if (!body) return done(Fail(std::move(body).error()));
    done(json::Decode<T>(*body));
  });
}

template <class T>
Result<T> Client::CallAs(ApiRequest request) {
  BERTH_TRY(const std::string body, Call(std::move(request)));
  return json::Decode<T>(body);
}

template <class T>
Result<T> Client::Get(std::string_view ns, std::string_view name, CallOptions options) {
  ApiRequest request = GetRequest(T::kResource, ns, name);
  request.options = std::move(options);
  return CallAs<T>(std::move(request));
}

template <class T>
Result<ObjectList<T>> Client::List(std::string_view ns, const ListOptions& list,
                                   CallOptions options) {
  BERTH_TRY(const RawList raw, ListRaw(T::kResource, ns, list, std::move(options)));
  ObjectList<T> objects{.resource_version = raw.resource_version};
  objects.items.reserve(raw.items.size());
  for (const std::string& item : raw.items) {
    BERTH_TRY(T object, json::Decode<T>(item));
    objects.items.push_back(std::make_shared<const T>(std::move(object)));
  }
  return objects;
}

template <class T>
Result<T> Client::Create(const T& object, CallOptions options) {
  ApiRequest request =
      CreateRequest(T::kResource, object.metadata.namespace_, json::Encode(object));
  request.options = std::move(options);
  return CallAs<T>(std::move(request));
}

template <class T>
Result<T> Client::Update(const T& object, std::string_view subresource, CallOptions options) {
  ApiRequest request = UpdateRequest(T::kResource, object.metadata.namespace_, object.metadata.name,
                                     json::Encode(object), subresource);
  request.options = std::move(options);
  return CallAs<T>(std::move(request));
}

template <class T>
Result<T> Client::Patch(std::string_view ns, std::string_view name, std::string body,
                        const PatchOptions& patch, std::string_view subresource,
                        CallOptions options) {
  ApiRequest request = PatchRequest(T::kResource, ns, name, std::move(body), patch, subresource);
  request.options = std::move(options);
  return CallAs<T>(std::move(request));
}

template <class T>
Result<T> Client::Apply(const T& object, std::string_view field_manager, bool force,
                        std::string_view subresource, CallOptions options) {
  return Patch<T>(
      object.metadata.namespace_, object.metadata.name, json::Encode(object),
      {.type = PatchType::kApply, .field_manager = std::string(field_manager), .force = force},
      subresource, std::move(options));
}

template <class T>
Result<void> Client::Delete(std::string_view ns, std::string_view name,
                            const api::DeleteOptions& what, CallOptions options) {
  return DeleteRaw(T::kResource, ns, name, what, std::move(options));
}

}  // namespace berth::client
