// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/pod_counts.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json/json.h"
#include "scheduler/cache/cache.h"
#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeNamespace;
using testing::MakeNode;
using testing::MakePod;
using testing::PodBuilder;
using ::testing::SizeIs;

constexpr char kZone[] = "topology.kubernetes.io/zone";

PodSelector WithApp(const std::string& app, const std::string& ns = "default") {
  return {.namespaces = {ns}, .labels = api::Selector::FromMap({{"app", app}})};
}

PodQuery AppQuery(const std::string& app, bool with_terminating = true) {
  return {.all_of = {WithApp(app)}, .with_terminating = with_terminating};
}

PodBuilder AppPod(const std::string& name, const std::string& app, const std::string& node) {
  return MakePod(name).Label("app", app).OnNode(node);
}

api::PodAffinityTerm TermAbout(const std::string& app, const std::string& topology_key) {
  api::PodAffinityTerm term;
  term.label_selector = api::LabelSelector{.match_labels = {{"app", app}}, .match_expressions = {}};
  term.topology_key = topology_key;
  return term;
}

// AskedSubset counts its calls.
class AskedSubset final : public NodeSubset {
 public:
  explicit AskedSubset(int& asked) : asked_(asked) {}
  bool Includes(const api::Node& node) const override {
    ++asked_;
    return node.metadata.labels.contains("ssd");
  }

 private:
  int& asked_;
};

class PodCountsTest : public ::testing::Test {
 protected:
  void PutNode(const std::string& name, const std::string& zone) {
    cache_.UpdateNode(MakeNode(name).Label(kZone, zone).Build());
  }
  uint32_t On(const std::string& node, const PodQuery& query) const {
    return cache_.Pods().BySlot(query)[cache_.Find(node)];
  }
  uint32_t InZoneOf(const std::string& node, const PodQuery& query) const {
    const DomainCounts& counts = cache_.Pods().ByDomain(query, kZone);
    return counts.Pods()[counts.topology().OfSlots()[cache_.Find(node)]];
  }
  std::span<const PlacedTerm> TermsMatching(const std::string& app) {
    return cache_.Pods().TermsMatching(*MakePod("waits").Label("app", app).Info(words_));
  }
  size_t Fill(Cache& cache, size_t queries) {
    cache.UpdateNode(MakeNode("n").Label(kZone, "a").Build());
    for (size_t i = 0; i < queries; ++i) {
      cache.BeginCycle();
      cache.Pods().ByDomain(AppQuery("app-" + std::to_string(i)), kZone);
    }
    cache.BeginCycle();
    return cache.Pods().columns();
  }

  Vocabulary words_;
  Cache cache_{words_};
};

TEST_F(PodCountsTest, CountsExistingAndNewPods) {
  PutNode("n", "a");
  cache_.AddPod(*AppPod("web-1", "web", "n").Build());
  EXPECT_EQ(On("n", AppQuery("web")), 1u);
  cache_.AddPod(*AppPod("web-2", "web", "n").Build());
  cache_.AddPod(*AppPod("db-1", "db", "n").Build());
  cache_.AddPod(*AppPod("web-3", "web", "n").Namespace("other").Build());
  EXPECT_EQ(On("n", AppQuery("web")), 2u);
  cache_.RemovePod("uid-web-1");
  EXPECT_EQ(On("n", AppQuery("web")), 1u);
}

TEST_F(PodCountsTest, QueryCountsPodsThatMatchAllSelectors) {
  PutNode("n", "a");
  cache_.AddPod(*AppPod("web", "web", "n").Build());
  cache_.AddPod(*AppPod("front", "web", "n").Label("tier", "front").Build());
  PodQuery query = AppQuery("web");
  query.all_of.push_back(
      {.namespaces = {"default"}, .labels = api::Selector::FromMap({{"tier", "front"}})});
  EXPECT_EQ(On("n", query), 1u);
  EXPECT_EQ(On("n", {}), 2u) << "a query without selectors matches all pods";
}

