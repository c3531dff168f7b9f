// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/client/transport.h"
#include "sandbox/apiserver/rest/presenter.h"
#include "sandbox/apiserver/rest/request/request_info.h"
#include "sandbox/apiserver/rest/writer.h"
#include "sandbox/apiserver/state.h"
#include "sandbox/apiserver/store/watcher.h"

namespace berth::apiserver {

// Caller is the client's identity from its connection.
struct Caller {
  std::string common_name;  // of a verified client certificate; empty without one
  std::vector<std::string> organizations;
};

// Reply is a complete response, or the start of a watch.
struct Reply {
  http::Response response;

  std::unique_ptr<Watcher> watcher;  // set: the body is its frames until `watch_for` has passed
  std::chrono::seconds watch_for{0};
  std::shared_ptr<const Representation> later;  // of all frames except the first; null: the same
};

struct HandlerOptions {
  std::string address;                    // host:port, published in /api
  bool anonymous_masters = false;         // anonymous requests are cluster admin: for tests
  std::optional<uint64_t> stale_version;  // reads return the state of this version: a fault
  size_t max_body_bytes = 3 << 20;        // as upstream
  bool watch_list = true;                 // ServerOptions::watch_list
};

// Handler answers requests: it authenticates, authorizes and executes them. It does no I/O and
// never blocks, so tests call it like the server does. It logs an exception and answers with 500;
// the request then had no effect, as the write to the store is the last step.
//
// Thread: the state's.
class Handler {
 public:
  Handler(State& state, HandlerOptions options);

  Reply Handle(const http::Request& request, const Caller& caller);

  // Makes reads return the state of a version (for collections with enough history); nullopt ends
  // it.
  void SetStaleVersion(std::optional<uint64_t> version) { options_.stale_version = version; }

 private:
  // Exchange is the state of one request during its processing.
  struct Exchange {
    const http::Request& request;
    RequestInfo info;
    UserInfo user;
    MediaType media;
    Look look;
    KindPtr kind;
    std::vector<std::string> warnings;

    std::string Header(std::string_view name) const {
      return std::string(request.headers.Find(name).value_or(""));
    }
  };

  Answer<Reply> Serve(Exchange& exchange, const Caller& caller);
  Answer<void> ReadAccept(Exchange& exchange);
  Answer<UserInfo> Authenticate(const http::Request& request, const Caller& caller);
  Answer<void> Impersonate(Exchange& exchange);
  Answer<void> Authorize(const Exchange& exchange);

  Answer<Reply> ServePath(Exchange& exchange);
  Answer<Reply> ServeDiscovery(Exchange& exchange, const std::vector<std::string>& parts);
  Answer<Reply> ServeResource(Exchange& exchange);
  Answer<Reply> ServeSubresource(Exchange& exchange);
  Answer<Reply> ServeScale(Exchange& exchange);
  Answer<Reply> RejectConnection(const Exchange& exchange);
  Answer<Reply> Get(Exchange& exchange);
  Answer<Reply> List(Exchange& exchange);
  Answer<Reply> Watch(Exchange& exchange);
  Answer<Reply> Write(Exchange& exchange);
  Answer<Reply> Delete(Exchange& exchange);
  Answer<Reply> ServeReview(Exchange& exchange);

  Answer<WriteCall> CallOf(Exchange& exchange, const char* options_type);
  Answer<nlohmann::json> BodyOf(const Exchange& exchange) const;
  Answer<DeleteOptions> DeleteOptionsIn(const Exchange& exchange) const;
  Answer<ObjectPtr> Find(const Exchange& exchange);
  Reply WrittenReply(Exchange& exchange, Written written);

  State& state_;
  HandlerOptions options_;
  Presenter presenter_;
};

}  // namespace berth::apiserver
