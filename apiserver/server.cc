// SPDX-License-Identifier: Apache-2.0
#include "apiserver/server.h"

#include <future>
#include <utility>

#include <nlohmann/json.hpp>

#include "apiserver/rest/bootstrap.h"
#include "apiserver/rest/handler.h"
#include "apiserver/rest/replies.h"
#include "apiserver/watch_sessions.h"
#include "http/stream_server.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

class ServerImpl final : public Server {
 public:
  ServerImpl(ServerOptions options, const Clock& clock, std::unique_ptr<http::StreamServer> http,
             std::shared_ptr<const http::SigningKey> key)
      : options_(std::move(options)),
        http_(std::move(http)),
        state_(clock, options_.seed, TokenAuthority(std::move(key))),
        handler_(state_, {.address = "127.0.0.1:" + std::to_string(http_->port()),
                          .anonymous_masters = options_.anonymous_admin,
                          .stale_version = std::nullopt}),
        faults_(options_.seed),
        sessions_(http_->timer(), options_.bookmark_period) {
    state_.store.SetWindow(options_.history_window);
    for (const auto& [token, user] : options_.tokens) state_.tokens.AddStatic(token, user);
    Bootstrap(state_);
    http_->Serve([this](http::Request request, http::Responder responder) {
      Take(std::move(request), std::move(responder));
    });
  }

  ~ServerImpl() override { http_.reset(); }  // joins: nothing below is in use any more

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
  // A request and where its answer goes, as callbacks that must be copyable hold it.
  struct Pending {
    http::Request request;
    http::Responder responder;
    FaultPlan plan;
    std::string resource;
  };

  void Take(http::Request request, http::Responder responder) {
    if (options_.serves_faults && request.target.starts_with("/berth-faults")) {
      responder.Send(ControlFaults(request));
      return;
    }
    auto pending =
        std::make_shared<Pending>(Pending{std::move(request), std::move(responder), {}, {}});
    const RequestInfo info = RequestInfo::Parse(pending->request.method, pending->request.target);
    pending->resource = info.resource;
    if (!faults_.empty()) pending->plan = faults_.Plan(info);
    const auto delay = pending->plan.delay;
    if (delay.count() > 0 && info.verb != "watch") {
      http_->timer().After(delay, [this, pending] { Answer(*pending); });
    } else {
      Answer(*pending);
    }
  }

  void Answer(Pending& pending) {
    const FaultPlan& plan = pending.plan;
    if (plan.drop_before) return pending.responder.Drop();
    if (plan.fail_code) {
      pending.responder.Send(
          ErrorReply({.code = *plan.fail_code,
                      .reason = std::string(ToString(ReasonForHttpCode(*plan.fail_code))),
                      .message = "a fault was asked for",
                      .details = {}})
              .response);
      return;
    }
    const Caller caller = CallerOf(pending.responder.peer());
    if (plan.lag > 0) {
      const uint64_t version = state_.store.version();
      handler_.SetStaleVersion(version > plan.lag ? version - plan.lag : 1);
    }
    Reply reply = handler_.Handle(pending.request, caller);
    handler_.SetStaleVersion(std::nullopt);
    if (plan.duplicate) handler_.Handle(pending.request, caller);
    if (plan.drop_after) return pending.responder.Drop();
    if (reply.watcher)
      return sessions_.Begin(std::move(pending.responder), std::move(reply), pending.resource,
                             plan.delay);
    pending.responder.Send(std::move(reply.response));
  }

  static Caller CallerOf(const http::Peer& peer) {
    if (!peer.certificate_problem.empty()) return {};
    return {peer.common_name, peer.organizations};
  }

  // POST adds a rule, DELETE forgets all; /compact and /cut?resource= act at once.
  http::Response ControlFaults(const http::Request& request) {
    const RequestInfo info = RequestInfo::Parse(request.method, request.target);
    if (info.path == "/berth-faults/compact") {
      state_.store.Compact();
    } else if (info.path == "/berth-faults/cut") {
      sessions_.Cut(info.query.Get("resource"));
    } else if (request.method == "DELETE") {
      faults_.Clear();
    } else {
      const auto rule = FaultRule::FromJson(json::parse(request.body, nullptr, false));
      if (!rule) return ErrorReply(rule.error()).response;
      faults_.Add(*rule);
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
  http_options.max_body_bytes = options.max_body_bytes;
  http_options.request_timeout = options.request_timeout;
  BERTH_TRY(std::unique_ptr<http::StreamServer> http,
            http::StreamServer::Listen(std::move(http_options)));
  return std::make_unique<ServerImpl>(std::move(options), clock, std::move(http), std::move(*key));
}

}  // namespace berth::apiserver
