// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/inter_pod_affinity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/normalize.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::FilterAll;
using testing::MakeNamespace;
using testing::MakeNode;
using testing::MakePod;
using testing::NodeBuilder;
using testing::PodBuilder;
using testing::PodsWith;
using testing::ScoreAll;
using testing::Simulated;
using testing::TestCluster;
using testing::Text;
using Answers = std::map<std::string, std::string>;
using Scores = std::map<std::string, int64_t>;

constexpr const char* kNoAffinity =
    "UnschedulableAndUnresolvable: node(s) didn't match pod affinity rules";
constexpr const char* kAnti = "Unschedulable: node(s) didn't match pod anti-affinity rules";
constexpr const char* kPlacedAnti =
    "Unschedulable: node(s) didn't satisfy existing pods anti-affinity rules";

api::PodAffinityTerm Web(std::string topology_key) { return PodsWith("app", "web", topology_key); }
PodBuilder WebPod(std::string name) { return MakePod(std::move(name)).Label("app", "web"); }

// Nodes a and b in zone 1, c in zone 2, d in none.
class InterPodAffinityTest : public ::testing::Test {
 protected:
  InterPodAffinityTest() {
    for (const auto& [name, zone] :
         std::map<std::string, std::string>{{"a", "1"}, {"b", "1"}, {"c", "2"}, {"d", ""}}) {
      NodeBuilder node = MakeNode(name).Label("host", name);
      if (!zone.empty()) node.Label("zone", zone);
      cluster_.Add(node);
    }
  }

  // Each also asks for the pod with many terms, which must get the same results.
  Answers Filter(const PodBuilder& pod) {
    const auto filter = [&](const PodBuilder& asked) {
      Cycle cycle(cluster_, asked);
      return FilterAll(*plugin_, cycle);
    };
    const Answers answers = filter(pod);
    EXPECT_EQ(filter(WithManyTerms(pod)), answers);
    return answers;
  }
  Scores Score(const PodBuilder& pod, const std::string& args = "") {
    const auto score = [&](const PodBuilder& asked) {
      Cycle cycle(cluster_, asked);
      return ScoreAll(*cluster_.Plugin<InterPodAffinity>(args), cycle);
    };
    const Scores scores = score(pod);
    EXPECT_EQ(score(WithManyTerms(pod)), scores);
    return scores;
  }
  std::string FilterSimulated(const PodBuilder& pod, const std::string& node,
                              const Simulated& simulated) {
    const std::string verdict = FilterSimulatedOnce(pod, node, simulated);
    EXPECT_EQ(FilterSimulatedOnce(WithManyTerms(pod), node, simulated), verdict);
    return verdict;
  }
  std::string PreFilter(const PodBuilder& pod) {
    Cycle cycle(cluster_, pod);
    return Text(plugin_->PreFilter(cycle.context()).status);
  }
  std::shared_ptr<const PodInfo> Placed(const PodBuilder& pod) {
    return pod.Placed(cluster_.words());
  }

 private:
  // Adds so many anti-affinity and preferred terms that the plugin keeps no counts. They select no
  // pod.
  static PodBuilder WithManyTerms(PodBuilder pod) {
    const auto fill = [](auto& terms, const auto& term) {
      if (!terms.empty()) terms.insert(terms.end(), 50, term);
    };
    const api::PodAffinityTerm none = PodsWith("none", "none", "zone");
    api::Affinity affinity = pod.raw().spec.affinity.ValueOrDefault();
    if (affinity.pod_affinity)
      fill(affinity.pod_affinity.Edit().preferred, api::WeightedPodAffinityTerm{9, none});
    if (affinity.pod_anti_affinity) {
      fill(affinity.pod_anti_affinity.Edit().required, none);
      fill(affinity.pod_anti_affinity.Edit().preferred, api::WeightedPodAffinityTerm{9, none});
    }
    pod.raw().spec.affinity = affinity;
    return pod;
  }
  // Returns Filter's verdict for the simulated node, after PreFilter without the simulated pods.
  std::string FilterSimulatedOnce(const PodBuilder& pod, const std::string& node,
                                  const Simulated& simulated) {
    Cycle cycle(cluster_, pod);
    const Status status = plugin_->PreFilter(cycle.context()).status;
    if (!status.ok()) return Text(status);
    const NodeDelta delta = simulated.On(cluster_.View(node).info());
    return Text(plugin_->Filter(cycle.context(), cluster_.View(node, &delta)));
  }

