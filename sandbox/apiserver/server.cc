// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/server.h"

#include <future>
#include <utility>

#include "http/server/stream_server.h"
#include "sandbox/apiserver/rest/bootstrap.h"
#include "sandbox/apiserver/rest/handler.h"
#include "sandbox/apiserver/rest/replies.h"
#include "sandbox/apiserver/watch_sessions.h"

namespace berth::apiserver {
namespace {

// The server reads this many bytes of a body beyond its limit, like Go's server, so that a client
// that is still writing can read the error.
constexpr size_t kOverrunBytes = 256 << 10;

constexpr std::string_view kFaultsPath = "/berth-faults";  // for its body see rest/README.md

bool IsLoopback(const std::string& address) {
  return address == "::1" || address.starts_with("127.");
}

class ServerImpl final : public Server {
 public:
  ServerImpl(ServerOptions options, const Clock& clock, std::unique_ptr<http::StreamServer> http,
             std::shared_ptr<const http::SigningKey> key)
      : options_(std::move(options)),
        http_(std::move(http)),
        state_(clock, options_.seed, TokenAuthority(std::move(key))),
        handler_(state_, {.address = "127.0.0.1:" + std::to_string(http_->port()),
                          .anonymous_masters = options_.anonymous_admin,
                          .stale_version = std::nullopt,
                          .max_body_bytes = options_.max_body_bytes,
                          .watch_list = options_.watch_list}),
        faults_(options_.seed),
        sessions_(http_->timer(), options_.bookmark_period) {
    state_.store.SetWindow(options_.history_window);
    for (const auto& [token, user] : options_.tokens) state_.tokens.AddStatic(token, user);
    Bootstrap(state_);
    http_->Serve([this](http::Request request, http::Responder responder) {
      Take(std::move(request), std::move(responder));
    });
  }

  ~ServerImpl() override { http_.reset(); }  // joins the threads: no member below is used any more

  uint16_t port() const override { return http_->port(); }
  std::string url() const override { return http_->url(); }

  void Run(const std::function<void(State&)>& function) override {
    std::promise<void> done;
    http_->Post([&] {
      function(state_);
      done.set_value();
    });
    done.get_future().wait();
  }
  void AddFault(FaultRule rule) override {
    Run([&](State&) { faults_.Add(std::move(rule)); });
  }
  void ClearFaults() override {
    Run([&](State&) { faults_.Clear(); });
  }
  void CutWatches(const std::string& resource) override {
    Run([&](State&) { sessions_.Cut(resource); });
  }
  void CompactHistory() override {
    Run([](State& state) { state.store.Compact(); });
  }

 private:
  // Pending is a request and its responder, in a form that copyable callbacks can hold.
  struct Pending {
    http::Request request;
    http::Responder responder;
    FaultPlan plan;
    std::string resource;
    Reply reply;
  };

  void Take(http::Request request, http::Responder responder) {
    if (options_.serves_faults && request.target.starts_with(kFaultsPath)) {
      responder.Send(ControlFaults(request));
      return;
    }
    auto pending =
        std::make_shared<Pending>(Pending{std::move(request), std::move(responder), {}, {}, {}});
    const RequestInfo info = RequestInfo::Parse(pending->request.method, pending->request.target);
    pending->resource = info.resource;
    if (!faults_.empty()) pending->plan = faults_.Plan(info);
    const auto delay = pending->plan.before.delay;
    if (delay.count() > 0 && info.verb != "watch") {
      http_->timer().After(delay, [this, pending] { CarryOut(pending); });
    } else {
      CarryOut(pending);
    }
  }

