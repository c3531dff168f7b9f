// SPDX-License-Identifier: Apache-2.0
// Requests to the in-memory API server, passed to it as its socket would: authenticated, authorised
// by RBAC, admitted, stored and answered as text.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/fake_clock.h"
#include "bench/cases.h"
#include "bench/object_text.h"
#include "http/crypto/signing.h"
#include "sandbox/apiserver/rest/bootstrap.h"
#include "sandbox/apiserver/rest/handler.h"

namespace berth::bench {
namespace {

using apiserver::Reply;

constexpr const char* kPods = "/api/v1/namespaces/default/pods";
constexpr const char* kToken = "scheduler-token";
constexpr size_t kWatchers = 50;

// LoadedServer is a server with or without the pods of a round in its store.
class LoadedServer {
 public:
  explicit LoadedServer(size_t pods) : pods_(pods) {
    Bootstrap(state_);
    state_.tokens.AddStatic(kToken, {.name = "load", .uid = {}, .groups = {}, .extra = {}});
    const std::string rbac = "/apis/rbac.authorization.k8s.io/v1/";
    Make(rbac + "clusterroles", R"({"metadata":{"name":"load"},"rules":[
        {"apiGroups":[""],"resources":["nodes"],"verbs":["get","list","watch"]},
        {"apiGroups":[""],"resources":["pods","pods/status","pods/binding"],"verbs":["*"]},
        {"apiGroups":["apps"],"resources":["replicasets/finalizers"],"verbs":["update"]}]})");
    Make(rbac + "clusterrolebindings", R"({"metadata":{"name":"load"},"roleRef":{
        "apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"load"},
        "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"load"}]})");
    Make("/api/v1/namespaces/default/serviceaccounts", R"({"metadata":{"name":"default"}})");
  }

  size_t pods() const { return pods_; }
  static std::string PodName(size_t i) { return fmt::format("web-{:06}", i); }
  static std::string PathOf(size_t i) { return std::string(kPods) + "/" + PodName(i); }

  // Sends a request as the ServiceAccount user that RBAC checks. Requires: the response code is
  // `code`.
  Reply Send(int code, std::string method, std::string target, std::string body = {},
             std::string type = "application/json") {
    http::Request request;
    request.method = std::move(method);
    request.target = std::move(target);
    request.body = std::move(body);
    request.headers.Set("Accept", "application/json");
    request.headers.Set("User-Agent", "load/1");
    request.headers.Set("Authorization", std::string("Bearer ") + kToken);
    if (!request.body.empty()) request.headers.Set("Content-Type", type);
    Reply reply = handler_.Handle(request, {});
    BERTH_CHECK(reply.response.code == code, reply.response.body);
    return reply;
  }

  void CreatePods() {
    for (size_t i = 0; i < pods_; ++i) Send(201, "POST", kPods, NewPodText(PodName(i)));
  }
  void DeletePods() {
    for (size_t i = 0; i < pods_; ++i) Send(200, "DELETE", PathOf(i) + "?gracePeriodSeconds=0");
  }

 private:
  void Make(const std::string& target, std::string body) {
    http::Request request;
    request.method = "POST";
    request.target = target;
    request.body = std::move(body);
    request.headers.Set("Content-Type", "application/json");
    const Reply reply =
        handler_.Handle(request, {.common_name = "admin", .organizations = {"system:masters"}});
    BERTH_CHECK(reply.response.code == 201, reply.response.body);
  }

  const size_t pods_;
  FakeClock clock_;
  apiserver::State state_{clock_, 7,
                          apiserver::TokenAuthority(std::move(*http::SigningKey::Generate()))};
  apiserver::Handler handler_{state_, {.address = "127.0.0.1:1"}};
};

// PodRequests sends one request for each pod. The pods are created again for every round.
class PodRequests final : public Workload {
 public:
  using Send = std::function<void(LoadedServer& server, size_t i)>;

  PodRequests(size_t pods, Send send) : server_(pods), send_(std::move(send)) {}

  size_t Operations() const override { return server_.pods(); }
  void Round(Meter& meter) override {
    server_.CreatePods();
    {
      const Measured measured(meter);
      for (size_t i = 0; i < server_.pods(); ++i) send_(server_, i);
    }
    server_.DeletePods();
  }

 private:
  LoadedServer server_;
  const Send send_;
};

