// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/cache/count_walk.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include "scenario/self_check.h"
#include "scheduler/cache/cache.h"
#include "tests/scheduler/testing/builders.h"
#include "tests/scheduler/testing/random.h"

namespace berth::scheduler::testing {
namespace {

// OnSsd is the subset of nodes with label disk=ssd and without taints.
class OnSsd final : public NodeSubset {
 public:
  bool Includes(const api::Node& node) const override {
    const auto disk = node.metadata.labels.find("disk");
    return disk != node.metadata.labels.end() && disk->second == "ssd" && node.spec.taints.empty();
  }
};

const std::initializer_list<const char*> kNamespaces = {"default", "shop", "bank"};
const std::initializer_list<const char*> kTopologyKeys = {"host", "zone", "zone",
                                                          "rack", "gpu",  "none"};

class CountWalk {
 public:
  explicit CountWalk(const CountWalkOptions& options)
      : options_(options), random_(options.seed), cache_(words_, options.count_bytes) {}

  std::optional<std::string> Run() {
    for (size_t step = 0; step < options_.steps && difference_.empty(); ++step) {
      Change();
      if (random_.OneIn(3)) cache_.BeginCycle();
      for (size_t i = random_.Below(3); i > 0; --i) Ask();
      if (random_.OneIn(200)) CompareWithStore();
      if (!difference_.empty()) difference_ = "step " + std::to_string(step) + ": " + difference_;
    }
    if (difference_.empty()) return std::nullopt;
    return difference_;
  }

 private:
  // State of a placed pod, for the full scan.
  struct Placed {
    std::shared_ptr<const api::Pod> object;  // as in the store: without a node while assumed
    std::shared_ptr<const PodInfo> info;
    std::string node;
    bool assumed = false;
  };
  // Key of a term count: kind, weight, topology key, and value of the domain.
  using TermPlace = std::tuple<TermKind, int32_t, std::string, std::string>;

  // ---- changes

