// SPDX-License-Identifier: Apache-2.0
// apiserver_load: speed and size of `berth-sandbox apiserver` for clients over the wire. The server
// is a separate process on this machine, with its default RBAC and admission. Requests come from a
// ServiceAccount over 16 keep-alive connections. Prints requests per second, response times, and
// the CPU time of the server per request, which depends least on the other load of the machine.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/flags.h"
#include "base/json/document.h"
#include "bench/object_text.h"
#include "bench/wire/load.h"
#include "bench/wire/server_process.h"
#include "bench/wire/watchers.h"

namespace berth::bench {
namespace {

constexpr size_t kConnections = 16;
constexpr size_t kWatchers = 50;
constexpr size_t kListedPods = 10'000;  // made, read, patched, bound and listed
constexpr size_t kWatchedPods = 3'000;
constexpr size_t kPage = 500;
constexpr int kLists = 3;

constexpr const char* kAccount = R"({"metadata":{"name":"load"}})";
constexpr const char* kRole =
    R"({"metadata":{"name":"load"},"rules":[)"
    R"({"apiGroups":[""],"resources":["nodes","namespaces"],"verbs":["get","list","watch"]},)"
    R"({"apiGroups":[""],"resources":["pods"],"verbs":["create","get","list","watch","delete"]},)"
    R"({"apiGroups":[""],"resources":["bindings","pods/binding"],"verbs":["create"]},)"
    R"({"apiGroups":[""],"resources":["pods/status"],"verbs":["patch","update"]},)"
    R"({"apiGroups":["apps"],"resources":["replicasets/finalizers"],"verbs":["update"]}]})";
constexpr const char* kBinding =
    R"({"metadata":{"name":"load"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io",)"
    R"("kind":"ClusterRole","name":"load"},"subjects":[{"kind":"ServiceAccount","name":"load",)"
    R"("namespace":"load"}]})";

struct Flags {
  std::string server;
  uint64_t pods = 50'000;
  bool tls = false;
};

std::string PodsPath(const std::string& name_space) {
  return "/api/v1/namespaces/" + name_space + "/pods";
}
std::string PodName(size_t i) { return fmt::format("web-{:06}", i); }

// Creates an object as the admin.
Result<nlohmann::json> Post(HttpConnection& admin, const std::string& target,
                            const std::string& body) {
  BERTH_TRY(const WireAnswer answer,
            admin.Call({.method = "POST", .target = target, .body = body}));
  if (answer.code != 201) return ConfigError("POST " + target + ": " + answer.body);
  return json::ReadDocument(answer.body);
}

// Creates the objects that the load needs; returns the options to connect as its ServiceAccount.
Result<HttpConnection::Options> Prepare(const ServerProcess& server) {
  HttpConnection::Options options = server.AdminOptions();
  BERTH_TRY(HttpConnection admin, HttpConnection::Connect(options));
  for (const char* name : {"load", "watched", "more"}) {
    BERTH_TRY_VOID(
        Post(admin, "/api/v1/namespaces", fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name)));
    BERTH_TRY_VOID(Post(admin, fmt::format("/api/v1/namespaces/{}/serviceaccounts", name),
                        R"({"metadata":{"name":"default"}})"));
  }
  const std::string rbac = "/apis/rbac.authorization.k8s.io/v1/";
  const std::string accounts = "/api/v1/namespaces/load/serviceaccounts";
  BERTH_TRY_VOID(Post(admin, accounts, kAccount));
  BERTH_TRY_VOID(Post(admin, rbac + "clusterroles", kRole));
  BERTH_TRY_VOID(Post(admin, rbac + "clusterrolebindings", kBinding));
  BERTH_TRY(const nlohmann::json token, Post(admin, accounts + "/load/token", R"({"spec":{}})"));
  options.token = token["status"]["token"].get<std::string>();
  if (options.tls) options.tls->certificate = options.tls->key = {};
  return options;
}

// Report runs the phases and prints a line for each.
class Report {
 public:
  Report(const ServerProcess& server, HttpConnection::Options options, Load load)
      : server_(server), options_(std::move(options)), load_(std::move(load)) {}

