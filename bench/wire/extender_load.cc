// SPDX-License-Identifier: Apache-2.0
// extender_load: how long `berth extender`, a process of its own that follows a cluster held by
// `berth-sandbox apiserver`, takes to answer about many nodes: one plugin filters, one scores, and
// every node fits. One question at a time, as a scheduler asks.
#include <charconv>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/file.h"
#include "base/flags.h"
#include "bench/fixtures.h"
#include "bench/object_text.h"
#include "bench/wire/load.h"
#include "bench/wire/server_process.h"
#include "client/kubeconfig.h"

namespace berth::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kConnections = 16;
constexpr std::chrono::minutes kSyncLimit{2};
constexpr std::chrono::milliseconds kLook{20};

constexpr const char* kConfig = R"(apiVersion: berth.dev/v1alpha1
kind: ExtenderConfiguration
extenders:
- urlPrefix: /s
  filterVerb: filter
  prioritizeVerb: prioritize
  nodeCacheCapable: true
  plugins:
    filter: {enabled: [{name: PodNameLength}]}
    score: {enabled: [{name: NodeNameLength}]}
  pluginConfig: [{name: PodNameLength, args: {maxLength: 200}}]
)";

struct Flags {
  std::filesystem::path programs;
  uint64_t nodes = 5'000;
  uint64_t questions = 1'000;
  uint64_t whole_questions = 20;
};

WireRequest Post(std::string target, std::string body) {
  return {.method = "POST", .target = std::move(target), .body = std::move(body)};
}

// AwaitPort waits until the extender has seen all nodes, and gives its port.
Result<uint16_t> AwaitPort(simulation::ChildProcess& extender, const std::string& log,
                           const Flags& flags) {
  const auto limit = Clock::now() + kSyncLimit;
  constexpr std::string_view kUrl = "url=\"http://127.0.0.1:";
  std::string said;
  while (Clock::now() < limit && !extender.ExitCode()) {
    said = ReadFile(log).value_or("");
    const size_t url = said.find(kUrl);
    if (url != said.npos && said.find(fmt::format("nodes={} ", flags.nodes)) != said.npos) {
      uint16_t port = 0;
      std::from_chars(said.data() + url + kUrl.size(), said.data() + said.size(), port);
      return port;
    }
    std::this_thread::sleep_for(kLook);
  }
  return Fail(Reason::kTimeout, "the extender is not ready: " + said);
}

std::string Question(const Flags& flags, bool whole) {
  std::string list;
  for (size_t i = 0; i < flags.nodes; ++i) {
    if (i > 0) list += ',';
    list += whole ? NodeText(i) : '"' + NodeName(i) + '"';
  }
  return R"({"Pod":)" + PodText(1, {}) +
         (whole ? R"(,"Nodes":{"metadata":{},"items":[)" + list + R"(]},"NodeNames":null})"
                : R"(,"Nodes":null,"NodeNames":[)" + list + "]}");
}

Result<void> Ask(const HttpConnection::Options& extender, const char* what, const char* verb,
                 const std::string& question, size_t count) {
  BERTH_TRY(Load load, Load::Connect(1, extender));
  const auto make = [&](size_t, WireRequest& request) {
    if (request.body.empty()) request = Post("/s/" + std::string(verb), question);
  };
  BERTH_TRY_VOID(load.Run(2, 200, make));
  BERTH_TRY(const LoadResult result, load.Run(count, 200, make));
  std::cout << fmt::format("{:<12} {:<12} {:8.2f} ms median {:8.2f} ms p99   {:.1f} KiB asked\n",
                           verb, what, result.median.count() * 1e3, result.p99.count() * 1e3,
                           static_cast<double>(question.size()) / 1024);
  return {};
}

Result<void> Measure(const Flags& flags) {
  BERTH_TRY(const std::unique_ptr<ServerProcess> server,
            ServerProcess::Start(flags.programs / "berth-sandbox", /*tls=*/false));
  BERTH_TRY(Load fill, Load::Connect(kConnections, server->AdminOptions()));
  BERTH_TRY_VOID(fill.Run(flags.nodes, 201, [](size_t i, WireRequest& request) {
    request = Post("/api/v1/nodes", PostedNodeText(i));
  }));
  const std::string config = server->folder() / "extender.yaml";
  const std::string kubeconfig = server->folder() / "kubeconfig";
  const std::string log = server->folder() / "extender-log";
  BERTH_TRY_VOID(WriteFile(config, kConfig));
  BERTH_TRY_VOID(WriteFile(kubeconfig, client::KubeconfigText(server->AdminConfig())));
  BERTH_TRY(simulation::ChildProcess process,
            simulation::ChildProcess::Start(
                {.arguments = {flags.programs / "berth", "extender", "--config", config,
                               "--kubeconfig", kubeconfig, "--port", "0"},
                 .environment = {},
                 .log = log}));
  BERTH_TRY(const uint16_t port, AwaitPort(process, log, flags));
  const HttpConnection::Options extender{.port = port};
  std::cout << fmt::format("an extender asked about {} nodes, all of which fit\n", flags.nodes);
  const std::string names = Question(flags, false);
  const std::string whole = Question(flags, true);
  for (const char* const verb : {"filter", "prioritize"}) {
    BERTH_TRY_VOID(Ask(extender, "names", verb, names, flags.questions));
    BERTH_TRY_VOID(Ask(extender, "whole nodes", verb, whole, flags.whole_questions));
  }
  return {};
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  using namespace berth;  // NOLINT(google-build-using-namespace)
  bench::Flags flags{.programs = std::filesystem::path(argv[0]).parent_path()};
  const Reading reading = ReadFlags(
      {.name = "extender_load",
       .help = "Measures how long an extender takes to answer about many nodes.",
       .flags = {{.name = "--nodes", .target = &flags.nodes, .help = "Nodes of the cluster"},
                 {.name = "--questions",
                  .target = &flags.questions,
                  .help = "Questions with names, of each verb"},
                 {.name = "--whole-questions",
                  .target = &flags.whole_questions,
                  .help = "Questions with whole nodes, of each verb"}}},
      argc, argv);
  if (reading.exit_code) return *reading.exit_code;
  const Result<void> measured = bench::Measure(flags);
  if (measured) return 0;
  std::cerr << "extender_load: " << measured.error().message() << "\n";
  return 1;
}