  void Change() {
    switch (random_.Below(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        return AddPod();
      case 5:
      case 6:
        return UpdatePod();
      case 7:
      case 8:
        return RemovePod();
      case 9:
        return AssumePod();
      case 10:
        return EndAssumed();
      case 11:
      case 12:
      case 13:
        return PutNode();
      case 14:
        return RemoveNode();
      default:
        return ChangeNamespace();
    }
  }

  std::string NodeName() { return "n" + std::to_string(random_.Below(options_.nodes)); }

  api::Pod RandomPod(const std::string& name) {
    PodBuilder pod = MakePod(name).Namespace(random_.Pick(kNamespaces));
    if (!random_.OneIn(8)) pod.Label("app", random_.Pick({"web", "db", "cache"}));
    if (random_.OneIn(2)) pod.Label("tier", random_.Pick({"front", "back", ""}));
    if (random_.OneIn(6)) pod.Label("pod-name", name);
    if (random_.OneIn(10)) pod.Terminating();
    if (random_.OneIn(3)) pod.raw().spec.affinity.Edit().pod_affinity = RandomAffinity();
    if (random_.OneIn(3)) pod.raw().spec.affinity.Edit().pod_anti_affinity = RandomAffinity();
    return pod.raw();
  }

  api::PodAffinity RandomAffinity() {
    api::PodAffinity affinity;
    for (size_t i = random_.Below(3); i > 0; --i) affinity.required.push_back(RandomTerm());
    for (size_t i = random_.Below(3); i > 0; --i) {
      affinity.preferred.push_back({static_cast<int32_t>(random_.Pick({1, 1, 50})), RandomTerm()});
    }
    return affinity;
  }

  api::PodAffinityTerm RandomTerm() {
    api::PodAffinityTerm term;
    term.topology_key = random_.Pick(kTopologyKeys);
    if (!random_.OneIn(12)) term.label_selector = RandomSelector("app", {"web", "db", "cache"});
    if (random_.OneIn(4)) term.namespace_selector = RandomSelector("team", {"a", "b", "c"});
    while (random_.OneIn(3)) term.namespaces.emplace_back(random_.Pick(kNamespaces));
    return term;
  }

  api::LabelSelector RandomSelector(const std::string& key,
                                    std::initializer_list<const char*> values) {
    api::LabelSelector selector;
    if (random_.OneIn(2)) selector.match_labels[key] = random_.Pick(values);
    if (random_.OneIn(5)) selector.match_labels["tier"] = random_.Pick({"front", "back", ""});
    if (random_.OneIn(4)) {
      selector.match_expressions.push_back(
          {key, "In", {random_.Pick(values), random_.Pick(values)}});
    }
    while (random_.OneIn(3)) {
      selector.match_expressions.push_back({random_.Pick({key.c_str(), "tier"}),
                                            "NotIn",
                                            {random_.Pick(values), random_.Pick(values)}});
    }
    if (random_.OneIn(6)) {
      selector.match_expressions.push_back({"tier", random_.Pick({"Exists", "DoesNotExist"}), {}});
    }
    if (random_.OneIn(30))
      selector.match_expressions.push_back({key, "Beside", {}});  // invalid operator
    return selector;
  }

  void AddPod() {
    if (pods_.size() >= 12 * options_.nodes) return RemovePod();
    api::Pod pod = RandomPod("p" + std::to_string(++last_pod_));
    pod.spec.node_name = NodeName();
    Put(std::move(pod), /*is_new=*/true);
  }

  void Put(api::Pod pod, bool is_new) {
    pod.metadata.resource_version = std::to_string(++last_version_);
    const auto object = std::make_shared<const api::Pod>(std::move(pod));
    const auto info = is_new ? cache_.AddPod(*object) : cache_.UpdatePod(*object);
    pods_[info->uid()] = {object, info, object->spec.node_name, false};
  }

  // Changes an existing pod: marks it terminating, changes a label or the node, or replaces labels
  // and terms.
  void UpdatePod() {
    Placed* old_pod = AnyPod(false);
    if (old_pod == nullptr) return;
    api::Pod pod = *old_pod->object;
    switch (random_.Below(4)) {
      case 0:
        pod.metadata.deletion_timestamp = Time::FromUnixSeconds(1);
        break;
      case 1:
        pod.metadata.labels["app"] = random_.Pick({"web", "db"});
        break;
      case 2:
        pod.spec.node_name = NodeName();
        break;
      default:
        pod.metadata.labels = RandomPod(pod.metadata.name).metadata.labels;
        pod.spec.affinity = RandomPod(pod.metadata.name).spec.affinity;
    }
    Put(std::move(pod), false);
  }

  void RemovePod() {
    const Placed* pod = AnyPod(random_.OneIn(4));
    if (pod == nullptr) return;
    const std::string uid = pod->info->uid();
    cache_.RemovePod(uid);
    pods_.erase(uid);
  }

  void AssumePod() {
    auto object = std::make_shared<const api::Pod>(RandomPod("p" + std::to_string(++last_pod_)));
    const std::string node = NodeName();
    auto bound = PendingPod::Create(object, words_)->AssumedOn(words_.Intern(node));
    if (!cache_.Assume(bound)) difference_ = "a pod could not be assumed";
    pods_[bound->uid()] = {object, bound, node, true};
  }

  // Ends a binding: it fails, or the API server shows the pod on its node or on another one.
  void EndAssumed() {
    const Placed* pod = AnyPod(true);
    if (pod == nullptr) return;
    if (random_.OneIn(3)) {
      const std::string uid = pod->info->uid();
      if (!cache_.Forget(uid)) difference_ = "a pod could not be forgotten";
      pods_.erase(uid);
      return;
    }
    api::Pod bound = *pod->object;
    bound.spec.node_name = random_.OneIn(5) ? NodeName() : pod->node;
    Put(std::move(bound), true);
  }

  Placed* AnyPod(bool assumed) {
    std::vector<Placed*> some;
    for (auto& [uid, pod] : pods_) {
      if (pod.assumed == assumed) some.push_back(&pod);
    }
    return some.empty() ? nullptr : random_.Pick(some);
  }

  // Adds a node, changes the labels of one, or replaces it by a machine with the same name.
  void PutNode() {
    const std::string name = NodeName();
    NodeBuilder node = MakeNode(name).Allocatable("cpu=4");
    if (random_.OneIn(10)) node.Uid("uid-" + std::to_string(++last_version_));
    if (!random_.OneIn(10)) node.Label("host", name);
    if (!random_.OneIn(6)) node.Label("zone", random_.Pick({"a", "b", "c", ""}));
    if (random_.OneIn(3)) node.Label("rack", std::to_string(random_.Below(5)));
    if (random_.OneIn(30)) node.Label("gpu", random_.Pick({"a", "b"}));
    if (random_.OneIn(2)) node.Label("disk", random_.Pick({"ssd", "ssd", "hdd"}));
    if (random_.OneIn(5)) node.Taint("dedicated");
    node.raw().metadata.resource_version = std::to_string(++last_version_);
    nodes_[name] = node.Build();
    cache_.UpdateNode(nodes_[name]);
  }

  void RemoveNode() {
    const std::string name = NodeName();
    if (nodes_.erase(name) > 0) cache_.RemoveNode(name);
  }

  void ChangeNamespace() {
    const std::string name = random_.Pick(kNamespaces);
    if (random_.OneIn(3)) {
      if (namespaces_.erase(name) > 0) cache_.Remove(ObjectKind::kNamespace, "uid-" + name);
      return;
    }
    if (random_.OneIn(9)) {
      namespaces_.clear();
      return cache_.Clear(ObjectKind::kNamespace);
    }
    api::StringMap labels;
    if (!random_.OneIn(4)) labels["team"] = random_.Pick({"a", "b", "c"});
    namespaces_[name] = LabelSet(labels, words_);
    cache_.Put(MakeNamespace(name, labels));
  }

  // ---- queries

  void Ask() {
    switch (random_.Below(3)) {
      case 0:
        return AskBySlot(RandomQuery());
      case 1:
        return AskByDomain(RandomQuery(), random_.Pick(kTopologyKeys), random_.OneIn(2));
      default:
        return AskTerms(RandomPod("asking"));
    }
  }

  // Draws from few queries, so that most are repeated.
  PodQuery RandomQuery() {
    PodQuery query{.all_of = {}, .with_terminating = random_.OneIn(2)};
    for (size_t i = random_.Pick({0, 1, 1, 1, 1, 1, 2}); i > 0; --i) {
      const auto selector = SelectorOf(RandomTerm(), random_.Pick(kNamespaces));
      if (selector) query.all_of.push_back(*selector);
    }
    return query;
  }

  const LabelSet& LabelsOf(const std::string& name) const {
    static const LabelSet kNone;
    const auto found = namespaces_.find(name);
    return found == namespaces_.end() ? kNone : found->second;
  }

  std::map<std::string, uint32_t> CountByNode(const PodQuery& query) const {
    std::map<std::string, uint32_t> by_node;
    for (const auto& [uid, pod] : pods_) {
      const PodInfo& info = *pod.info;
      if (info.terminating() && !query.with_terminating) continue;
      const bool counts =
          std::ranges::all_of(query.all_of, [this, &info](const PodSelector& selector) {
            return selector.Matches(info, LabelsOf(info.namespace_()));
          });
      if (counts) ++by_node[pod.node];
    }
    return by_node;
  }

  void Expect(bool holds, const std::string& what) {
    if (!holds && difference_.empty()) difference_ = what;
  }

  void AskBySlot(const PodQuery& query) {
    const auto by_slot = cache_.Pods().BySlot(query);
    auto expected = CountByNode(query);
    for (const auto& [name, node] : nodes_) {
      const uint32_t found = by_slot[cache_.Find(name)];
      Expect(found == expected[name], "node " + name + " counts " + std::to_string(found) +
                                          " pods instead of " + std::to_string(expected[name]));
    }
  }

  void AskByDomain(const PodQuery& query, const std::string& key, bool on_ssd) {
    const FindSubset ssd = [] {
      return SubsetQuery{.key = "ssd", .make = [] { return std::make_unique<const OnSsd>(); }};
    };
    const DomainCounts& counts = cache_.Pods().ByDomain(query, key, on_ssd ? ssd : nullptr);
    const TopologyDomains& topology = counts.topology();
    Expect(&topology == &cache_.Pods().Domains(key),
           "the domains do not belong to the topology key");
    const bool may_be_empty = topology.nodes() == 0 && counts.Pods().empty();
    const size_t bound = may_be_empty ? 0 : topology.bound();
    Expect(counts.Pods().size() == bound && counts.Nodes().size() == bound,
           "the number of counts differs from the number of domains");

    struct Sum {
      uint32_t pods = 0, nodes = 0;
    };
    std::map<Domain, Sum> expected;
    std::map<std::string, std::set<Domain>> of_value;
    auto by_node = CountByNode(query);
    for (const auto& [name, node] : nodes_) {
      const Domain domain = topology.OfSlots()[cache_.Find(name)];
      const auto value = node->metadata.labels.find(key);
      Expect((domain == kNoDomain) == (value == node->metadata.labels.end()),
             "node " + name + " has the label but no domain, or vice versa");
      if (domain == kNoDomain) continue;
      of_value[value->second].insert(domain);
      if (on_ssd && !OnSsd().Includes(*node)) continue;
      expected[domain].pods += by_node[name];
      ++expected[domain].nodes;
    }
    std::set<Domain> seen;
    for (const auto& [value, domains] : of_value) {
      Expect(domains.size() == 1 && seen.insert(*domains.begin()).second,
             "values and domains of " + key + " are not one to one");
    }
    ExpectSums(counts, expected);
  }

  template <class Expected>
  void ExpectSums(const DomainCounts& counts, const Expected& expected) {
    uint64_t total = 0;
    for (Domain domain = 0; domain < counts.Pods().size(); ++domain) {
      const auto found = expected.find(domain);
      const uint32_t pods = found == expected.end() ? 0 : found->second.pods;
      const uint32_t nodes = found == expected.end() ? 0 : found->second.nodes;
      Expect(counts.Pods()[domain] == pods, "the pods of a domain are wrong");
      Expect(counts.Nodes()[domain] == nodes, "the nodes of a domain are wrong");
      total += pods;
    }
    Expect(counts.total() == total, "the total is wrong");
    Expect(counts.domains() == expected.size(), "the number of domains is wrong");
    const auto lowest_but = [&](Domain left_out) {
      std::optional<uint32_t> lowest;
      for (const auto& [domain, sum] : expected) {
        if (domain != left_out) lowest = std::min(lowest.value_or(sum.pods), sum.pods);
      }
      return lowest.value_or(0);
    };
    Expect(counts.lowest() == lowest_but(kNoDomain), "the lowest sum is wrong");
    for (Domain domain = 0; domain < counts.Pods().size(); ++domain) {
      Expect(counts.LowestWithout(domain) == lowest_but(domain),
             "the lowest sum without a domain is wrong");
    }
  }

  void AskTerms(const api::Pod& object) {
    const auto pod = PendingPod::Create(std::make_shared<const api::Pod>(object), words_);
    std::map<TermPlace, uint32_t> found;
    for (const PlacedTerm& term : cache_.Pods().TermsMatching(*pod)) {
      const std::string& key = term.topology->key();
      for (const auto& [domain, count] : term.counts->Entries()) {
        Expect(term.counts->At(domain) == count, "a term has two counts for one domain");
      }
      term.VisitDomains([&](Domain domain, uint32_t pods) {
        found[{term.kind, term.weight, key, ValueOf(*term.topology, domain)}] += pods;
      });
    }
    std::map<TermPlace, uint32_t> expected;
    for (const auto& [uid, placed] : pods_) CountTerms(placed, *pod, expected);
    Expect(found == expected, "the terms that match a pod are wrong");
  }

  std::string ValueOf(const TopologyDomains& topology, Domain domain) {
    for (const auto& [name, node] : nodes_) {
      if (topology.OfSlots()[cache_.Find(name)] != domain) continue;
      return node->metadata.labels.at(topology.key());
    }
    Expect(false, "a term has a count in a domain without nodes");
    return {};
  }

  // Counts like kube-scheduler's PodInfo.Update and the plugin's counters.
  void CountTerms(const Placed& placed, const PodInfo& about,
                  std::map<TermPlace, uint32_t>& out) const {
    const auto node = nodes_.find(placed.node);
    if (node == nodes_.end()) return;
    const auto count = [&](TermKind kind, const std::vector<api::PodAffinityTerm>& terms,
                           const std::vector<int32_t>& weights) {
      std::vector<TermPlace> places;
      for (size_t i = 0; i < terms.size(); ++i) {
        const auto selector = SelectorOf(terms[i], placed.info->namespace_());
        if (!selector) return;
        const auto value = node->second->metadata.labels.find(terms[i].topology_key);
        if (value == node->second->metadata.labels.end()) continue;
        if (!selector->Matches(about, LabelsOf(about.namespace_()))) continue;
        places.emplace_back(kind, weights[i], terms[i].topology_key, value->second);
      }
      for (const TermPlace& place : places) ++out[place];
    };
    const auto count_all = [&](const api::PodAffinity& affinity, TermKind required,
                               TermKind preferred) {
      count(required, affinity.required, std::vector<int32_t>(affinity.required.size(), 0));
      std::vector<api::PodAffinityTerm> terms;
      std::vector<int32_t> weights;
      for (const auto& [weight, term] : affinity.preferred) {
        terms.push_back(term);
        weights.push_back(weight);
      }
      count(preferred, terms, weights);
    };
    count_all(placed.info->affinity(), TermKind::kRequiredAffinity, TermKind::kPreferredAffinity);
    count_all(placed.info->anti_affinity(), TermKind::kRequiredAntiAffinity,
              TermKind::kPreferredAntiAffinity);
  }

  void CompareWithStore() {
    std::vector<std::shared_ptr<const api::Node>> nodes;
    for (const auto& [name, node] : nodes_) nodes.push_back(node);
    std::vector<std::shared_ptr<const api::Pod>> pods;
    for (const auto& [uid, pod] : pods_) pods.push_back(pod.object);
    for (const std::string& difference : scenario::FindDifferences(cache_, nodes, pods))
      Expect(false, difference);
  }

  CountWalkOptions options_;
  Random random_;
  Vocabulary words_;
  Cache cache_;
  std::map<std::string, Placed> pods_;  // by UID
  std::map<std::string, std::shared_ptr<const api::Node>> nodes_;
  std::map<std::string, LabelSet> namespaces_;
  size_t last_pod_ = 0;
  size_t last_version_ = 0;
  std::string difference_;
};

}  // namespace

std::optional<std::string> WalkCounts(const CountWalkOptions& options) {
  return CountWalk(options).Run();
}

}  // namespace berth::scheduler::testing