  void CarryOut(const std::shared_ptr<Pending>& pending) {
    const FaultPlan& plan = pending->plan;
    if (Breaks(plan.before, *pending)) return;
    const Caller caller = CallerOf(pending->responder.peer());
    if (plan.before.duplicate) handler_.Handle(pending->request, caller);
    if (plan.lag > 0) {
      const uint64_t version = state_.store.version(), lag = static_cast<uint64_t>(plan.lag);
      handler_.SetStaleVersion(version > lag ? version - lag : 1);
    }
    pending->reply = handler_.Handle(pending->request, caller);
    handler_.SetStaleVersion(std::nullopt);
    if (plan.after.duplicate) handler_.Handle(pending->request, caller);
    if (plan.after.delay.count() > 0 && !pending->reply.watcher) {
      http_->timer().After(plan.after.delay, [this, pending] { Tell(*pending); });
    } else {
      Tell(*pending);
    }
  }

  void Tell(Pending& pending) {
    const FaultPlan& plan = pending.plan;
    if (Breaks(plan.after, pending)) return;
    if (pending.reply.watcher)
      return sessions_.Begin(std::move(pending.responder), std::move(pending.reply),
                             pending.resource, plan.before.delay + plan.after.delay);
    pending.responder.Send(std::move(pending.reply.response));
  }

  // Executes the fault of the plan, if any, instead of the handler.
  static bool Breaks(const FaultPlan::Side& side, Pending& pending) {
    if (side.drop) {
      pending.responder.Drop();
    } else if (side.fail_code) {
      StatusError error{.code = *side.fail_code,
                        .reason = std::string(ToString(ReasonForHttpCode(*side.fail_code))),
                        .message = "a fault was asked for",
                        .details = {}};
      error.details.retry_after_seconds = side.retry_after_seconds;
      pending.responder.Send(ErrorReply(error).response);
    }
    return side.drop || side.fail_code;
  }

  static Caller CallerOf(const http::Peer& peer) {
    if (!peer.certificate_error.empty()) return {};
    return {peer.common_name, peer.organizations};
  }

  http::Response ControlFaults(const http::Request& request) {
    const RequestInfo info = RequestInfo::Parse(request.method, request.target);
    const std::string action = request.method + info.path.substr(kFaultsPath.size());
    if (action == "POST") {
      auto rule = FaultRule::Parse(request.body);
      if (!rule) return ErrorReply(BadRequest(rule.error().message())).response;
      faults_.Add(std::move(*rule));
    } else if (action == "DELETE") {
      faults_.Clear();
    } else if (action == "POST/cut") {
      sessions_.Cut(info.query.Get("resource"));
    } else if (action == "POST/compact") {
      state_.store.Compact();
    } else {
      return ErrorReply(NotFoundPath()).response;
    }
    return JsonReply(200, "{}").response;
  }

  const ServerOptions options_;
  std::unique_ptr<http::StreamServer> http_;
  State state_;
  Handler handler_;
  FaultInjector faults_;
  WatchSessions sessions_;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::Start(ServerOptions options, const Clock& clock) {
  if (options.serves_faults && !IsLoopback(options.address)) {
    return ConfigError(std::string(kFaultsPath) + " is served on loopback only, not on " +
                       options.address);
  }
  Result<std::unique_ptr<http::SigningKey>> key =
      options.signing_key.empty() ? http::SigningKey::Generate()
                                  : http::SigningKey::FromPem(options.signing_key);
  if (!key) return Fail(std::move(key).error());
  http::StreamServerOptions http_options;
  http_options.address = options.address;
  http_options.port = options.port;
  http_options.tls = options.tls;
  http_options.max_connections = options.max_connections;
  http_options.max_header_bytes = options.max_header_bytes;
  http_options.max_body_bytes = options.max_body_bytes + kOverrunBytes;
  http_options.request_timeout = options.request_timeout;
  http_options.reject = [limit = options.max_body_bytes](int code, const std::string& why) {
    return code == 413 ? ErrorReply(RequestTooLarge(limit)).response
                       : TextReply(code, why + "\n").response;
  };
  BERTH_TRY(std::unique_ptr<http::StreamServer> http,
            http::StreamServer::Listen(std::move(http_options)));
  return std::make_unique<ServerImpl>(std::move(options), clock, std::move(http), std::move(*key));
}

}  // namespace berth::apiserver