TEST_F(PodCountsTest, ExcludesTerminatingPodsOnRequest) {
  PutNode("n", "a");
  cache_.AddPod(*AppPod("web", "web", "n").Build());
  EXPECT_EQ(On("n", AppQuery("web", false)), 1u);
  cache_.UpdatePod(*AppPod("web", "web", "n").Terminating().Build());
  EXPECT_EQ(On("n", AppQuery("web", false)), 0u);
  EXPECT_EQ(On("n", AppQuery("web")), 1u);
}

TEST_F(PodCountsTest, DomainsCountDomainsAndTheirNodes) {
  PutNode("n", "a");
  PutNode("m", "b");
  cache_.UpdateNode(MakeNode("without").Build());
  const TopologyDomains& zones = cache_.Pods().Domains(kZone);
  EXPECT_EQ(zones.domains(), 2u);
  EXPECT_EQ(zones.nodes(), 2u);
  PutNode("n", "b");
  EXPECT_EQ(zones.domains(), 1u) << "zone a has no nodes";
  EXPECT_EQ(zones.nodes(), 2u);
  PutNode("without", "c");
  EXPECT_EQ(zones.domains(), 2u);
  EXPECT_EQ(zones.nodes(), 3u);
  cache_.RemoveNode("m");
  cache_.UpdateNode(MakeNode("n").Build());
  EXPECT_EQ(zones.domains(), 1u);
  EXPECT_EQ(zones.nodes(), 1u);
}

TEST_F(PodCountsTest, SumsFollowANodeIntoAnotherZone) {
  PutNode("n", "a");
  PutNode("m", "b");
  cache_.AddPod(*AppPod("web-1", "web", "n").Build());
  cache_.AddPod(*AppPod("web-2", "web", "n").Build());
  EXPECT_EQ(InZoneOf("m", AppQuery("web")), 0u);
  PutNode("n", "b");
  EXPECT_EQ(InZoneOf("m", AppQuery("web")), 2u);
  const DomainCounts& counts = cache_.Pods().ByDomain(AppQuery("web"), kZone);
  EXPECT_EQ(counts.domains(), 1u);
  EXPECT_EQ(counts.lowest(), 2u);
  cache_.RemoveNode("n");
  EXPECT_EQ(InZoneOf("m", AppQuery("web")), 0u) << "pods on unknown nodes do not count";
  PutNode("n", "b");
  EXPECT_EQ(InZoneOf("m", AppQuery("web")), 2u);
}

TEST_F(PodCountsTest, EvaluatesASubsetOncePerNodeChange) {
  PutNode("n", "a");
  PutNode("m", "a");
  int asked = 0;
  const FindSubset subset = [&asked] {
    return SubsetQuery{.key = "ssd",
                       .make = [&asked] { return std::make_unique<const AskedSubset>(asked); }};
  };
  EXPECT_EQ(cache_.Pods().ByDomain(AppQuery("web"), kZone, subset).domains(), 0u);
  EXPECT_EQ(asked, 2);
  cache_.Pods().ByDomain(AppQuery("db"), kZone, subset);
  cache_.AddPod(*AppPod("web", "web", "n").Build());
  EXPECT_EQ(asked, 2);
  cache_.UpdateNode(MakeNode("n").Label(kZone, "a").Label("ssd", "").Build());
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(cache_.Pods().ByDomain(AppQuery("web"), kZone, subset).total(), 1u);
}

TEST_F(PodCountsTest, NamespaceLabelsDecideWhichPodsCount) {
  PutNode("n", "a");
  cache_.AddPod(*AppPod("web", "web", "n").Namespace("shop").Build());
  const PodQuery query{.all_of = {{.namespace_selector = api::Selector::FromMap({{"team", "a"}}),
                                   .labels = api::Selector::Everything()}}};
  EXPECT_EQ(On("n", query), 0u);
  cache_.Put(MakeNamespace("shop", {{"team", "a"}}));
  EXPECT_EQ(On("n", query), 1u);
  EXPECT_TRUE(
      cache_.Pods().Matches(query.all_of[0], *MakePod("other").Namespace("shop").Info(words_)));
  cache_.Remove(ObjectKind::kNamespace, "uid-shop");
  EXPECT_EQ(On("n", query), 0u);
}

