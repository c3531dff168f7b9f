// SPDX-License-Identifier: Apache-2.0
// scheduler_memory: memory of a scheduler from its start until it has synced a large cluster. The
// API server is `berth-sandbox apiserver` over TLS, the scheduler is `berth scheduler`; both are
// separate processes. Prints the time to sync and the peak resident set.
#include <chrono>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/flags.h"
#include "bench/fixtures.h"
#include "bench/process_memory.h"
#include "bench/wire/berth_process.h"
#include "bench/wire/load.h"
#include "bench/wire/server_process.h"

namespace berth::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kConnections = 16;
constexpr std::chrono::minutes kSyncLimit{5};

constexpr const char* kConfig =
    "apiVersion: kubescheduler.config.k8s.io/v1\n"
    "kind: KubeSchedulerConfiguration\n"
    "leaderElection: {leaderElect: false}\n";

struct Flags {
  std::filesystem::path programs;
  uint64_t nodes = 5'000;
  uint64_t pods = 150'000;
  bool pages = false;
  bool terms = false;  // half of the pods have an affinity term
};

// Creates the cluster on the server.
Result<void> Fill(const ServerProcess& server, const Flags& flags) {
  const std::string shop = "/api/v1/namespaces/shop";
  BERTH_TRY(HttpConnection admin, HttpConnection::Connect(server.AdminOptions()));
  BERTH_TRY_VOID(admin.Call(Post("/api/v1/namespaces", R"({"metadata":{"name":"shop"}})")));
  BERTH_TRY_VOID(admin.Call(Post(shop + "/serviceaccounts", R"({"metadata":{"name":"default"}})")));

  BERTH_TRY(Load load, Load::Connect(kConnections, server.AdminOptions()));
  BERTH_TRY_VOID(load.Run(flags.nodes, 201, [](size_t i, WireRequest& request) {
    request = Post("/api/v1/nodes", PostedNodeText(i));
  }));
  BERTH_TRY_VOID(load.Run(flags.pods, 201, [&](size_t i, WireRequest& request) {
    const PodShape shape =
        TemplateShape(i, flags.pods, flags.terms ? Terms::kOfHalf : Terms::kNone);
    request = Post(shop + "/pods", PostedPodText(i, shape, NodeName(Mix(i) % flags.nodes)));
  }));
  return {};
}

Result<void> Measure(const Flags& flags) {
  BERTH_TRY(const std::unique_ptr<ServerProcess> server,
            ServerProcess::Start(flags.programs / "berth-sandbox", /*tls=*/true,
                                 {flags.pages ? "--watch-list=false" : "--watch-list=true"}));
  BERTH_TRY_VOID(Fill(*server, flags));

  const auto begin = Clock::now();
  BERTH_TRY(BerthProcess scheduler,
            BerthProcess::Start(*server, flags.programs / "berth", "scheduler", kConfig,
                                {"--secure-port", "0"}));
  BERTH_TRY(const std::string synced, scheduler.AwaitLine("\"Synced pods and nodes\"", kSyncLimit));
  if (!synced.ends_with(fmt::format("pods={}", flags.pods))) {
    return Fail(Reason::kUnknown, "the scheduler synced another number of objects: " + synced);
  }
  const std::chrono::duration<double> took = Clock::now() - begin;
  const size_t highest = MemoryOf(scheduler.pid(), "VmHWM");
  const size_t resident = MemoryOf(scheduler.pid(), "VmRSS");
  std::cout << fmt::format("a scheduler of {} nodes and {} pods{}, {}\n", flags.nodes, flags.pods,
                           flags.terms ? ", half of them with an affinity term" : "",
                           flags.pages ? "read in pages" : "streamed")
            << fmt::format("synced after         {:8.1f} s\n", took.count())
            << fmt::format("resident then        {:8.1f} MiB\n", Mebibytes(resident))
            << fmt::format("resident at most     {:8.1f} MiB\n", Mebibytes(highest));
  return {};
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  using namespace berth;  // NOLINT(google-build-using-namespace)
  bench::Flags flags{.programs = std::filesystem::path(argv[0]).parent_path()};
  const Reading reading = ReadFlags(
      {.name = "scheduler_memory",
       .help = "Measures the memory of a scheduler from its start until it has synced a cluster.",
       .flags = {{.name = "--nodes", .target = &flags.nodes, .help = "Nodes of the cluster"},
                 {.name = "--pods", .target = &flags.pods, .help = "Pods, all of them placed"},
                 {.name = "--terms",
                  .target = &flags.terms,
                  .help = "Give half of the pods an affinity term"},
                 {.name = "--pages",
                  .target = &flags.pages,
                  .help = "Disable streaming lists on the server; the scheduler lists in pages"}}},
      argc, argv);
  if (reading.exit_code) return *reading.exit_code;
  const Result<void> measured = bench::Measure(flags);
  if (measured) return 0;
  std::cerr << "scheduler_memory: " << measured.error().message() << "\n";
  return 1;
}
