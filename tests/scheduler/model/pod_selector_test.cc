// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/pod_selector.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using testing::MakePod;
using testing::PodBuilder;

api::LabelSelector WithLabel(const std::string& key, const std::string& value) {
  return {.match_labels = {{key, value}}, .match_expressions = {}};
}

api::LabelSelector Without(const std::string& key) {
  return {.match_labels = {}, .match_expressions = {{key, "DoesNotExist", {}}}};
}

class PodSelectorTest : public ::testing::Test {
 protected:
  PodSelectorTest() { term_.label_selector = WithLabel("app", "db"); }

  bool Matches(const PodBuilder& pod, const api::StringMap& namespace_labels = {}) {
    const auto selector = SelectorOf(term_, "home");
    EXPECT_TRUE(selector.has_value()) << selector.error().message();
    return selector && selector->Matches(*pod.Info(words_), LabelSet(namespace_labels, words_));
  }
  static PodBuilder Db(const std::string& ns) {
    return MakePod("db").Namespace(ns).Label("app", "db");
  }

  Vocabulary words_;
  api::PodAffinityTerm term_;
};

TEST_F(PodSelectorTest, TermWithoutNamespacesUsesThePodsNamespace) {
  EXPECT_TRUE(Matches(Db("home")));
  EXPECT_FALSE(Matches(Db("away")));
  EXPECT_FALSE(Matches(MakePod("web").Namespace("home").Label("app", "web")));
  EXPECT_FALSE(Matches(MakePod("bare").Namespace("home")));
  term_.namespaces = {"away", "abroad", "away"};
  EXPECT_TRUE(Matches(Db("away")));
  EXPECT_TRUE(Matches(Db("abroad")));
  EXPECT_FALSE(Matches(Db("home")));
}

TEST_F(PodSelectorTest, CombinesListedAndSelectedNamespaces) {
  term_.namespaces = {"listed"};
  term_.namespace_selector = WithLabel("team", "a");
  EXPECT_TRUE(Matches(Db("listed")));
  EXPECT_TRUE(Matches(Db("other"), {{"team", "a"}}));
  EXPECT_FALSE(Matches(Db("other"), {{"team", "b"}}));
  EXPECT_FALSE(Matches(Db("home"))) << "the pod's own namespace is not added";
  term_.namespace_selector = api::LabelSelector();
  EXPECT_TRUE(Matches(Db("any")));
}

TEST_F(PodSelectorTest, NegativeNamespaceSelectorReadsTheNamespacesLabels) {
  term_.namespace_selector = Without("system");
  EXPECT_FALSE(Matches(Db("kube-system"), {{"system", "yes"}}));
  EXPECT_TRUE(Matches(Db("other"), {{"team", "a"}}));
  EXPECT_TRUE(Matches(Db("unlabeled")));
}

TEST_F(PodSelectorTest, AbsentLabelSelectorMatchesNoPod) {
  term_.label_selector = {};
  EXPECT_FALSE(Matches(Db("home")));
  term_.label_selector = api::LabelSelector();
  EXPECT_TRUE(Matches(MakePod("bare").Namespace("home")));
}

TEST_F(PodSelectorTest, InvalidSelectorIsAnError) {
  term_.label_selector = api::LabelSelector{{}, {{"app", "Near", {"db"}}}};
  EXPECT_EQ(SelectorOf(term_, "home").error().message(),
            "\"Near\" is not a valid label selector operator");
}

TEST_F(PodSelectorTest, KeysAreEqualOnlyForEqualSelectors) {
  const auto key = [this](const std::string& ns) { return SelectorOf(term_, ns)->Key(); };
  EXPECT_EQ(key("home"), key("home"));
  EXPECT_NE(key("home"), key("away"));
  const std::string by_label = key("home");
  term_.label_selector = Without("app");
  EXPECT_NE(key("home"), by_label);
  term_.label_selector = {};
  const std::string none = key("home");
  term_.label_selector = api::LabelSelector();
  EXPECT_NE(key("home"), none) << "selecting nothing differs from selecting everything";
}

TEST(Exclusion, SelectsTheBaseWithoutTheExcludedPods) {
  Vocabulary words;
  const api::LabelSelector source{
      .match_labels = {{"app", "web"}},
      .match_expressions = {
          {"job", "Exists", {}}, {"job", "NotIn", {"1", "2"}}, {"tier", "NotIn", {"x"}}}};
  const PodSelector selector{.namespaces = {"default"}, .labels = *api::Selector::Create(source)};
  const auto exclusion = ExclusionOf(selector);
  ASSERT_TRUE(exclusion);
  EXPECT_EQ(exclusion->excluded.key, "job");
  EXPECT_EQ(exclusion->base.namespaces, selector.namespaces);
  for (const char* job : {"", "1", "2", "3"}) {
    for (const char* tier : {"", "x"}) {
      PodBuilder pod = MakePod("p").Label("app", "web");
      if (*job != 0) pod.Label("job", job);
      if (*tier != 0) pod.Label("tier", tier);
      const auto info = pod.Info(words);
      const bool in_base = exclusion->base.Matches(*info, LabelSet());
      EXPECT_EQ(in_base && !exclusion->OfExcluded().Matches(*info, LabelSet()),
                selector.Matches(*info, LabelSet()))
          << job << " " << tier;
    }
  }
  EXPECT_FALSE(ExclusionOf({.labels = api::Selector::FromMap({{"app", "web"}})}));
  EXPECT_FALSE(ExclusionOf({.labels = api::Selector::Nothing()}));
}

}  // namespace
}  // namespace berth::scheduler