 protected:
  TestCluster cluster_;
  std::unique_ptr<InterPodAffinity> plugin_ = cluster_.Plugin<InterPodAffinity>();
};

TEST_F(InterPodAffinityTest, AffinityAdmitsDomainsWithMatchingPods) {
  cluster_.Add(WebPod("w").OnNode("a"));
  EXPECT_EQ(Filter(MakePod("p").Affinity(Web("zone"))),
            (Answers{{"a", "Success"}, {"b", "Success"}, {"c", kNoAffinity}, {"d", kNoAffinity}}));
  EXPECT_EQ(
      Filter(MakePod("p").Affinity(Web("host"))),
      (Answers{{"a", "Success"}, {"b", kNoAffinity}, {"c", kNoAffinity}, {"d", kNoAffinity}}));
}

TEST_F(InterPodAffinityTest, OnePodMustSatisfyAllAffinityTerms) {
  cluster_.Add(WebPod("w").OnNode("a")).Add(MakePod("x").Label("tier", "front").OnNode("b"));
  const PodBuilder pod =
      MakePod("p").Affinity(Web("zone")).Affinity(PodsWith("tier", "front", "zone"));
  EXPECT_EQ(Filter(pod)["a"], kNoAffinity) << "no single pod satisfies both terms";
  cluster_.Add(WebPod("both").Label("tier", "front").OnNode("c"));
  EXPECT_EQ(
      Filter(pod),
      (Answers{{"a", kNoAffinity}, {"b", kNoAffinity}, {"c", "Success"}, {"d", kNoAffinity}}));
}

TEST_F(InterPodAffinityTest, FirstPodOfGroupFitsAnyDomain) {
  EXPECT_EQ(Filter(WebPod("first").Affinity(Web("zone"))),
            (Answers{{"a", "Success"}, {"b", "Success"}, {"c", "Success"}, {"d", kNoAffinity}}));
  EXPECT_EQ(Filter(MakePod("other").Affinity(Web("zone")))["a"], kNoAffinity)
      << "the pod does not match its own term";
  cluster_.Add(WebPod("w").OnNode("d"));
  EXPECT_EQ(Filter(WebPod("second").Affinity(Web("zone")))["a"], "Success")
      << "a pod on a node without the key does not count";
  cluster_.Add(WebPod("x").OnNode("c"));
  EXPECT_EQ(Filter(WebPod("third").Affinity(Web("zone")))["a"], kNoAffinity);
}

TEST_F(InterPodAffinityTest, AntiAffinityRejectsDomainsOfEachTerm) {
  cluster_.Add(WebPod("w").OnNode("a")).Add(MakePod("x").Label("tier", "front").OnNode("c"));
  EXPECT_EQ(Filter(MakePod("p").AntiAffinity(Web("zone"))),
            (Answers{{"a", kAnti}, {"b", kAnti}, {"c", "Success"}, {"d", "Success"}}));
  EXPECT_EQ(
      Filter(
          MakePod("p").AntiAffinity(Web("host")).AntiAffinity(PodsWith("tier", "front", "zone"))),
      (Answers{{"a", kAnti}, {"b", "Success"}, {"c", kAnti}, {"d", "Success"}}));
}

TEST_F(InterPodAffinityTest, ExistingAntiAffinityRejectsItsDomain) {
  cluster_.Add(MakePod("lonely").AntiAffinity(Web("zone")).OnNode("a"));
  EXPECT_EQ(Filter(WebPod("p")),
            (Answers{{"a", kPlacedAnti}, {"b", kPlacedAnti}, {"c", "Success"}, {"d", "Success"}}));
  EXPECT_EQ(PreFilter(MakePod("not-meant")), "Skip");
  EXPECT_EQ(PreFilter(WebPod("elsewhere").Namespace("other")), "Skip");
}

TEST_F(InterPodAffinityTest, ReportsFirstFailedRule) {
  cluster_.Add(MakePod("lonely").Label("app", "db").AntiAffinity(Web("host")).OnNode("a"));
  const PodBuilder pod = WebPod("p").AntiAffinity(PodsWith("app", "db", "host"));
  EXPECT_EQ(Filter(pod)["a"], kAnti);
  EXPECT_EQ(Filter(PodBuilder(pod).Affinity(PodsWith("app", "x", "host")))["a"], kNoAffinity);
}

TEST_F(InterPodAffinityTest, CountsTerminatingPods) {
  cluster_.Add(WebPod("w").OnNode("a").Terminating());
  EXPECT_EQ(Filter(MakePod("p").AntiAffinity(Web("host")))["a"], kAnti);
}

