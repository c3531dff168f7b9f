// SPDX-License-Identifier: Apache-2.0
// Decisions that depend on pods anywhere in the cluster: inter-pod affinity and topology spread.
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bench/cases.h"
#include "bench/decision_work.h"
#include "bench/fixtures.h"

namespace berth::bench {
namespace {

constexpr std::string_view kApp = "affine";

std::string Term(std::string_view app, std::string_view topology_key) {
  return fmt::format(R"({{"topologyKey":"{}","labelSelector":{{"matchLabels":{{"app":"{}"}}}}}})",
                     topology_key, app);
}

std::string Required(std::string_view side, std::string_view app, std::string_view topology_key) {
  return fmt::format(R"("{}":{{"requiredDuringSchedulingIgnoredDuringExecution":[{}]}})", side,
                     Term(app, topology_key));
}

std::string Preferred(std::string_view side, std::string_view app, std::string_view topology_key) {
  return fmt::format(R"("{}":{{"preferredDuringSchedulingIgnoredDuringExecution":[{{"weight":10,)"
                     R"("podAffinityTerm":{}}}]}})",
                     side, Term(app, topology_key));
}

std::string Spread(std::string_view topology_key, int max_skew) {
  return fmt::format(R"({{"topologyKey":"{}","maxSkew":{},"whenUnsatisfiable":"DoNotSchedule",)"
                     R"("labelSelector":{{"matchLabels":{{"app":"{}"}}}}}})",
                     topology_key, max_skew, kApp);
}

PodShape Affine(std::string constraints) {
  PodShape shape = PlainShape();
  shape.app = kApp;
  shape.constraints = std::move(constraints);
  return shape;
}

// Every `step`-th node has a pod of the app.
PlacedPods OnEvery(size_t step, const std::string& app, size_t nodes) {
  PodShape shape = PlainShape();
  shape.app = app;
  return {.count = nodes / step,
          .shape_of = [shape](size_t) { return shape; },
          .node_of = [step](size_t i) { return i * step; }};
}

// Doubles the pods of the cluster. The new pods have terms of their own: a few thousand apps with
// preferred anti-affinity to themselves by node.
PlacedPods WithTerms(size_t count, size_t nodes) {
  return {.count = count,
          .shape_of =
              [](size_t i) {
                constexpr size_t kApps = 3000;
                PodShape shape = PlainShape();
                shape.milli_cpu = 10;
                shape.memory_mib = 16;
                shape.app = fmt::format("shy-{}", i % kApps);
                shape.constraints = fmt::format(R"("affinity":{{{}}},)",
                                                Preferred("podAntiAffinity", shape.app, kHostname));
                return shape;
              },
          .node_of = [nodes](size_t i) { return i % nodes; }};
}

// A pod of an exclusive job: its anti-affinity selects the pods of all other jobs, as in JobSet's
// exclusive placement, but not the ordinary pods.
PodShape OfJob(size_t job) {
  PodShape shape = PlainShape();
  shape.milli_cpu = 10;
  shape.memory_mib = 16;
  shape.app = fmt::format("job-{}", job);
  shape.constraints = fmt::format(
      R"("affinity":{{"podAntiAffinity":{{"requiredDuringSchedulingIgnoredDuringExecution":[)"
      R"({{"topologyKey":"{}","namespaceSelector":{{}},"labelSelector":{{"matchExpressions":[)"
      R"({{"key":"app","operator":"Exists"}},{{"key":"app","operator":"NotIn","values":["{}","{}"]}}]}}}}]}}}},)",
      kHostname, shape.app, PlainShape().app);
  return shape;
}

// A decision about a pod of one more job, beside this many jobs with a pod each on half the nodes.
// Its costs may not grow with their number.
DecisionOptions BesideJobs(const Scale& scale, size_t jobs) {
  const size_t half = scale.nodes / 2;
  return {.nodes = scale.nodes,
          .pods_per_node = scale.pods_per_node,
          .shapes = {OfJob(jobs)},
          .round = scale.round,
          .placed = {{.count = jobs, .shape_of = OfJob, .node_of = [half](size_t i) {
                        return i % half;
                      }}}};
}

struct Named {
  std::string_view name;
  DecisionOptions options;
};

std::vector<Named> Kinds(const Scale& scale) {
  const auto kind = [&](const PodShape& shape, std::vector<PlacedPods> placed = {}) {
    return DecisionOptions{.nodes = scale.nodes,
                           .pods_per_node = scale.pods_per_node / 2,
                           .shapes = {shape},
                           .round = scale.round,
                           .placed = std::move(placed)};
  };
  const std::string app(kApp);
  // Two in five nodes have a pod of the app; every third node is in one zone.
  const PlacedPods own = {.count = scale.nodes * 2 / 5,
                          .shape_of = [](size_t) { return Affine(""); },
                          .node_of = [](size_t i) { return i * 5 / 2; }};
  const PlacedPods friends = OnEvery(3, "friend", scale.nodes);
  DecisionOptions owned = kind(Affine(""), {own});
  owned.owners = true;
  return {
      {"no_default_spreading", kind(Affine(""), {own})},
      {"default_spreading", owned},
      {"anti_affinity_by_host",
       kind(Affine("\"affinity\":{" + Required("podAntiAffinity", app, kHostname) + "},"), {own})},
      {"affinity_by_zone",
       kind(Affine("\"affinity\":{" + Required("podAffinity", "friend", kZone) + "},"), {friends})},
      {"preferences", kind(Affine("\"affinity\":{" + Preferred("podAffinity", "friend", kZone) +
                                  "," + Preferred("podAntiAffinity", app, kHostname) + "},"),
                           {own, friends})},
      {"hard_spreading", kind(Affine("\"topologySpreadConstraints\":[" + Spread(kZone, 1) + "," +
                                     Spread(kHostname, 5) + "],"),
                              {own})},
  };
}

}  // namespace

std::vector<Case> AffinityCases(const Scale& scale) {
  std::vector<Case> cases;
  const auto add = [&](std::string_view name, std::string_view suffix, DecisionOptions options) {
    cases.push_back(
        {fmt::format("affinity/{}{}/nodes:{}", name, suffix, options.nodes),
         [options = std::move(options)] { return std::make_unique<DecisionWork>(options); }});
  };
  for (const Named& each : Kinds(scale)) {
    add(each.name, "", each.options);
    DecisionOptions crowded = each.options;
    crowded.pods_per_node = scale.crowded_pods_per_node / 2;
    crowded.placed.push_back(WithTerms(scale.nodes * scale.crowded_pods_per_node / 2, scale.nodes));
    add(each.name, "_crowded", std::move(crowded));
  }
  for (const size_t jobs : {100, 1000, 5000}) {
    add("exclusive_jobs", fmt::format(":{}", jobs), BesideJobs(scale, jobs));
  }
  return cases;
}

}  // namespace berth::bench