  Result<void> Print(size_t pods) {
    std::cout << fmt::format("{:30} {:>10} {:>9} {:>9} {:>14}\n", "over 16 connections", "a second",
                             "median", "99 %", "server's CPU");
    BERTH_TRY_VOID(Create("create pods", "load", 0, kListedPods));
    BERTH_TRY_VOID(Run("get a pod", 2 * kListedPods, 200, [](size_t i, WireRequest& request) {
      request.target = PodsPath("load") + "/" + PodName(i % kListedPods);
    }));
    BERTH_TRY_VOID(Run("patch a pod's status", kListedPods, 200, PatchStatus));
    BERTH_TRY_VOID(Run("bind a pod", kListedPods, 201, Bind));
    BERTH_TRY_VOID(ListAll("list 10,000 pods", PodsPath("load"), false));
    BERTH_TRY_VOID(ListAll("the same, compressed", PodsPath("load"), true));
    BERTH_TRY_VOID(ListPages());
    BERTH_TRY_VOID(FanOut());
    BERTH_TRY_VOID(Run("delete a pod", kWatchedPods, 200, [](size_t i, WireRequest& request) {
      request.method = "DELETE";
      request.target = PodsPath("watched") + "/" + PodName(i) + "?gracePeriodSeconds=0";
    }));
    if (pods > kListedPods) {
      BERTH_TRY_VOID(Create("create more pods", "more", 0, pods - kListedPods));
    }
    std::cout << fmt::format("{:30} {:10.1f} MiB resident\n", fmt::format("with {} pods", pods),
                             static_cast<double>(server_.ResidentBytes()) / (1 << 20));
    return {};
  }

 private:
  static void PatchStatus(size_t i, WireRequest& request) {
    request.method = "PATCH";
    request.target = PodsPath("load") + "/" + PodName(i) + "/status";
    request.content_type = "application/merge-patch+json";
    request.body =
        R"({"status":{"conditions":[{"type":"PodScheduled","status":"False",)"
        R"("reason":"Unschedulable","message":"0/5 nodes are available: 5 Insufficient cpu.",)"
        R"("lastProbeTime":null,"lastTransitionTime":"2026-01-01T08:00:00Z"}]}})";
  }
  static void Bind(size_t i, WireRequest& request) {
    const std::string name = PodName(i);
    request.method = "POST";
    request.target = PodsPath("load") + "/" + name + "/binding";
    request.body = fmt::format(R"({{"apiVersion":"v1","kind":"Binding","metadata":{{"name":"{}"}},)"
                               R"("target":{{"kind":"Node","name":"{}"}}}})",
                               name, NodeName(i % 5000));
  }

  Result<LoadResult> Run(const std::string& name, size_t count, int code, const Load::Make& make) {
    const auto before = server_.CpuTime();
    BERTH_TRY(const LoadResult result, load_.Run(count, code, make));
    const auto cpu = server_.CpuTime() - before;
    std::cout << fmt::format("{:30} {:10.0f} {:6.1f} ms {:6.1f} ms {:11.1f} us\n", name,
                             result.PerSecond(), result.median.count() * 1e3,
                             result.p99.count() * 1e3,
                             cpu.count() * 1e6 / static_cast<double>(count))
              << std::flush;
    return result;
  }

  Result<LoadResult> Create(const std::string& name, const std::string& name_space, size_t first,
                            size_t count) {
    const std::string target = PodsPath(name_space);
    return Run(name, count, 201, [&](size_t i, WireRequest& request) {
      request.method = "POST";
      request.target = target;
      request.body = NewPodText(PodName(first + i));
    });
  }

  // Times a list to its last byte. Runs several and reports the fastest.
  Result<void> ListAll(const std::string& name, const std::string& path, bool compressed) {
    BERTH_TRY(HttpConnection connection, HttpConnection::Connect(options_));
    std::chrono::duration<double> best{1e9};
    size_t bytes = 0;
    for (int i = 0; i < kLists; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      BERTH_TRY(const WireAnswer answer,
                connection.Call({.target = path, .body = {}, .accepts_gzip = compressed}));
      best =
          std::min<std::chrono::duration<double>>(best, std::chrono::steady_clock::now() - begin);
      if (answer.code != 200) return ConfigError("list: " + answer.body);
      bytes = answer.body.size();
    }
    PrintList(name, best, bytes);
    return {};
  }

