// SPDX-License-Identifier: Apache-2.0
// memory_use [NODES [PODS [terms]]]: measures the memory of a cluster in the core. Decodes nodes
// and placed pods from JSON into the cache and keeps nothing else; the texts are created and freed
// one page at a time. Prints the resident set before and after, and the bytes per object.
// scheduler_memory measures a whole process and its peak.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "bench/fixtures.h"
#include "bench/process_memory.h"
#include "scheduler/cache/cache.h"

namespace berth::bench {
namespace {

constexpr size_t kPage = 500;  // objects with a text in memory at the same time

void ReadNodes(scheduler::Cache& cache, size_t count) {
  for (size_t first = 0; first < count; first += kPage) {
    std::vector<std::string> page;
    for (size_t i = first; i < std::min(count, first + kPage); ++i) page.push_back(NodeText(i));
    for (const std::string& text : page) cache.AddNode(DecodeFixture<api::Node>(text));
  }
}

// Adds pods in list order, which differs from the order of their nodes.
void ReadPods(scheduler::Cache& cache, size_t count, size_t nodes, Terms terms) {
  for (size_t first = 0; first < count; first += kPage) {
    std::vector<std::string> page;
    for (size_t i = first; i < std::min(count, first + kPage); ++i) {
      page.push_back(PodText(i, TemplateShape(i, count, terms), NodeName(Mix(i) % nodes)));
    }
    for (const std::string& text : page) cache.AddPod(*DecodeFixture<api::Pod>(text));
  }
}

void Measure(size_t nodes, size_t pods, Terms terms) {
  scheduler::Vocabulary words;
  scheduler::Cache cache(words);
  const size_t empty = MemoryOf(getpid(), "VmRSS");
  ReadNodes(cache, nodes);
  const size_t with_nodes = MemoryOf(getpid(), "VmRSS");
  ReadPods(cache, pods, nodes, terms);
  const size_t with_pods = MemoryOf(getpid(), "VmRSS");
  BERTH_CHECK(cache.pod_count() == pods, "every pod is in the cache");
  std::cout << fmt::format("empty process        {:8.1f} MiB\n", Mebibytes(empty))
            << fmt::format("with {:6} nodes    {:8.1f} MiB, {:6} bytes a node\n", nodes,
                           Mebibytes(with_nodes), (with_nodes - empty) / nodes)
            << fmt::format("and {:7} pods     {:8.1f} MiB, {:6} bytes a pod\n", pods,
                           Mebibytes(with_pods), (with_pods - with_nodes) / pods);
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  const size_t nodes = argc > 1 ? std::stoul(argv[1]) : 5000;
  const size_t pods = argc > 2 ? std::stoul(argv[2]) : 150000;
  const bool has_terms = argc == 4 && std::string_view(argv[3]) == "terms";
  if (nodes == 0 || pods == 0 || argc > (has_terms ? 4 : 3)) {
    std::cerr << "usage: memory_use [NODES [PODS [terms]]], both from 1 on; with terms of affinity "
                 "in half of the pods\n";
    return 1;
  }
  using berth::bench::Terms;
  berth::bench::Measure(nodes, pods, has_terms ? Terms::kOfHalf : Terms::kNone);
  return 0;
}