class CreatePods final : public Workload {
 public:
  explicit CreatePods(size_t pods) : server_(pods) {}

  size_t Operations() const override { return server_.pods(); }
  void Round(Meter& meter) override {
    {
      const Measured measured(meter);
      server_.CreatePods();
    }
    server_.DeletePods();
  }

 private:
  LoadedServer server_;
};

// ListPods lists existing pods; an operation is one list.
class ListPods final : public Workload {
 public:
  explicit ListPods(size_t pods) : server_(pods) { server_.CreatePods(); }

  size_t Operations() const override { return 1; }
  void Round(Meter& meter) override {
    const Measured measured(meter);
    Keep(server_.Send(200, "GET", kPods));
  }

 private:
  LoadedServer server_;
};

// FanOut creates pods while 50 watchers read; an operation is one pod created and seen by all
// watchers.
class FanOut final : public Workload {
 public:
  explicit FanOut(size_t pods) : server_(pods) {
    for (size_t i = 0; i < kWatchers; ++i) {
      watchers_.push_back(
          server_.Send(200, "GET", std::string(kPods) + "?watch=1&timeoutSeconds=60").watcher);
    }
  }

  size_t Operations() const override { return server_.pods(); }
  void Round(Meter& meter) override {
    {
      const Measured measured(meter);
      for (size_t i = 0; i < server_.pods(); ++i) {
        server_.Send(201, "POST", kPods, NewPodText(LoadedServer::PodName(i)));
        BERTH_CHECK(ReadAll() == kWatchers, "every watcher sees every pod");
      }
    }
    server_.DeletePods();
    ReadAll();
  }

 private:
  // Returns the number of events read.
  size_t ReadAll() {
    size_t seen = 0;
    for (const auto& watcher : watchers_) {
      while (watcher->Next() != nullptr) ++seen;
    }
    return seen;
  }

  LoadedServer server_;
  std::vector<std::unique_ptr<apiserver::Watcher>> watchers_;
};

void Get(LoadedServer& server, size_t i) { Keep(server.Send(200, "GET", LoadedServer::PathOf(i))); }

void Bind(LoadedServer& server, size_t i) {
  server.Send(
      201, "POST", LoadedServer::PathOf(i) + "/binding",
      fmt::format(R"({{"metadata":{{"name":"{}"}},"target":{{"kind":"Node","name":"{}"}}}})",
                  LoadedServer::PodName(i), NodeName(i)));
}

void PatchStatus(LoadedServer& server, size_t i) {
  server.Send(200, "PATCH", LoadedServer::PathOf(i) + "/status",
              R"({"status":{"conditions":[{"type":"PodScheduled","status":"False",)"
              R"("reason":"Unschedulable","message":"0/5 nodes are available",)"
              R"("lastProbeTime":null,"lastTransitionTime":"2026-01-01T08:00:00Z"}]}})",
              "application/merge-patch+json");
}

// Updates the pod, including its managed fields, with another label.
void Update(LoadedServer& server, size_t i) {
  std::string text = server.Send(200, "GET", LoadedServer::PathOf(i)).response.body;
  const std::string_view label = R"("tier":"frontend")";
  text.replace(text.find(label), label.size(), R"("tier":"backend")");
  server.Send(200, "PUT", LoadedServer::PathOf(i), std::move(text));
}

Case Requests(const std::string& name, size_t pods, PodRequests::Send send) {
  return {"apiserver/" + name,
          [pods, send = std::move(send)] { return std::make_unique<PodRequests>(pods, send); }};
}

}  // namespace

std::vector<Case> ApiserverCases(const Scale& scale) {
  const size_t pods = scale.requests;
  const size_t listed = scale.listed_pods;
  return {{"apiserver/create_pod", [pods] { return std::make_unique<CreatePods>(pods); }},
          Requests("get_pod", pods, Get),
          Requests("bind_pod", pods, Bind),
          Requests("patch_status_of_pod", pods, PatchStatus),
          Requests("get_and_update_pod", pods, Update),
          {fmt::format("apiserver/list/pods:{}", listed),
           [listed] { return std::make_unique<ListPods>(listed); }},
          {fmt::format("apiserver/create_pod/watchers:{}", kWatchers),
           [pods] { return std::make_unique<FanOut>(pods); }}};
}

}  // namespace berth::bench