  Result<void> ListPages() {
    BERTH_TRY(HttpConnection connection, HttpConnection::Connect(options_));
    const std::string path = PodsPath("load") + fmt::format("?limit={}", kPage);
    const auto begin = std::chrono::steady_clock::now();
    std::chrono::duration<double> took{0};
    size_t bytes = 0, pages = 0;
    for (std::string token, more; pages == 0 || !token.empty(); ++pages) {
      more = token.empty() ? path : path + "&continue=" + token;
      BERTH_TRY(const WireAnswer answer, connection.Call({.target = more, .body = {}}));
      took = std::chrono::steady_clock::now() - begin;
      bytes += answer.body.size();
      token = TokenIn(answer.body);
    }
    if (pages != kListedPods / kPage) return ConfigError(fmt::format("{} pages came", pages));
    PrintList(fmt::format("the same in pages of {}", kPage), took, bytes);
    return {};
  }

  // Returns the continue token, which is in the metadata at the start of a list.
  static std::string TokenIn(const std::string& page) {
    static constexpr std::string_view kKey = R"("continue":")";
    const size_t head = std::min(page.find("\"items\""), page.size());
    const size_t at = page.find(kKey);
    if (at >= head) return {};
    const size_t begin = at + kKey.size();
    return page.substr(begin, page.find('"', begin) - begin);
  }

  static void PrintList(const std::string& name, std::chrono::duration<double> took, size_t bytes) {
    std::cout << fmt::format("{:30} {:10.3f} s {:13.1f} MB\n", name, took.count(),
                             static_cast<double>(bytes) / 1e6)
              << std::flush;
  }

  Result<void> FanOut() {
    BERTH_TRY(const auto watchers,
              Watchers::Start(kWatchers, {.target = PodsPath("watched") + "?watch=1", .body = {}},
                              options_));
    const auto cpu = server_.CpuTime();
    const auto begin = std::chrono::steady_clock::now();
    BERTH_TRY_VOID(
        Create(fmt::format("create pods, {} watchers", kWatchers), "watched", 0, kWatchedPods));
    BERTH_TRY(const Watchers::Seen seen, watchers->Await(kWatchedPods));
    const std::chrono::duration<double> took = seen.last - begin;
    const auto used = server_.CpuTime() - cpu;
    const auto events = static_cast<double>(seen.events);
    std::cout << fmt::format(
        "{:30} {:10.0f} {:13.1f} MB/s {:13.1f} us\n", "events to watchers", events / took.count(),
        static_cast<double>(seen.bytes) / 1e6 / took.count(), used.count() * 1e6 / events);
    return {};
  }

  const ServerProcess& server_;
  const HttpConnection::Options options_;
  Load load_;
};

Result<void> Measure(const Flags& flags) {
  BERTH_TRY(const std::unique_ptr<ServerProcess> server,
            ServerProcess::Start(flags.server, flags.tls));
  BERTH_TRY(const HttpConnection::Options options, Prepare(*server));
  BERTH_TRY(Load load, Load::Connect(kConnections, options));
  std::cout << (flags.tls ? "TLS" : "plain text")
            << fmt::format(", empty server {:.1f} MiB\n",
                           static_cast<double>(server->ResidentBytes()) / (1 << 20));
  return Report(*server, options, std::move(load)).Print(flags.pods);
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  using namespace berth;  // NOLINT(google-build-using-namespace)
  bench::Flags flags{.server = std::filesystem::path(argv[0]).parent_path() / "berth-sandbox"};
  const Reading reading = ReadFlags(
      {.name = "apiserver_load",
       .help = "Measures the in-memory API server over the wire.",
       .flags = {{.name = "--server",
                  .target = &flags.server,
                  .help = "Path of berth-sandbox",
                  .type = "FILE"},
                 {.name = "--pods", .target = &flags.pods, .help = "Pods in the store at the end"},
                 {.name = "--tls", .target = &flags.tls, .help = "Connect over TLS"}}},
      argc, argv);
  if (reading.exit_code) return *reading.exit_code;
  const Result<void> measured = bench::Measure(flags);
  if (measured) return 0;
  std::cerr << "apiserver_load: " << measured.error().message() << "\n";
  return 1;
}