TEST_F(InterPodAffinityTest, TermsDefaultToTheOwnersNamespace) {
  cluster_.Add(WebPod("w").Namespace("shop").OnNode("a"));
  cluster_.cache().Put(MakeNamespace("shop", {{"team", "red"}}));
  api::PodAffinityTerm term = Web("host");
  const auto on_a = [&] { return Filter(MakePod("p").AntiAffinity(term))["a"]; };
  EXPECT_EQ(on_a(), "Success");
  term.namespaces = {"shop"};
  EXPECT_EQ(on_a(), kAnti);
  term.namespaces.clear();
  term.namespace_selector.Edit().match_labels["team"] = "red";
  EXPECT_EQ(on_a(), kAnti);
  term.namespace_selector.Edit().match_labels["team"] = "blue";
  EXPECT_EQ(on_a(), "Success");
  term.namespace_selector = api::LabelSelector();
  EXPECT_EQ(on_a(), kAnti) << "an empty selector selects every namespace";
}

TEST_F(InterPodAffinityTest, NegativeNamespaceSelectorReadsLabels) {
  cluster_.Add(WebPod("w").Namespace("shop").OnNode("a"));
  cluster_.cache().Put(MakeNamespace("shop", {{"team", "red"}}));
  api::PodAffinityTerm term = Web("host");
  term.namespace_selector.Edit().match_expressions = {{"team", "DoesNotExist", {}}};
  EXPECT_EQ(Filter(MakePod("p").AntiAffinity(term))["a"], "Success");
  term.namespace_selector.Edit().match_expressions = {{"team", "NotIn", {"blue"}}};
  EXPECT_EQ(Filter(MakePod("p").AntiAffinity(term))["a"], kAnti);
}

TEST_F(InterPodAffinityTest, ExistingTermsMatchNamespaceLabels) {
  api::PodAffinityTerm term = Web("host");
  term.namespace_selector.Edit().match_expressions = {{"team", "DoesNotExist", {}}};
  cluster_.Add(MakePod("lonely").Namespace("shop").AntiAffinity(term).OnNode("a"));
  EXPECT_EQ(Filter(WebPod("p"))["a"], kPlacedAnti) << "an unknown namespace has no labels";
  cluster_.cache().Put(MakeNamespace("default", {{"team", "red"}}));
  EXPECT_EQ(PreFilter(WebPod("p")), "Skip");
}

TEST_F(InterPodAffinityTest, TermWithoutSelectorMatchesNoPod) {
  cluster_.Add(WebPod("w").OnNode("a"));
  api::PodAffinityTerm term;
  term.topology_key = "host";
  EXPECT_EQ(Filter(MakePod("p").AntiAffinity(term))["a"], "Success");
  EXPECT_EQ(Filter(MakePod("p").Affinity(term))["a"], kNoAffinity);
}

TEST_F(InterPodAffinityTest, SkipsPodWithoutRequiredTerms) {
  cluster_.Add(WebPod("w").Affinity(Web("zone")).OnNode("a"));
  EXPECT_EQ(PreFilter(WebPod("p")), "Skip");
  EXPECT_EQ(PreFilter(MakePod("p").PreferredAffinity(1, Web("zone"))), "Skip");
  EXPECT_EQ(PreFilter(MakePod("p").AntiAffinity(Web("zone"))), "Success");
}

TEST_F(InterPodAffinityTest, RejectsPodWithInvalidTerms) {
  api::PodAffinityTerm bad = Web("zone");
  bad.label_selector.Edit().match_expressions = {{"app", "Near", {}}};
  EXPECT_EQ(PreFilter(MakePod("p").Affinity(bad)),
            "UnschedulableAndUnresolvable: parsing pod: requiredAffinityTerms: \"Near\" is not a "
            "valid label selector operator");
  EXPECT_EQ(PreFilter(MakePod("p").AntiAffinity(bad).PreferredAffinity(1, bad)),
            "UnschedulableAndUnresolvable: parsing pod: [requiredAntiAffinityTerms: \"Near\" is "
            "not a valid label selector operator, preferredAffinityTerms: \"Near\" is not a valid "
            "label selector operator]");
  Cycle cycle(cluster_, MakePod("p").PreferredAffinity(1, bad));
  EXPECT_EQ(Text(plugin_->PreScore(cycle.context(), {})),
            "Error: failed to parse pod: preferredAffinityTerms: \"Near\" is not a valid label "
            "selector operator");
}

// ---- Simulated nodes

