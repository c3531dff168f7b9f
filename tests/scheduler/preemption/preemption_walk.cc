// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/preemption/preemption_walk.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/check.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/preemption/preemption_world.h"
#include "tests/scheduler/testing/random.h"

namespace berth::scheduler::testing {
namespace {

using Names = std::vector<std::string>;

// Scene is a cluster as plain objects, from which other clusters are built.
struct Scene {
  std::vector<NodeBuilder> nodes;
  std::vector<PodBuilder> pods;       // on nodes
  std::vector<PodBuilder> nominated;  // to nodes
  std::vector<api::PodDisruptionBudget> budgets;
  PodBuilder incoming = MakePod("incoming");
};

class SceneMaker {
 public:
  explicit SceneMaker(uint64_t seed) : random_(seed) {}

  Scene Make() {
    Scene scene;
    const size_t nodes = 1 + random_.Below(5);
    for (size_t i = 0; i < nodes; ++i) AddNode("n" + std::to_string(i), scene);
    for (size_t i = random_.Below(3); i > 0; --i) {
      scene.nominated.push_back(
          Plain("rival" + std::to_string(i)).Nominated("n" + std::to_string(random_.Below(nodes))));
    }
    for (size_t i = 0, budgets = random_.Below(4); i < budgets; ++i) {  // in order of the names
      scene.budgets.push_back(MakeBudget("b" + std::to_string(i), App(),
                                         static_cast<int32_t>(random_.Below(3)),
                                         {"p" + std::to_string(random_.Below(12))}));
    }
    scene.incoming = Pod("incoming").Priority(random_.Pick({5, 10, 10, 10}));
    return scene;
  }

 private:
  std::string App() { return random_.Pick({"x", "y", "z"}); }

  PodBuilder Plain(const std::string& name) {
    PodBuilder pod = MakePod(name);
    pod.Priority(random_.Pick({-3, 0, 0, 4, 7, 10}));
    pod.Requests("cpu=" + std::to_string(1 + random_.Below(3)));
    if (!random_.OneIn(5)) pod.Label("app", App());
    if (random_.OneIn(8)) pod.HostPort(80);
    return pod;
  }

  // Returns a pod with any data that filters read of other pods. Omits cases in which upstream's
  // result differs from that of a rebuilt cluster: terms of nominated pods, terminating pods, and a
  // host port that two pods of a node use.
  PodBuilder Pod(const std::string& name) {
    PodBuilder pod = Plain(name);
    const std::string topology = random_.Pick({"host", "zone"});
    if (random_.OneIn(8)) pod.AntiAffinity(PodsWith("app", App(), topology));
    if (random_.OneIn(10)) pod.Affinity(PodsWith("app", App(), topology));
    if (random_.OneIn(10)) {
      pod.Spread(SpreadBy(topology, 1 + static_cast<int32_t>(random_.Below(2)), "DoNotSchedule",
                          "app", App()));
    }
    return pod;
  }

  void AddNode(const std::string& name, Scene& scene) {
    NodeBuilder node = MakeNode(name);
    node.Allocatable("cpu=" + std::to_string(4 + random_.Below(4))).Label("host", name);
    node.Label("zone", random_.Pick({"a", "b"}));
    if (random_.OneIn(8)) node.Taint("gone");
    scene.nodes.push_back(node);
    bool port_taken = false;
    for (size_t i = random_.Below(6); i > 0; --i) {
      PodBuilder pod = Pod("p" + std::to_string(scene.pods.size())).OnNode(name);
      const bool has_port = !HostPortsOf(pod.raw()).empty();
      if (has_port && std::exchange(port_taken, true)) continue;
      // The start times are unique, so that the order of pods is unique.
      Started(pod, static_cast<int64_t>(random_.Below(1000) * 64 + scene.pods.size()));
      scene.pods.push_back(pod);
    }
  }

  Random random_;
};

// Reference follows kube-scheduler's rules on a cluster that is rebuilt for each question.
class Reference {
 public:
  Reference(const Scene& scene, bool respect) : scene_(scene), respect_(respect) {}

  struct Choice {
    Names victims;  // most important first
    int violations = 0;
  };

