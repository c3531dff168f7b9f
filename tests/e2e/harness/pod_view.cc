// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/harness/pod_view.h"

#include <charconv>
#include <sstream>

namespace berth::e2e {
namespace {

using std::chrono::seconds;

// States of a socket. Source: linux include/net/tcp_states.h.
constexpr std::string_view kEstablished = "01";
constexpr std::string_view kListening = "0A";

// Example: "0100007F:1F90" is port 8080.
int PortOf(const std::string& address) {
  const size_t colon = address.rfind(':');
  int port = 0;
  std::from_chars(address.data() + colon + 1, address.data() + address.size(), port, 16);
  return port;
}

Json StateOf(const Json& pod, const std::string& container) {
  for (const Json& status : At(pod, "/status/ephemeralContainerStatuses")) {
    if (status.value("name", "") == container) return At(status, "/state");
  }
  return {};
}

// Returns an empty value until the kubelet has measured.
Usage UsageOf(RealCluster& cluster, const Json& pod, const std::string& container) {
  const std::string node =
      integration::ApiAccess::PathOf("node", TextAt(pod, "/spec/nodeName"), "");
  const auto answer = cluster.api().Send("GET", node + "/proxy/stats/summary");
  if (answer.code != 200) return {};
  for (const Json& measured : At(Json::parse(answer.body), "/pods")) {
    if (At(measured, "/podRef/uid") != At(pod, "/metadata/uid")) continue;
    for (const Json& part : measured.value("containers", Json::array())) {
      const Json memory = At(part, "/memory/workingSetBytes");
      const Json cpu = At(part, "/cpu/usageCoreNanoSeconds");
      if (part.value("name", "") != container || !memory.is_number() || !cpu.is_number()) continue;
      return {.when = Time::Parse(TextAt(part, "/cpu/time")).value(),
              .memory_bytes = memory.get<int64_t>(),
              .cpu_seconds = cpu.get<double>() / 1e9};
    }
  }
  return {};
}

}  // namespace

std::vector<Json> PodsOf(RealCluster& cluster, const std::string& ns, const std::string& selector) {
  std::vector<Json> pods;
  for (const Json& pod : cluster.List("pod", ns, selector)) {
    if (!pod["metadata"].contains("deletionTimestamp")) pods.push_back(pod);
  }
  return pods;
}

std::string LookInside(RealCluster& cluster, const std::string& ns, const std::string& pod,
                       const std::string& container, const std::string& script) {
  const Json before = At(cluster.Get("pod", pod, ns), "/spec/ephemeralContainers");
  const std::string name = "look-" + std::to_string(before.size());
  cluster.Kubectl({"debug", pod, "-n", ns, "--image=" + cluster.images().tools,
                   "--image-pull-policy=IfNotPresent", "--target=" + container, "-c", name,
                   "--profile=restricted", "--attach=false", "--", "/bin/busybox", "sh", "-c",
                   script});
  EXPECT_TRUE(Eventually(name + " in " + pod, seconds(20), [&]() -> std::string {
    const Json state = StateOf(cluster.Get("pod", pod, ns), name);
    return state.contains("terminated") ? "" : state.dump();
  }));
  return cluster.Kubectl({"logs", pod, "-n", ns, "-c", name}).out;
}

Connections ReadConnections(const std::string& proc_net_tcp) {
  struct Socket {
    int own, other;
  };
  Connections connections;
  std::vector<Socket> established;
  std::istringstream lines(proc_net_tcp);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, own, other, state;
    words >> number >> own >> other >> state;
    if (state == kListening) connections.listening.insert(PortOf(own));
    if (state == kEstablished) established.push_back({PortOf(own), PortOf(other)});
  }
  for (const Socket& socket : established) {
    if (!connections.listening.contains(socket.own)) connections.reached.insert(socket.other);
  }
  return connections;
}

Usage NextUsage(RealCluster& cluster, const Json& pod, const std::string& container) {
  const Time called{std::chrono::system_clock::now()};
  Usage usage;
  EXPECT_TRUE(Eventually("a measurement of " + container, seconds(40), [&]() -> std::string {
    usage = UsageOf(cluster, pod, container);
    return usage.when > called ? "" : "the last one is from " + usage.when.ToString();
  }));
  return usage;
}

}  // namespace berth::e2e