TEST_F(InterPodAffinityTest, CountsSimulatedPod) {
  const auto web = Placed(WebPod("w").OnNode("a"));
  EXPECT_EQ(FilterSimulated(MakePod("p").Affinity(Web("zone")), "a", Simulated{{web}}), "Success");
  EXPECT_EQ(FilterSimulated(MakePod("p").AntiAffinity(Web("zone")), "a", Simulated{{web}}), kAnti);
  EXPECT_EQ(FilterSimulated(MakePod("p").AntiAffinity(Web("zone")), "d", Simulated{{web}}),
            "Success")
      << "d has no zone";
}

TEST_F(InterPodAffinityTest, IgnoresVictim) {
  cluster_.Add(WebPod("w").OnNode("a"));
  const auto web = Placed(WebPod("w").OnNode("a"));
  EXPECT_EQ(FilterSimulated(MakePod("p").AntiAffinity(Web("zone")), "a", Simulated{{}, {web}}),
            "Success");
  EXPECT_EQ(FilterSimulated(MakePod("p").Affinity(Web("zone")), "a", Simulated{{}, {web}}),
            kNoAffinity);
  cluster_.Add(WebPod("x").OnNode("b"));
  EXPECT_EQ(FilterSimulated(MakePod("p").AntiAffinity(Web("zone")), "a", Simulated{{}, {web}}),
            kAnti)
      << "another pod is in the domain";
}

// After the count reaches 0, the pod may be the first of its group.
TEST_F(InterPodAffinityTest, PodIsFirstOfGroupIfVictimWasTheLast) {
  cluster_.Add(WebPod("w").OnNode("a"));
  const auto web = Placed(WebPod("w").OnNode("a"));
  const PodBuilder pod = WebPod("p").Affinity(Web("zone"));
  EXPECT_EQ(FilterSimulated(pod, "a", Simulated{{}, {web}}), "Success");
  cluster_.Add(WebPod("x").OnNode("c"));
  EXPECT_EQ(FilterSimulated(pod, "a", Simulated{{}, {web}}), kNoAffinity);
}

TEST_F(InterPodAffinityTest, SimulatedAntiAffinityCounts) {
  const PodBuilder lonely = MakePod("lonely").AntiAffinity(Web("zone")).OnNode("a");
  // The pod has a term of its own, so PreFilter does not skip it.
  const PodBuilder pod = WebPod("p").AntiAffinity(PodsWith("app", "db", "host"));
  EXPECT_EQ(FilterSimulated(pod, "a", Simulated{{Placed(lonely)}}), kPlacedAnti);
  cluster_.Add(lonely);
  EXPECT_EQ(FilterSimulated(pod, "a", Simulated{{}, {Placed(lonely)}}), "Success");
  cluster_.Add(MakePod("second").AntiAffinity(Web("zone")).OnNode("b"));
  EXPECT_EQ(FilterSimulated(pod, "a", Simulated{{}, {Placed(lonely)}}), kPlacedAnti);
}

TEST_F(InterPodAffinityTest, SkipIgnoresNominatedAntiAffinity) {
  const PodBuilder lonely = MakePod("lonely").AntiAffinity(Web("zone")).OnNode("a");
  EXPECT_EQ(FilterSimulated(WebPod("p"), "a", Simulated{{Placed(lonely)}}), "Skip");
}

// ---- Terms that exclude the pod's own value, as in JobSet's exclusive placement

api::PodAffinityTerm OtherJobs(const std::string& job) {
  api::PodAffinityTerm term;
  term.label_selector.Edit().match_expressions = {{"job", "Exists", {}}, {"job", "NotIn", {job}}};
  term.topology_key = "zone";
  return term;
}

PodBuilder JobPod(std::string name, const std::string& job) {
  return MakePod(std::move(name)).Label("job", job).AntiAffinity(OtherJobs(job));
}

TEST_F(InterPodAffinityTest, ExclusiveJobsKeepEachOtherAway) {
  cluster_.Add(JobPod("one-a", "one").OnNode("a"));
  EXPECT_EQ(Filter(JobPod("p", "one")),
            (Answers{{"a", "Success"}, {"b", "Success"}, {"c", "Success"}, {"d", "Success"}}));
  EXPECT_EQ(Filter(JobPod("p", "two")),
            (Answers{{"a", kAnti}, {"b", kAnti}, {"c", "Success"}, {"d", "Success"}}));
  EXPECT_EQ(Filter(MakePod("no-terms").Label("job", "two"))["a"], kPlacedAnti);
  EXPECT_EQ(PreFilter(MakePod("no-terms").Label("job", "one")), "Skip");
  cluster_.Add(JobPod("two-c", "two").OnNode("c"));
  EXPECT_EQ(Filter(JobPod("p", "one")),
            (Answers{{"a", "Success"}, {"b", "Success"}, {"c", kAnti}, {"d", "Success"}}));
}

