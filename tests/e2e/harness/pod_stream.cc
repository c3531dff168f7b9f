// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/harness/pod_stream.h"

#include <algorithm>
#include <set>
#include <utility>

namespace berth::e2e {

Json PausePod(const std::string& ns, const std::string& name, const std::string& scheduler,
              const Json& spec) {
  const Json container = {{"name", "pause"},
                          {"image", "registry.k8s.io/pause:3.10"},
                          {"resources", {{"requests", {{"cpu", "1m"}, {"memory", "1Mi"}}}}}};
  Json pod = {{"apiVersion", "v1"},
              {"kind", "Pod"},
              {"metadata", {{"name", name}, {"namespace", ns}}},
              {"spec",
               {{"schedulerName", scheduler},
                {"terminationGracePeriodSeconds", 0},
                {"automountServiceAccountToken", false},
                {"containers", Json::array({container})}}}};
  pod["spec"].update(spec);
  return pod;
}

PodStream::PodStream(RealCluster& cluster, std::string ns, std::string scheduler,
                     std::chrono::milliseconds pause, Json spec)
    : cluster_(cluster),
      ns_(std::move(ns)),
      scheduler_(std::move(scheduler)),
      pause_(pause),
      spec_(std::move(spec)),
      thread_([this](const std::stop_token& stop) { Make(stop); }) {}

void PodStream::Make(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const std::string name = scheduler_ + "-" + std::to_string(names_.size() + rejections_.size());
    const auto answer = cluster_.api().Send("POST", integration::ApiAccess::PathOf("pod", "", ns_),
                                            PausePod(ns_, name, scheduler_, spec_));
    (answer.code == 201 ? names_ : rejections_).push_back(answer.code == 201 ? name : answer.body);
    std::this_thread::sleep_for(pause_);
  }
}

void PodStream::Stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

std::vector<Placement> PlacementsIn(RealCluster& cluster, const std::string& ns) {
  std::vector<Placement> placements;
  for (const Json& event : cluster.List("event", ns)) {
    if (event.value("reason", "") != "Scheduled") continue;
    placements.push_back({.pod = TextAt(event, "/regarding/name"),
                          .by = TextAt(event, "/reportingInstance"),
                          .when = TextAt(event, "/eventTime")});
  }
  std::ranges::sort(placements, {}, &Placement::when);
  return placements;
}

testing::AssertionResult NeverTwoAtOnce(const std::vector<Placement>& placements) {
  std::set<std::string> pods, done;
  std::string current;
  for (const Placement& placement : placements) {
    if (!pods.insert(placement.pod).second) {
      return testing::AssertionFailure() << placement.pod << " was placed twice";
    }
    if (placement.by == current) continue;
    done.insert(current);
    current = placement.by;
    if (done.contains(current)) {
      return testing::AssertionFailure() << current << " places " << placement.pod << " at "
                                         << placement.when << ", after another one had started";
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace berth::e2e
