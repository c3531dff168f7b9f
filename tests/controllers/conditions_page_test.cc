// SPDX-License-Identifier: Apache-2.0
// Compares the reasons of docs/conditions.md with those in the code.
#include <filesystem>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include "base/file.h"

namespace berth::controllers {
namespace {

using Words = std::set<std::string>;

// Files that name reasons of conditions and events. DescribesReasonsOfAllFiles finds a missing one.
constexpr const char* kFiles[] = {
    "controllers/apply.cc",         "controllers/conditions.cc",
    "controllers/conditions.h",     "controllers/kube_scheduler_release.cc",
    "controllers/name_ownership.h", "controllers/reconcile_errors.cc",
    "controllers/reconciler.cc",    "controllers/report.cc",
    "controllers/scheduler_pod.cc", "controllers/verdict.cc",
    "crds/allowances.cc",           "crds/effects.cc"};

// Literals of these files that are no reason: statuses, actions of events, plugins and so on.
const Words kOthers = {"True",
                       "False",
                       "Unknown",
                       "Progressing",
                       "ReplicaFailure",
                       "PodScheduled",
                       "Failed",
                       "PodInitializing",
                       "ContainerCreating",
                       "Repairing",
                       "ClusterRoleBinding",
                       "ConfigMap",
                       "Deployment",
                       "NetworkPolicy",
                       "PodDisruptionBudget",
                       "Role",
                       "RoleBinding",
                       "Service",
                       "ServiceAccount",
                       "Reconciling",
                       "Scheduling",
                       "WaitForPending",
                       "File",
                       "DefaultPreemption",
                       "DeferredPodScheduling",
                       "GangScheduling",
                       "DynamicResources",
                       "NodeDeclaredFeatures",
                       "NodeName",
                       "NodeUnschedulable",
                       "TaintToleration",
                       "PodGroupPodsCount",
                       "TopologyPlacementGenerator"};

// Examples of reasons that the kubelet and the scheduler of the scheduler's pods write.
const Words kOfPods = {
    "ImagePullBackOff", "ErrImagePull",  "CrashLoopBackOff", "CreateContainerConfigError",
    "OOMKilled",        "Unschedulable", "Evicted"};

void AddMatches(const std::string& text, const RE2& pattern, Words& words) {
  re2::StringPiece rest(text);
  for (std::string word; RE2::FindAndConsume(&rest, pattern, &word);) words.insert(word);
}

Words ReasonsInCode() {
  Words words;
  for (const char* file : kFiles) {
    AddMatches(ReadFile(file).value(), R"re("([A-Z][a-z]+(?:[A-Z][a-z]+)*)")re", words);
  }
  for (const std::string& other : kOthers) words.erase(other);
  return words;
}

// Returns the codes in the first column of the tables of reasons.
Words ReasonsInPage() {
  const std::string page = ReadFile("docs/conditions.md").value();
  Words words;
  re2::StringPiece rest(page);
  rest.remove_prefix(page.find("## Reasons"));
  for (std::string cell; RE2::FindAndConsume(&rest, R"((?m)^\| ([^|]*) \|)", &cell);) {
    AddMatches(cell, "`([A-Za-z]+)`", words);
  }
  return words;
}

TEST(ConditionsPage, DescribesExactlyTheReasonsOfTheCode) {
  Words expected = ReasonsInCode();
  expected.insert(kOfPods.begin(), kOfPods.end());
  EXPECT_THAT(ReasonsInPage(), testing::ContainerEq(expected));
}

TEST(ConditionsPage, DescribesReasonsOfAllFiles) {
  Words found;
  for (const char* folder : {"controllers", "crds"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      AddMatches(ReadFile(entry.path()).value(),
                 R"re((?:Explanation\s?\{|Rejection\{)\s*(?:std::string\()?"(\w+)")re", found);
    }
  }
  EXPECT_GT(found.size(), 5U);
  const Words page = ReasonsInPage();
  for (const std::string& reason : found) EXPECT_TRUE(page.contains(reason)) << reason;
}

}  // namespace
}  // namespace berth::controllers