TEST_F(InterPodAffinityTest, ExclusiveJobsCountSimulatedPods) {
  const PodBuilder two = JobPod("two-a", "two").OnNode("a");
  cluster_.Add(JobPod("one-a", "one").OnNode("a")).Add(two);
  EXPECT_EQ(FilterSimulated(JobPod("p", "one"), "a", Simulated{{}, {Placed(two)}}), "Success");
  EXPECT_EQ(FilterSimulated(JobPod("p", "two"), "a", Simulated{{}, {Placed(two)}}), kAnti);
  EXPECT_EQ(FilterSimulated(JobPod("p", "one"), "c", Simulated{{Placed(two)}}), kAnti);
}

TEST_F(InterPodAffinityTest, PreferencesAboutOtherJobsScore) {
  cluster_.Add(MakePod("one-a").Label("job", "one").OnNode("a"))
      .Add(MakePod("two-b").Label("job", "two").OnNode("b"))
      .Add(MakePod("two-c").Label("job", "two").OnNode("c"));
  const PodBuilder one = MakePod("p").Label("job", "one").PreferredAffinity(2, OtherJobs("one"));
  EXPECT_EQ(Score(one), (Scores{{"a", 2}, {"b", 2}, {"c", 2}, {"d", 0}}));
  const PodBuilder two =
      MakePod("p").Label("job", "two").PreferredAntiAffinity(3, OtherJobs("two"));
  EXPECT_EQ(Score(two), (Scores{{"a", -3}, {"b", -3}, {"c", 0}, {"d", 0}}));
  cluster_.Add(MakePod("fan").PreferredAffinity(5, OtherJobs("one")).OnNode("c"));
  EXPECT_EQ(Score(MakePod("p").Label("job", "one")), Scores());
  EXPECT_EQ(Score(MakePod("p").Label("job", "two")),
            (Scores{{"a", 0}, {"b", 0}, {"c", 5}, {"d", 0}}));
}

TEST_F(InterPodAffinityTest, PreScoreSkipsIfOnlyExcludedPodsCount) {
  cluster_.Add(MakePod("one-a").Label("job", "one").OnNode("a"));
  EXPECT_EQ(Score(MakePod("p").Label("job", "one").PreferredAffinity(2, OtherJobs("one"))),
            Scores());
}

// ---- Scores

TEST_F(InterPodAffinityTest, PreferredTermsAddWeightPerMatchingPod) {
  cluster_.Add(WebPod("w").OnNode("a")).Add(WebPod("x").OnNode("b"));
  cluster_.Add(MakePod("y").Label("app", "db").OnNode("c"));
  EXPECT_EQ(Score(MakePod("p")
                      .PreferredAffinity(5, Web("zone"))
                      .PreferredAffinity(1, Web("host"))
                      .PreferredAntiAffinity(7, PodsWith("app", "db", "zone"))),
            (Scores{{"a", 11}, {"b", 11}, {"c", -7}, {"d", 0}}));
}

TEST_F(InterPodAffinityTest, ExistingPodsTermsScore) {
  cluster_.Add(MakePod("fan").PreferredAffinity(3, Web("zone")).OnNode("a"))
      .Add(MakePod("foe").PreferredAntiAffinity(4, Web("zone")).OnNode("c"))
      .Add(MakePod("bound").Affinity(Web("host")).OnNode("b"));
  EXPECT_EQ(Score(WebPod("p")), (Scores{{"a", 3}, {"b", 4}, {"c", -4}, {"d", 0}}));
  EXPECT_EQ(Score(WebPod("p"), R"({"hardPodAffinityWeight":50})"),
            (Scores{{"a", 3}, {"b", 53}, {"c", -4}, {"d", 0}}));
  EXPECT_EQ(Score(WebPod("p"), R"({"hardPodAffinityWeight":0})"),
            (Scores{{"a", 3}, {"b", 3}, {"c", -4}, {"d", 0}}));
}

TEST_F(InterPodAffinityTest, ExistingRequiredAntiAffinityDoesNotScore) {
  cluster_.Add(MakePod("lonely").AntiAffinity(Web("zone")).OnNode("a"));
  EXPECT_EQ(Score(WebPod("p")), Scores());
}