TEST_F(PodCountsTest, ListsTermsThatMatchAPodWithTheirDomains) {
  PutNode("n", "a");
  PutNode("m", "b");
  PodBuilder pod = AppPod("web-1", "web", "n");
  pod.raw().spec.affinity.Edit().pod_anti_affinity.Edit().required = {TermAbout("web", kZone)};
  cache_.AddPod(*pod.Build());
  ASSERT_THAT(TermsMatching("web"), SizeIs(1));
  EXPECT_THAT(TermsMatching("db"), IsEmpty());
  const PlacedTerm& term = TermsMatching("web")[0];
  EXPECT_EQ(term.kind, TermKind::kRequiredAntiAffinity);
  EXPECT_EQ(term.topology->key(), kZone);
  const auto zone_of = [&](const std::string& node) {
    return term.topology->OfSlots()[cache_.Find(node)];
  };
  EXPECT_THAT(term.counts->Entries(), ElementsAre(SparseCounts::Entry{zone_of("n"), 1}));
  PutNode("n", "b");
  EXPECT_THAT(term.counts->Entries(), ElementsAre(SparseCounts::Entry{zone_of("m"), 1}));
  cache_.RemovePod("uid-web-1");
  EXPECT_THAT(TermsMatching("web"), IsEmpty());
  EXPECT_EQ(cache_.Pods().terms(), 0u);
}

TEST_F(PodCountsTest, PodsOfOneTemplateShareTheirTerms) {
  PutNode("n", "a");
  std::set<const api::PodAffinity*> kept;
  for (const char* name : {"web-1", "web-2", "web-3"}) {
    PodBuilder pod = AppPod(name, "web", "n");
    pod.raw().spec.affinity.Edit().pod_affinity.Edit().preferred = {{10, TermAbout("web", kZone)}};
    kept.insert(&cache_.AddPod(*json::Decode<api::Pod>(json::Encode(pod.raw())))->affinity());
  }
  EXPECT_THAT(kept, SizeIs(1)) << "the affinity object is stored once";
  EXPECT_EQ(cache_.Pods().terms(), 1u);
  ASSERT_THAT(TermsMatching("web"), SizeIs(1));
  EXPECT_EQ(TermsMatching("web")[0].weight, 10);
  EXPECT_EQ(TermsMatching("web")[0].counts->Entries()[0].count, 3u);
}

// Source: kube-scheduler pkg/scheduler/framework/types.go, GetAffinityTerms.
TEST_F(PodCountsTest, InvalidTermDropsTheWholeList) {
  PutNode("n", "a");
  PodBuilder pod = AppPod("web", "web", "n");
  api::PodAffinityTerm wrong = TermAbout("web", kZone);
  wrong.label_selector.Edit().match_expressions = {{"app", "Beside", {}}};
  pod.raw().spec.affinity.Edit().pod_affinity.Edit().required = {TermAbout("web", kZone), wrong};
  pod.raw().spec.affinity.Edit().pod_affinity.Edit().preferred = {{1, TermAbout("web", kZone)}};
  cache_.AddPod(*pod.Build());
  ASSERT_THAT(TermsMatching("web"), SizeIs(1));
  EXPECT_EQ(TermsMatching("web")[0].kind, TermKind::kPreferredAffinity);
}

