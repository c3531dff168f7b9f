// SPDX-License-Identifier: Apache-2.0
// extender_load: response time of `berth extender` for many nodes. The extender is a separate
// process that follows a cluster of `berth-sandbox apiserver`. One plugin filters, one scores, and
// every node fits. Requests are sequential, like those of a scheduler.
#include <charconv>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/flags.h"
#include "bench/fixtures.h"
#include "bench/object_text.h"
#include "bench/wire/berth_process.h"
#include "bench/wire/load.h"
#include "bench/wire/server_process.h"

namespace berth::bench {
namespace {

constexpr size_t kConnections = 16;
constexpr std::chrono::minutes kSyncLimit{2};

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

// Reads the port from the line that the extender logs when it listens.
Result<uint16_t> PortOf(const std::string& line) {
  constexpr std::string_view kUrl = "url=\"http://127.0.0.1:";
  uint16_t port = 0;
  const size_t at = line.find(kUrl);
  if (at != line.npos) {
    std::from_chars(line.data() + at + kUrl.size(), line.data() + line.size(), port);
  }
  if (port == 0) return Fail(Reason::kUnknown, "no port in " + line);
  return port;
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
  BERTH_TRY(BerthProcess process, BerthProcess::Start(*server, flags.programs / "berth", "extender",
                                                      kConfig, {"--port", "0"}));
  BERTH_TRY(const std::string serving, process.AwaitLine("\"Serving\"", kSyncLimit));
  BERTH_TRY(const uint16_t port, PortOf(serving));
  BERTH_TRY(const std::string synced, process.AwaitLine("\"Synced pods and nodes\"", kSyncLimit));
  if (synced.find(fmt::format("nodes={} ", flags.nodes)) == synced.npos) {
    return Fail(Reason::kUnknown, "the extender synced another number of nodes: " + synced);
  }
  const HttpConnection::Options extender{.port = port};
  std::cout << fmt::format("an extender with {} nodes, all of which fit\n", flags.nodes);
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
       .help = "Measures the response time of an extender for many nodes.",
       .flags = {{.name = "--nodes", .target = &flags.nodes, .help = "Nodes of the cluster"},
                 {.name = "--questions",
                  .target = &flags.questions,
                  .help = "Requests with node names, of each verb"},
                 {.name = "--whole-questions",
                  .target = &flags.whole_questions,
                  .help = "Requests with whole nodes, of each verb"}}},
      argc, argv);
  if (reading.exit_code) return *reading.exit_code;
  const Result<void> measured = bench::Measure(flags);
  if (measured) return 0;
  std::cerr << "extender_load: " << measured.error().message() << "\n";
  return 1;
}