TEST_F(InterPodAffinityTest, PreScoreSkipsIfNoPodCounts) {
  EXPECT_EQ(Score(MakePod("p").PreferredAffinity(5, Web("zone"))), Scores());
  cluster_.Add(WebPod("w").OnNode("d"));
  EXPECT_EQ(Score(MakePod("p").PreferredAffinity(5, Web("zone"))), Scores())
      << "d is in no domain of that key";
  cluster_.Add(MakePod("bound").Affinity(Web("zone")).OnNode("a"));
  EXPECT_EQ(Score(WebPod("p"), R"({"hardPodAffinityWeight":0})"), Scores());
}

TEST_F(InterPodAffinityTest, ScoresZeroIfWeightsCancelOut) {
  cluster_.Add(WebPod("w").OnNode("a"));
  EXPECT_EQ(
      Score(MakePod("p").PreferredAffinity(5, Web("zone")).PreferredAntiAffinity(5, Web("zone"))),
      (Scores{{"a", 0}, {"b", 0}, {"c", 0}, {"d", 0}}));
}

TEST_F(InterPodAffinityTest, IgnoresExistingTermsUnlessPodHasPreferredTerms) {
  constexpr const char* kIgnore = R"({"ignorePreferredTermsOfExistingPods":true})";
  cluster_.Add(MakePod("fan").Label("app", "db").PreferredAffinity(3, Web("zone")).OnNode("a"));
  EXPECT_EQ(Score(WebPod("p"), kIgnore), Scores());
  EXPECT_EQ(Score(WebPod("p").PreferredAffinity(2, PodsWith("app", "db", "host")), kIgnore),
            (Scores{{"a", 5}, {"b", 3}, {"c", 0}, {"d", 0}}));
}

TEST_F(InterPodAffinityTest, NormalizesBetweenMinAndMax) {
  EXPECT_EQ(plugin_->normalizer(), Normalizer::kMinMax);
  const std::vector<int64_t> raw = {-5, 0, 7};
  const Scale scale = Scale::Of(plugin_->normalizer(), raw);
  EXPECT_EQ(scale.Normalize(-5), 0);
  EXPECT_EQ(scale.Normalize(0), 41);
  EXPECT_EQ(scale.Normalize(7), 100);
  EXPECT_EQ(Scale::Of(Normalizer::kMinMax, std::vector<int64_t>{4, 4}).Normalize(4), 0);
}

TEST_F(InterPodAffinityTest, WorksWithoutPreFilterAndPreScore) {
  cluster_.Add(WebPod("w").OnNode("a"));
  Cycle cycle(cluster_, MakePod("p").AntiAffinity(Web("host")).PreferredAffinity(4, Web("zone")));
  EXPECT_EQ(Text(plugin_->Filter(cycle.context(), cluster_.View("a"))), kAnti);
  EXPECT_EQ(Text(plugin_->Filter(cycle.context(), cluster_.View("b"))), "Success");
  EXPECT_EQ(plugin_->Score(cycle.context(), cluster_.View("b")), 4);
  Cycle plain(cluster_, MakePod("plain"));
  EXPECT_EQ(Text(plugin_->Filter(plain.context(), cluster_.View("a"))), "Success");
  EXPECT_EQ(plugin_->Score(plain.context(), cluster_.View("a")), 0);
}

// ---- Hints

class InterPodAffinityHintTest : public InterPodAffinityTest {
 protected:
  QueueingHint OnPod(const PodBuilder& pod, const PodBuilder* before, const PodBuilder* after) {
    return plugin_->Hint(*pod.Info(cluster_.words()),
                         {Resource::kAssignedPod, action::kUpdatePodLabel, {}},
                         testing::PodChange(cluster_.words(), before, after));
  }
  QueueingHint OnNode(const PodBuilder& pod, const NodeBuilder* before, const NodeBuilder* after) {
    return plugin_->Hint(*pod.Info(cluster_.words()),
                         {Resource::kNode, action::kUpdateNodeLabel, {}},
                         testing::NodeChange(before, after));
  }

  const PodBuilder seeker_ = MakePod("p").Affinity(Web("zone"));
  const PodBuilder shy_ = MakePod("p").AntiAffinity(Web("zone"));
  const PodBuilder web_ = WebPod("o").OnNode("a");
  const PodBuilder db_ = MakePod("o").Label("app", "db").OnNode("a");
};