  // Returns the victims on a node, or nullopt if it is not a candidate.
  std::optional<Choice> On(const std::string& node) const {
    std::vector<const api::Pod*> lower;
    std::set<std::string> gone;
    for (const PodBuilder& pod : scene_.pods) {
      const auto object = ObjectOf(pod);
      if (object->spec.node_name != node || PriorityOf(*object) >= Priority()) continue;
      lower.push_back(object);
      gone.insert(object->metadata.name);
    }
    if (lower.empty() || !Fits(node, gone)) return std::nullopt;
    std::sort(lower.begin(), lower.end(), IsMoreImportantObject);
    const std::set<std::string> violating = ViolatingAmong(lower);
    Choice choice;
    std::vector<const api::Pod*> victims;
    for (const bool first : {true, false}) {
      for (const api::Pod* pod : lower) {
        if (violating.contains(pod->metadata.name) != first) continue;
        gone.erase(pod->metadata.name);
        if (Fits(node, gone)) continue;
        gone.insert(pod->metadata.name);
        victims.push_back(pod);
        choice.violations += first ? 1 : 0;
      }
    }
    if (victims.empty()) return std::nullopt;
    std::sort(victims.begin(), victims.end(), IsMoreImportantObject);
    for (const api::Pod* pod : victims) choice.victims.push_back(pod->metadata.name);
    if (!respect_) return choice;
    choice.violations = 0;
    if (!ViolatingAmong(victims).empty()) return std::nullopt;
    return choice;
  }

  // Returns the nodes of the best candidates: each rule keeps those with the lowest value.
  std::set<std::string> Best(const std::map<std::string, Choice>& candidates) const {
    std::set<std::string> left;
    for (const auto& [node, choice] : candidates) left.insert(node);
    const auto keep_lowest = [&](const auto& figure) {
      int64_t lowest = std::numeric_limits<int64_t>::max();
      for (const std::string& node : left) lowest = std::min(lowest, figure(candidates.at(node)));
      std::erase_if(left, [&](const auto& node) { return figure(candidates.at(node)) > lowest; });
    };
    keep_lowest([](const Choice& choice) { return int64_t{choice.violations}; });
    keep_lowest([this](const Choice& choice) { return PriorityOf(Find(choice.victims.front())); });
    keep_lowest([this](const Choice& choice) {
      int64_t sum = 0;
      for (const auto& name : choice.victims) sum += PriorityOf(Find(name)) + (int64_t{1} << 31);
      return sum;
    });
    keep_lowest([](const Choice& choice) { return static_cast<int64_t>(choice.victims.size()); });
    keep_lowest([this](const Choice& choice) {
      const int64_t highest = PriorityOf(Find(choice.victims.front()));
      int64_t earliest = std::numeric_limits<int64_t>::max();
      for (const std::string& name : choice.victims) {
        if (PriorityOf(Find(name)) == highest) earliest = std::min(earliest, StartOf(Find(name)));
      }
      return -earliest;
    });
    return left;
  }

  // Reports whether a budget allows fewer disruptions than these victims.
  bool ViolatedBy(const Names& victims) const {
    return std::ranges::any_of(scene_.budgets, [&](const api::PodDisruptionBudget& budget) {
      const auto count = std::ranges::count_if(
          victims, [&](const std::string& name) { return Counts(budget, Find(name)); });
      return count > budget.status.disruptions_allowed;
    });
  }

 private:
  static const api::Pod* ObjectOf(const PodBuilder& pod) {
    return &const_cast<PodBuilder&>(pod).raw();
  }
  static int64_t PriorityOf(const api::Pod& pod) { return pod.spec.priority.value_or(0); }
  static int64_t StartOf(const api::Pod& pod) {
    return pod.status.start_time.point().time_since_epoch().count();
  }
  int64_t Priority() const { return PriorityOf(*ObjectOf(scene_.incoming)); }

  static bool IsMoreImportantObject(const api::Pod* a, const api::Pod* b) {
    if (PriorityOf(*a) != PriorityOf(*b)) return PriorityOf(*a) > PriorityOf(*b);
    return StartOf(*a) < StartOf(*b);
  }

  const api::Pod& Find(const std::string& name) const {
    const auto found = std::ranges::find_if(
        scene_.pods, [&](const PodBuilder& pod) { return ObjectOf(pod)->metadata.name == name; });
    BERTH_CHECK(found != scene_.pods.end(), "no pod " + name);
    return *ObjectOf(*found);
  }

  static bool Counts(const api::PodDisruptionBudget& budget, const api::Pod& pod) {
    const auto app = pod.metadata.labels.find("app");
    return app != pod.metadata.labels.end() &&
           app->second == budget.spec.selector->match_labels.at("app") &&
           !budget.status.disrupted_pods.contains(pod.metadata.name);
  }

  std::set<std::string> ViolatingAmong(const std::vector<const api::Pod*>& pods) const {
    std::vector<int32_t> left;
    for (const auto& budget : scene_.budgets) left.push_back(budget.status.disruptions_allowed);
    std::set<std::string> violating;
    for (const api::Pod* pod : pods) {
      for (size_t i = 0; i < left.size(); ++i) {
        if (!Counts(scene_.budgets[i], *pod) || --left[i] >= 0) continue;
        violating.insert(pod->metadata.name);
        break;
      }
    }
    return violating;
  }