TEST_F(PodCountsTest, DropsLeastRecentlyUsedCountsBeyondTheLimit) {
  Cache small(words_, 20'000);
  EXPECT_LT(Fill(small, 100), 20u);
  EXPECT_EQ(Fill(cache_, 100), 100u);
}

TEST_F(PodCountsTest, KeepsNoCountsForATopologyKeyThatNoNodeHas) {
  const DomainCounts& counts = cache_.Pods().ByDomain(AppQuery("web"), kZone);
  EXPECT_EQ(counts.domains(), 0u);
  EXPECT_EQ(counts.total(), 0u);
  EXPECT_EQ(&counts.topology(), &cache_.Pods().Domains(kZone));
  EXPECT_EQ(cache_.Pods().columns(), 0u);
  EXPECT_EQ(Fill(cache_, 1), 1u);
}

// The text of a query counts.
TEST_F(PodCountsTest, DropsTheCountsOfALargeQueryBeyondTheLimit) {
  Cache small(words_, 20'000);
  small.UpdateNode(MakeNode("n").Label(kZone, "a").Build());
  PodQuery large;
  for (int i = 0; i < 1000; ++i) {
    large.all_of.push_back(AppQuery("app-" + std::to_string(i)).all_of[0]);
  }
  small.Pods().ByDomain(large, kZone);
  EXPECT_EQ(small.Pods().columns(), 1u);
  small.BeginCycle();
  EXPECT_EQ(small.Pods().columns(), 0u);
}

TEST_F(PodCountsTest, ResultsStayValidUntilTheCycleEnds) {
  Cache small(words_, 1);
  small.UpdateNode(MakeNode("n").Label(kZone, "a").Build());
  const DomainCounts& counts = small.Pods().ByDomain(AppQuery("web"), kZone);
  small.Pods().BySlot(AppQuery("db"));
  EXPECT_EQ(small.Pods().columns(), 2u);
  EXPECT_EQ(counts.domains(), 1u);
  small.BeginCycle();
  EXPECT_EQ(small.Pods().columns(), 0u);
}

TEST_F(PodCountsTest, DropsAnUnusedCountAfterManyChanges) {
  PutNode("n", "a");
  cache_.Pods().BySlot(AppQuery("web"));
  cache_.Pods().ByDomain(AppQuery("db"), kZone);
  for (int i = 0; i < 1000; ++i) {
    cache_.Pods().BySlot(AppQuery("db"));
    cache_.AddPod(*AppPod("web", "web", "n").Build());
    cache_.AddPod(*AppPod("db", "db", "n").Build());
    cache_.RemovePod("uid-web");
    cache_.RemovePod("uid-db");
  }
  EXPECT_EQ(cache_.Pods().columns(), 1u) << "only the count of db is used";
  EXPECT_EQ(On("n", AppQuery("web")), 0u) << "the other is computed again";
}

TEST_F(PodCountsTest, DropsClassesWithoutPods) {
  PutNode("n", "a");
  for (int i = 0; i < 5000; ++i) {
    const std::string name = "p" + std::to_string(i);
    cache_.AddPod(*AppPod(name, name, "n").Build());
    cache_.RemovePod("uid-" + name);
    TermsMatching("waiting-" + name);
  }
  EXPECT_LE(cache_.Pods().classes(), 2000u);
}

TEST_F(PodCountsTest, NamespaceChangeRecountsOnlySelectorsThatReadNamespaces) {
  PutNode("n", "a");
  cache_.AddPod(*AppPod("web", "web", "n").Build());
  const PodQuery reading{.all_of = {{.namespace_selector = api::Selector::FromMap({{"team", "a"}}),
                                     .labels = api::Selector::Everything()}}};
  EXPECT_EQ(On("n", AppQuery("web")), 1u);
  for (int i = 0; i < 3000; ++i) {
    cache_.Put(MakeNamespace("default", {{"team", i % 2 == 0 ? "a" : "b"}}));
    EXPECT_EQ(On("n", reading), i % 2 == 0 ? 1u : 0u);
  }
  EXPECT_EQ(cache_.Pods().columns(), 2u) << "each change of a count uses up a part of its upkeep";
  EXPECT_EQ(On("n", AppQuery("web")), 1u);
}

TEST_F(PodCountsTest, NamespaceChangeRenewsTheTermsThatReadNamespaces) {
  PutNode("n", "a");
  PodBuilder pod = AppPod("web-1", "web", "n");
  api::PodAffinityTerm term = TermAbout("web", kZone);
  term.namespace_selector.Edit().match_labels["team"] = "a";
  pod.raw().spec.affinity.Edit().pod_anti_affinity.Edit().required = {term};
  cache_.AddPod(*pod.Build());
  EXPECT_THAT(TermsMatching("web"), IsEmpty());
  cache_.Put(MakeNamespace("default", {{"team", "a"}}));
  EXPECT_THAT(TermsMatching("web"), SizeIs(1));
  cache_.Put(MakeNamespace("default", {{"team", "b"}}));
  EXPECT_THAT(TermsMatching("web"), IsEmpty());
}

// A pod of 1.5 MB may have this many terms.
TEST_F(PodCountsTest, TermsAboutKeysWithoutNodesTakeNoArrayAndDropNoCounts) {
  Cache small(words_, 20'000);
  for (int i = 0; i < 100; ++i) {
    small.UpdateNode(MakeNode("n" + std::to_string(i)).Label(kZone, "a").Build());
  }
  small.Pods().BySlot(AppQuery("web"));
  const auto bytes = [&small] {
    size_t sum = 0;
    small.Pods().VisitTopologies([&sum](const Topology& each) { sum += each.bytes(); });
    return sum;
  };
  const size_t before = bytes();
  PodBuilder pod = AppPod("greedy", "greedy", "n0");
  auto& preferred = pod.raw().spec.affinity.Edit().pod_anti_affinity.Edit().preferred;
  for (int i = 0; i < 8000; ++i)
    preferred.push_back({1, TermAbout("web", "k" + std::to_string(i))});
  small.AddPod(*pod.Build());
  small.BeginCycle();
  EXPECT_EQ(bytes(), before);
  EXPECT_EQ(small.Pods().columns(), 1u);
  small.UpdateNode(MakeNode("n0").Label(kZone, "a").Label("k7", "x").Build());
  const auto waiting = MakePod("waits").Label("app", "web").Info(words_);
  size_t counted = 0;
  for (const PlacedTerm& term : small.Pods().TermsMatching(*waiting)) {
    EXPECT_TRUE(term.counts->empty() || term.topology->key() == "k7");
    counted += term.counts->Entries().size();
  }
  EXPECT_EQ(counted, 1u) << "a node has one of the keys now";
  small.RemovePod("uid-greedy");
  small.BeginCycle();
  EXPECT_EQ(small.Pods().topologies(), 0u);
  EXPECT_EQ(small.Pods().terms(), 0u);
}

// The anti-affinity of JobSet's exclusive placement: each pod repels the pods of all other jobs.
api::PodAffinityTerm OtherJobs(const std::string& job) {
  api::PodAffinityTerm term;
  term.label_selector.Edit().match_expressions = {{"job", "Exists", {}}, {"job", "NotIn", {job}}};
  term.namespace_selector.Edit();
  term.topology_key = kZone;
  return term;
}

// A pod of each job on each of two nodes, all in one group of terms.
TEST_F(PodCountsTest, TermsThatExcludeDifferentValuesAreOneTerm) {
  PutNode("n", "a");
  PutNode("m", "b");
  const auto place = [&](const std::string& name, const std::string& job, const char* node) {
    PodBuilder pod = MakePod(name).Label("job", job).OnNode(node);
    pod.raw().spec.affinity.Edit().pod_anti_affinity.Edit().required = {OtherJobs(job)};
    cache_.AddPod(*pod.Build());
  };
  const auto repelling = [&](const std::string& job) {
    std::map<std::string, uint32_t> pods;
    for (const PlacedTerm& term :
         cache_.Pods().TermsMatching(*MakePod("p").Label("job", job).Info(words_))) {
      term.VisitDomains([&](Domain domain, uint32_t count) {
        pods[term.topology->OfSlots()[cache_.Find("n")] == domain ? "n" : "m"] += count;
      });
    }
    return pods;
  };
  using Pods = std::map<std::string, uint32_t>;
  for (const char* job : {"1", "2", "3"}) {
    place(job + std::string("-n"), job, "n");
    if (job != std::string("3")) place(job + std::string("-m"), job, "m");
  }
  EXPECT_EQ(repelling("1"), (Pods{{"n", 2}, {"m", 1}}));
  EXPECT_EQ(repelling("3"), (Pods{{"n", 2}, {"m", 2}}));
  EXPECT_EQ(repelling("4"), (Pods{{"n", 3}, {"m", 2}})) << "no term excludes it";
  cache_.RemovePod("uid-2-n");
  cache_.RemovePod("uid-2-m");
  EXPECT_EQ(repelling("1"), (Pods{{"n", 1}}));
  EXPECT_EQ(repelling("2"), (Pods{{"n", 2}, {"m", 1}})) << "its terms are gone";
  place("2-again", "2", "m");
  EXPECT_EQ(repelling("2"), (Pods{{"n", 2}, {"m", 1}}));
  cache_.UpdateNode(MakeNode("m").Label(kZone, "a").Build());
  EXPECT_EQ(repelling("1"), (Pods{{"n", 2}})) << "both nodes are in one zone now";
}

TEST_F(PodCountsTest, ListsOfExclusiveJobsStayWithinTheLimit) {
  constexpr size_t kLimit = 200'000;
  Cache small(words_, kLimit);
  small.UpdateNode(MakeNode("n").Label(kZone, "a").Build());
  const size_t jobs = 400;
  for (size_t i = 0; i < jobs; ++i) {
    const std::string job = "job-" + std::to_string(i);
    PodBuilder pod = MakePod(job).Label("job", job).OnNode("n");
    pod.raw().spec.affinity.Edit().pod_anti_affinity.Edit().required = {OtherJobs(job)};
    small.BeginCycle();
    const PodQuery query{.all_of = {*SelectorOf(OtherJobs(job), "default")}};
    EXPECT_EQ(small.Pods().ByDomain(query, kZone).total(), i);
    EXPECT_THAT(small.Pods().TermsMatching(*pod.Info(words_)), SizeIs(i == 0 ? 0 : 1));
    small.AddPod(*pod.Build());
    small.BeginCycle();
    EXPECT_LE(small.Pods().bytes(), kLimit);
  }
  EXPECT_THAT(small.Pods().TermsMatching(*MakePod("plain").Label("app", "web").Info(words_)),
              IsEmpty());
  EXPECT_GT(small.Pods().columns(), 0u);
  for (size_t i = 0; i < jobs; ++i) small.RemovePod("uid-job-" + std::to_string(i));
  EXPECT_EQ(small.Pods().terms(), 0u);
}

class PodClassesTest : public ::testing::Test {
 protected:
  PodClass& Make(const std::string& ns, const std::string& key, const std::string& value) {
    return classes_.Make(*MakePod("p").Namespace(ns).Label(key, value).Info(words_));
  }
  PodMatcher Matcher(std::vector<api::LabelSelectorRequirement> expressions) {
    const api::LabelSelector selector{.match_labels = {}, .match_expressions = expressions};
    return {{.namespaces = {"a"}, .labels = *api::Selector::Create(selector)}, words_};
  }
  size_t Visited(const PodMatcher& matcher) const {
    size_t visited = 0;
    classes_.Visit(classes_.Narrowest(std::span(&matcher, 1)), [&](PodClass&) { ++visited; });
    return visited;
  }

  Vocabulary words_;
  PodClasses classes_;
};

TEST_F(PodClassesTest, SelectorThatNeedsAKeyVisitsOnlyClassesWithIt) {
  for (int i = 0; i < 100; ++i) Make("a", "index", std::to_string(i));
  for (int i = 0; i < 3; ++i) Make("a", "job", std::to_string(i));
  EXPECT_EQ(Visited(Matcher({{"job", "Exists", {}}, {"job", "NotIn", {"1"}}})), 3u);
  EXPECT_EQ(Visited(Matcher({{"job", "Exists", {}}, {"job", "In", {"1", "2"}}})), 2u);
  EXPECT_EQ(Visited(Matcher({{"job", "NotIn", {"1"}}})), 103u) << "pods without the key match";
  EXPECT_EQ(Visited(Matcher({{"job", "DoesNotExist", {}}})), 103u);
}

TEST_F(PodClassesTest, VisitsTheClassesOfOneNamespace) {
  Make("a", "app", "web");
  PodClass& db = Make("b", "app", "db");
  size_t visited = 0;
  classes_.VisitNamespace(db.namespace_name, [&](PodClass& each) {
    EXPECT_EQ(&each, &db);
    ++visited;
  });
  EXPECT_EQ(visited, 1u);
  classes_.VisitNamespace(words_.Find("unknown"), [&](PodClass&) { ++visited; });
  EXPECT_EQ(visited, 1u);
}

}  // namespace
}  // namespace berth::scheduler