TEST_F(InterPodAffinityHintTest, AddedPodQueuesIfAffinityMatches) {
  EXPECT_EQ(OnPod(seeker_, nullptr, &web_), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(seeker_, nullptr, &db_), QueueingHint::kSkip);
  EXPECT_EQ(OnPod(shy_, nullptr, &web_), QueueingHint::kSkip);
  const PodBuilder waiting = WebPod("o");
  EXPECT_EQ(OnPod(seeker_, nullptr, &waiting), QueueingHint::kSkip);
  const PodBuilder nominated = WebPod("o").Nominated("a");
  EXPECT_EQ(OnPod(seeker_, nullptr, &nominated), QueueingHint::kQueue);
}

TEST_F(InterPodAffinityHintTest, DeletedPodQueuesIfAntiAffinityMatched) {
  EXPECT_EQ(OnPod(shy_, &web_, nullptr), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(shy_, &db_, nullptr), QueueingHint::kSkip);
  EXPECT_EQ(OnPod(seeker_, &web_, nullptr), QueueingHint::kSkip);
}

TEST_F(InterPodAffinityHintTest, DeletedPodQueuesIfItsAntiAffinityMatched) {
  const PodBuilder lonely = MakePod("o").AntiAffinity(Web("zone")).OnNode("a");
  EXPECT_EQ(OnPod(WebPod("p"), &lonely, nullptr), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(MakePod("p"), &lonely, nullptr), QueueingHint::kSkip);
}

TEST_F(InterPodAffinityHintTest, OneTermOfAntiAffinityIsEnough) {
  const PodBuilder picky = PodBuilder(shy_).AntiAffinity(PodsWith("app", "db", "zone"));
  EXPECT_EQ(OnPod(picky, &web_, nullptr), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(picky, &web_, &db_), QueueingHint::kSkip) << "the other term matches now";
  const PodBuilder neither = MakePod("o").OnNode("a");
  EXPECT_EQ(OnPod(picky, &web_, &neither), QueueingHint::kQueue);
  const PodBuilder lonely =
      MakePod("o").AntiAffinity(Web("zone")).AntiAffinity(PodsWith("x", "y", "zone")).OnNode("a");
  EXPECT_EQ(OnPod(WebPod("p"), &lonely, nullptr), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(MakePod("p"), &lonely, nullptr), QueueingHint::kSkip);
}

TEST_F(InterPodAffinityHintTest, AddedPodMustMatchAllTermsOfAffinity) {
  const PodBuilder picky = PodBuilder(seeker_).Affinity(PodsWith("app", "db", "zone"));
  EXPECT_EQ(OnPod(picky, nullptr, &web_), QueueingHint::kSkip);
}

TEST_F(InterPodAffinityHintTest, UpdatedPodQueuesIfAffinityMatchesNow) {
  EXPECT_EQ(OnPod(seeker_, &db_, &web_), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(seeker_, &web_, &db_), QueueingHint::kSkip);
  EXPECT_EQ(OnPod(seeker_, &web_, &web_), QueueingHint::kSkip);
  EXPECT_EQ(OnPod(shy_, &web_, &db_), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(shy_, &db_, &web_), QueueingHint::kSkip);
}

TEST_F(InterPodAffinityHintTest, OwnLabelUpdateQueues) {
  const PodBuilder before = MakePod("p");
  const PodBuilder after = WebPod("p");
  EXPECT_EQ(plugin_->Hint(*after.Info(cluster_.words()),
                          {Resource::kTargetPod, action::kUpdatePodLabel, {}},
                          testing::PodChange(cluster_.words(), &before, &after)),
            QueueingHint::kQueue);
}

TEST_F(InterPodAffinityHintTest, PodThatANamespaceSelectorMaySelectQueues) {
  api::PodAffinityTerm term = Web("zone");
  term.namespace_selector.Edit().match_labels["team"] = "red";
  const PodBuilder in_shop = PodBuilder(web_).Namespace("shop");
  const PodBuilder db_in_shop = PodBuilder(db_).Namespace("shop");
  EXPECT_EQ(OnPod(MakePod("p").Affinity(term), nullptr, &in_shop), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(MakePod("p").Affinity(term), nullptr, &db_in_shop), QueueingHint::kSkip);
  EXPECT_EQ(OnPod(MakePod("p").AntiAffinity(term), &in_shop, nullptr), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(seeker_, nullptr, &in_shop), QueueingHint::kSkip) << "no namespace selector";
  term.namespace_selector = api::LabelSelector();
  EXPECT_EQ(OnPod(MakePod("p").Affinity(term), nullptr, &in_shop), QueueingHint::kQueue);
}

