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

// Callback receives the outcome of one call, once, on a thread of the transport or of the timer: it
// must be short and never block.
template <class T>
using Callback = std::function<void(Result<T>)>;

// ObjectList is a whole list, all pages together.
template <class T>
struct ObjectList {
  std::string resource_version;  // to start a watch from
  std::vector<std::shared_ptr<const T>> items;
};

// RawList is a list whose objects are still JSON text.
struct RawList {
  std::string resource_version;
  std::vector<std::string> items;
};

struct ClientOptions {
  std::string component;  // for the User-Agent: "operator", "scheduler"
};

// Client talks to one Kubernetes API server. Thread safe.
//
// Every call comes in two forms: blocking (Get, List, …; not allowed on threads that run callbacks)
// and asynchronous (Send with a request of api_request.h). Errors carry the reason, message and
// code of the server's Status object; kUnavailable and kTimeout say that nobody knows whether a
// write happened.
//
// By itself it repeats: once after a 401, with a token read again; up to ten times after 429 or 503
// with Retry-After, for requests that allow it, within CallOptions::max_wait. That waiting happens on
// a timer, not on a thread of the client.
// Warnings of the server are logged once each.
class Client {
 public:
  // Create makes the transport too. Errors (kConfig): see http::CreateTransport.
  static Result<std::unique_ptr<Client>> Create(const ClientConfig& config,
                                                const ClientOptions& options, const Clock& clock);

  // Parts are what Create puts together; tests bring their own.
  struct Parts {
    std::shared_ptr<http::Timer> timer;
    std::shared_ptr<http::Transport> transport;
    std::shared_ptr<TokenSource> token;
    http::Headers headers;  // sent with every request
  };
  Client(Parts parts, const ClientOptions& options);
  // Gives up what is under way and waits until each callback was called. Watches must have ended
  // before.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // ---- Any request, JSON text. The value is the body of the answer.
  void Send(ApiRequest request, Callback<std::string> done);
  Result<std::string> Call(ApiRequest request);

  // ---- Any request, typed answer.
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
  // Update writes the whole object; `subresource` "status" writes only that.
  template <class T>
  Result<T> Update(const T& object, std::string_view subresource = {}, CallOptions options = {});
  template <class T>
  Result<T> Patch(std::string_view ns, std::string_view name, std::string body,
                  const PatchOptions& patch, std::string_view subresource = {},
                  CallOptions options = {});
  // Apply is server-side apply of exactly the fields that are set in `object`.
  template <class T>
  Result<T> Apply(const T& object, std::string_view field_manager, bool force = true,
                  std::string_view subresource = {}, CallOptions options = {});
  template <class T>
  Result<void> Delete(std::string_view ns, std::string_view name,
                      const api::DeleteOptions& what = {}, CallOptions options = {});

  // ---- The same for callers that have a resource at run time and JSON text.
  Result<std::string> ApplyRaw(const api::ResourceInfo& resource, std::string_view ns,
                               std::string_view name, std::string json_body,
                               std::string_view field_manager, bool force = true,
                               CallOptions options = {});
  Result<void> DeleteRaw(const api::ResourceInfo& resource, std::string_view ns,
                         std::string_view name, const api::DeleteOptions& what = {},
                         CallOptions options = {});
  // ListEach gives each object to `take`, page by page, so that no more than one page is in memory,
  // and then the version of the list. A page above kMaxPageBytes is asked for again with half as
  // many objects. After an error (kExpired: the rest of the pages is gone) some may have been given.
  Result<std::string> ListEach(const api::ResourceInfo& resource, std::string_view ns,
                               ListOptions list,
                               const std::function<void(std::string object)>& take,
                               const CallOptions& options = {});
  // ListRaw is the whole list; when a later page is answered with 410 it begins again from the
  // first, once.
  Result<RawList> ListRaw(const api::ResourceInfo& resource, std::string_view ns,
                          const ListOptions& list, CallOptions options = {});

  // Watch opens a watch; see watch_stream.h. Blocks until the server answered; `stop` ends it then
  // and later.
  Result<std::unique_ptr<WatchStream>> Watch(const api::ResourceInfo& resource, std::string_view ns,
                                             const WatchOptions& watch, std::stop_token stop = {});

  // list_turns is for those who list again what they listed before; see ReflectorLoop.
  ListTurns& list_turns() { return list_turns_; }

 private:
  struct RetriedCall;
  using RetriedCallPtr = std::shared_ptr<RetriedCall>;

  // ToHttp adds identity and what every request bears; *token_used is the token it went out with.
  Result<http::Request> ToHttp(const ApiRequest& request, std::string* token_used);
  void Try(const RetriedCallPtr& exchange);
  void Judge(const RetriedCallPtr& exchange, Result<http::Response> response);
  void TryLater(const RetriedCallPtr& exchange, std::chrono::milliseconds delay);
  bool ClaimWaiting(const RetriedCallPtr& exchange);
  void Finish(const RetriedCallPtr& exchange, Result<std::string> result);
  Result<std::unique_ptr<http::LineStream>> OpenOnce(const ApiRequest& request, bool may_renew,
                                                     std::stop_token stop);
  void LogWarnings(const http::Headers& headers);
  // RecordReachable logs an outage once when it begins and once when it ends.
  void RecordReachable(const Error* failure);

  const Parts parts_;
  const http::Headers headers_;
  std::stop_source closing_;
  ListTurns list_turns_;

  std::mutex mutex_;  // guards all below
  std::condition_variable idle_;
  size_t active_ = 0;
  bool away_ = false;
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