  // Reports whether the pod fits in a cluster without some pods, both with and without the pods
  // nominated to the node.
  bool Fits(const std::string& node, const std::set<std::string>& gone) const {
    return FitsWith(node, gone, true) && FitsWith(node, gone, false);
  }

  bool FitsWith(const std::string& node, const std::set<std::string>& gone, bool rivals) const {
    TestCluster cluster;
    for (const NodeBuilder& each : scene_.nodes) cluster.Add(each);
    for (const PodBuilder& pod : scene_.pods) {
      if (!gone.contains(ObjectOf(pod)->metadata.name)) cluster.Add(pod);
    }
    for (PodBuilder rival : scene_.nominated) {
      const bool counts = ObjectOf(rival)->status.nominated_node_name == node &&
                          PriorityOf(rival.raw()) >= Priority();
      if (rivals && counts) cluster.Add(rival.OnNode(node));
    }
    const auto profile = Profile::Create({}, 0, MakeRegistry(), cluster.handle()).value();
    Cycle cycle(cluster, scene_.incoming);
    const auto pre_filter = profile->RunPreFilter(cycle.context(), nullptr);
    return pre_filter.status.ok() &&
           profile->RunFilter(cycle.context(), pre_filter.skipped, cluster.View(node), nullptr)
               .verdict.fits();
  }

  const Scene& scene_;
  const bool respect_;
};

Names NamesOf(const Candidate& candidate) {
  Names names;
  for (const auto& victim : candidate.victims) names.push_back(victim->name());
  return names;
}

std::string Text(const std::optional<Reference::Choice>& choice) {
  if (!choice) return "no candidate";
  std::string text = std::to_string(choice->violations) + " violations:";
  for (const std::string& name : choice->victims) text += " " + name;
  return text;
}

// Compares one attempt with the reference.
std::optional<std::string> Check(const Scene& scene, bool respect, PreemptionWalk& walk) {
  PreemptionWorld world(respect ? R"({"pdb":"Respect"})" : "");
  for (const NodeBuilder& node : scene.nodes) world.cluster().Add(node);
  for (const PodBuilder& pod : scene.pods) world.cluster().Add(pod);
  for (const auto& budget : scene.budgets) world.Put(budget);
  for (PodBuilder pod : scene.nominated) {
    world.nominator().Nominate(pod.Info(world.cluster().words()),
                               pod.raw().status.nominated_node_name);
  }
  const Outcome& outcome = world.Try(scene.incoming);
  if (outcome.kind != Outcome::Kind::kUnschedulable) return std::nullopt;
  ++walk.attempts;

  const Reference reference(scene, respect);
  std::map<std::string, Reference::Choice> found;
  for (const Candidate& candidate : world.result().preemption->candidates) {
    found[candidate.node.name()] = {NamesOf(candidate), candidate.violations};
  }
  std::map<std::string, Reference::Choice> expected;
  for (const NodeBuilder& each : scene.nodes) {
    const std::string name = each.Build()->metadata.name;
    const Slot slot = world.cluster().SlotOf(name);
    if (outcome.verdicts.CodeOf(slot) != Code::kUnschedulable) continue;
    const auto wanted = reference.On(name);
    if (wanted) expected[name] = *wanted;
    const auto ours = found.find(name);
    const std::string got = Text(ours == found.end() ? std::nullopt : std::optional(ours->second));
    if (got == Text(wanted)) continue;
    return name + ": expected " + Text(wanted) + ", found " + got + "; " + FitErrorText(outcome);
  }
  const std::string& node = world.result().nominated_node;
  if (expected.empty()) {
    return node.empty() ? std::nullopt : std::optional("no victims expected on " + node);
  }
  ++walk.preemptions;
  const std::set<std::string> best = reference.Best(expected);
  if (best.size() == 1) ++walk.unique;
  if (!best.contains(node)) return "expected " + *best.begin() + ", found " + node;
  if (respect && reference.ViolatedBy(expected.at(node).victims)) {
    return "a budget is violated on " + node;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> WalkPreemptions(uint64_t seed, uint64_t runs, PreemptionWalk& walk) {
  for (uint64_t run = 0; run < runs; ++run) {
    const Scene scene = SceneMaker(seed + run).Make();
    if (auto difference = Check(scene, run % 2 == 1, walk)) {
      return "run " + std::to_string(run) + ": " + *difference;
    }
  }
  return std::nullopt;
}

}  // namespace berth::scheduler::testing