TEST_F(InterPodAffinityHintTest, NamespaceQueuesIfItsLabelsMayHelp) {
  api::PodAffinityTerm term = Web("zone");
  term.namespace_selector.Edit().match_labels["team"] = "red";
  const auto on = [this](const PodBuilder& pod, const std::string& name, const std::string& team) {
    EventObjects objects;
    objects.new_namespace =
        std::make_shared<const api::Namespace>(MakeNamespace(name, {{"team", team}}));
    return plugin_->Hint(*pod.Info(cluster_.words()), {Resource::kNamespace, action::kUpdate, {}},
                         objects);
  };
  const PodBuilder seeks = MakePod("p").Affinity(term), avoids = MakePod("p").AntiAffinity(term);
  EXPECT_EQ(on(seeks, "shop", "red"), QueueingHint::kQueue);
  EXPECT_EQ(on(seeks, "shop", "blue"), QueueingHint::kSkip);
  EXPECT_EQ(on(avoids, "shop", "red"), QueueingHint::kSkip);
  EXPECT_EQ(on(avoids, "shop", "blue"), QueueingHint::kQueue);
  EXPECT_EQ(on(seeker_, "shop", "red"), QueueingHint::kSkip);
  EXPECT_EQ(on(seeker_, "default", "red"), QueueingHint::kQueue) << "the pod's own namespace";
}

TEST_F(InterPodAffinityHintTest, DeletedPeerQueuesAPodThatItsOwnAffinitySelects) {
  const PodBuilder follower = WebPod("p").Affinity(Web("zone"));
  EXPECT_EQ(OnPod(follower, &web_, nullptr), QueueingHint::kQueue);
  EXPECT_EQ(OnPod(follower, &db_, nullptr), QueueingHint::kSkip);
}

TEST_F(InterPodAffinityHintTest, InvalidTermsQueue) {
  api::PodAffinityTerm bad = Web("zone");
  bad.label_selector.Edit().match_expressions = {{"app", "Near", {}}};
  const NodeBuilder node = MakeNode("n");
  EXPECT_EQ(OnPod(MakePod("p").Affinity(bad), nullptr, &web_), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(MakePod("p").AntiAffinity(bad), nullptr, &node), QueueingHint::kQueue);
}

TEST_F(InterPodAffinityHintTest, NodeJoiningDomainQueuesForAffinity) {
  const NodeBuilder none = MakeNode("n");
  const NodeBuilder one = MakeNode("n").Label("zone", "1");
  const NodeBuilder two = MakeNode("n").Label("zone", "2");
  EXPECT_EQ(OnNode(seeker_, nullptr, &one), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(seeker_, nullptr, &none), QueueingHint::kSkip);
  EXPECT_EQ(OnNode(seeker_, &none, &one), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(seeker_, &one, &two), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(seeker_, &one, &none), QueueingHint::kSkip);
  EXPECT_EQ(OnNode(seeker_, &one, &one), QueueingHint::kSkip);
}

TEST_F(InterPodAffinityHintTest, NodeLeavingDomainQueuesForAntiAffinity) {
  const NodeBuilder none = MakeNode("n");
  const NodeBuilder one = MakeNode("n").Label("zone", "1");
  const NodeBuilder two = MakeNode("n").Label("zone", "2");
  EXPECT_EQ(OnNode(shy_, nullptr, &none), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(shy_, nullptr, &one), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(shy_, &one, &none), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(shy_, &one, &two), QueueingHint::kQueue);
  EXPECT_EQ(OnNode(shy_, &none, &one), QueueingHint::kSkip);
  EXPECT_EQ(OnNode(MakePod("p"), nullptr, &one), QueueingHint::kSkip);
}

// ---- Arguments

TEST_F(InterPodAffinityTest, ValidatesArgs) {
  const PluginDescriptor descriptor = InterPodAffinity::Descriptor();
  EXPECT_TRUE(descriptor.check({""}).empty());
  EXPECT_TRUE(descriptor.check({R"({"hardPodAffinityWeight":100})"}).empty());
  for (const char* weight : {"-1", "101"}) {
    const auto errors =
        descriptor.check({R"({"hardPodAffinityWeight":)" + std::string(weight) + "}"});
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].ToString(), "hardPodAffinityWeight: Invalid value: " + std::string(weight) +
                                        ": not in valid range [0, 100]");
  }
}

TEST_F(InterPodAffinityTest, ReadsNamespaces) {
  EXPECT_EQ(InterPodAffinity::Descriptor().ReadsWith({""}),
            ObjectKindSet({ObjectKind::kNamespace}));
}

}  // namespace
}  // namespace berth::scheduler
