// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/harness/cluster_test.h"

#include <algorithm>
#include <cctype>
#include <iostream>

#include "tests/e2e/harness/pod_view.h"

namespace berth::e2e {
namespace {

using std::chrono::seconds;

constexpr const char* kOperatorPods =
    "app.kubernetes.io/name=berth,app.kubernetes.io/component=operator";
constexpr int kToolsUser = 65532;  // of the tools image
constexpr const char* kTestLabel = "berth.dev/e2e";

// Returns all objects with Berth's name, of the kinds of an installation and its profiles.
std::vector<std::string> WhatIsLeft(RealCluster& cluster) {
  static constexpr const char* kKinds[] = {"customresourcedefinition",
                                           "clusterrole",
                                           "clusterrolebinding",
                                           "validatingadmissionpolicy",
                                           "validatingadmissionpolicybinding",
                                           "namespace",
                                           "role",
                                           "rolebinding",
                                           "serviceaccount",
                                           "deployment",
                                           "configmap",
                                           "lease",
                                           "service",
                                           "networkpolicy",
                                           "poddisruptionbudget",
                                           "pod"};
  std::vector<std::string> left;
  for (const char* kind : kKinds) {
    for (const Json& object : cluster.List(kind, "")) {
      const std::string name = TextAt(object, "/metadata/name");
      if (name.starts_with("berth") || name.ends_with("berth.dev")) {
        left.push_back(std::string(kind) + " " + name);
      }
    }
  }
  return left;
}

bool IsReady(const Json& object) {
  return Condition(object, "Ready").value("status", "") == "True";
}

std::string InLowerCase(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

std::string OperatorLeader() {
  const Json lease = RealCluster::Instance().Get("lease", "berth-operator", kNamespace);
  const std::string holder = TextAt(lease, "/spec/holderIdentity");
  return holder.substr(0, holder.find('_'));
}

testing::AssertionResult OperatorRuns(int replicas) {
  RealCluster& cluster = RealCluster::Instance();
  return Eventually("the operator", seconds(60), [&]() -> std::string {
    const std::vector<Json> pods = PodsOf(cluster, kNamespace, kOperatorPods);
    if (std::ssize(pods) != replicas) return std::to_string(pods.size()) + " pods";
    if (!std::ranges::all_of(pods, IsReady)) return At(pods.front(), "/status").dump();
    const std::string leader = OperatorLeader();
    const bool leads = std::ranges::any_of(
        pods, [&](const Json& pod) { return TextAt(pod, "/metadata/name") == leader; });
    return leads ? "" : "the leader is \"" + leader + "\"";
  });
}

void ExpectProfilesEnd() {
  RealCluster& cluster = RealCluster::Instance();
  EXPECT_EQ(cluster.List("sprof", ""), Json::array());
  EXPECT_TRUE(Eventually("the end of schedulers and tests", seconds(90), [&]() -> std::string {
    for (const Json& left : {cluster.List("pod", kNamespace, "berth.dev/profile"),
                             cluster.List("namespace", "", kTestLabel)}) {
      if (!left.empty()) return TextAt(left.front(), "/metadata/name");
    }
    return "";
  }));
}

void ExpectNothingLeft() {
  RealCluster& cluster = RealCluster::Instance();
  EXPECT_TRUE(Eventually("nothing of Berth's", seconds(60), [&]() -> std::string {
    const std::vector<std::string> left = WhatIsLeft(cluster);
    return left.empty() ? "" : left.front();
  }));
}

void ClusterTest::SetUp() {
  const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
  static int count = 0;
  ns_ = "e2e-" + InLowerCase(test->test_suite_name()) + "-" + std::to_string(++count);
  cluster_.Create("namespace", "",
                  {{"apiVersion", "v1"},
                   {"kind", "Namespace"},
                   {"metadata", {{"name", ns_}, {"labels", {{kTestLabel, ""}}}}}});
  ASSERT_TRUE(Eventually("the account of pods", seconds(10), [this]() -> std::string {
    return cluster_.Get("serviceaccount", "default", ns_).is_null() ? "not there" : "";
  }));
}

void ClusterTest::TearDown() {
  if (HasFailure()) {
    std::cerr
        << cluster_.TryKubectl({"get", "sprof,deployments,pods", "-A", "-o", "wide"}).out
        << cluster_.TryKubectl({"get", "sprof", "-o", "yaml"}).out
        << cluster_.TryKubectl({"logs", "-n", kNamespace, "-l", kOperatorPods, "--tail=50"}).out;
  }
  for (const std::string& profile : profiles_) cluster_.Delete("sprof", profile);
  cluster_.Delete("namespace", ns_);
}

void ClusterTest::CreateProfile(const std::string& name, const Json& spec) {
  profiles_.push_back(name);
  cluster_.Create("sprof", "",
                  {{"apiVersion", "berth.dev/v1alpha1"},
                   {"kind", "SchedulerProfile"},
                   {"metadata", {{"name", name}}},
                   {"spec", spec}});
}

void ClusterTest::PatchSpec(const std::string& profile, const Json& spec) {
  cluster_.Patch("sprof", profile, "", {{"spec", spec}});
}

testing::AssertionResult ClusterTest::EventuallyHas(const std::string& profile,
                                                    const std::string& type,
                                                    const std::string& status,
                                                    const std::string& reason, seconds limit) {
  const std::string what = profile + " to have " + type + "=" + status + "/" + reason;
  return Eventually(what, limit, [&]() -> std::string {
    const Json object = cluster_.Get("sprof", profile);
    const Json condition = Condition(object, type);
    const bool is_current =
        At(condition, "/observedGeneration") == At(object, "/metadata/generation");
    const bool has =
        condition.value("status", "") == status && condition.value("reason", "") == reason;
    return is_current && has ? "" : At(object, "/status/conditions").dump();
  });
}

testing::AssertionResult ClusterTest::EventuallyReady(const std::string& profile) {
  return EventuallyHas(profile, "Ready", "True", "Ready", seconds(60));
}

testing::AssertionResult ClusterTest::EventuallyRun(const std::vector<std::string>& pods,
                                                    seconds limit) {
  return Eventually(std::to_string(pods.size()) + " pods", limit, [&]() -> std::string {
    std::set<std::string> ready;
    for (const Json& pod : cluster_.List("pod", ns_)) {
      if (IsReady(pod)) ready.insert(TextAt(pod, "/metadata/name"));
    }
    for (const std::string& pod : pods) {
      if (!ready.contains(pod)) return At(cluster_.Get("pod", pod, ns_), "/status").dump();
    }
    return "";
  });
}

void ClusterTest::AwaitPlacements(size_t more) {
  const size_t wanted = PlacementsIn(cluster_, ns_).size() + more;
  EXPECT_TRUE(Eventually("placed pods", seconds(30), [&]() -> std::string {
    const size_t placed = PlacementsIn(cluster_, ns_).size();
    return placed >= wanted ? "" : std::to_string(placed);
  }));
}

void ClusterTest::ExpectEverythingRuns(PodStream& stream, size_t may_lack_event) {
  stream.Stop();
  EXPECT_EQ(stream.Rejections(), std::vector<std::string>());
  EXPECT_TRUE(EventuallyRun(stream.Names()));
  EXPECT_TRUE(Eventually("events of the pods", seconds(10), [&]() -> std::string {
    std::set<std::string> placed;
    for (const Placement& placement : PlacementsIn(cluster_, ns_)) placed.insert(placement.pod);
    std::vector<std::string> lacking;
    std::ranges::copy_if(stream.Names(), std::back_inserter(lacking),
                         [&placed](const std::string& pod) { return !placed.contains(pod); });
    return lacking.size() <= may_lack_event ? "" : lacking.front() + " has none";
  }));
  EXPECT_TRUE(NeverTwoAtOnce(PlacementsIn(cluster_, ns_)));
}

std::string ClusterTest::RunScript(const std::string& name, const std::string& scheduler,
                                   const Json& volume, const std::string& script,
                                   const Json& spec) {
  Json with_name = volume;
  with_name["name"] = "data";
  const Json mount = {{"name", "data"}, {"mountPath", "/data"}};
  const Json container = {{"name", "tools"},
                          {"image", cluster_.images().tools},
                          {"imagePullPolicy", "IfNotPresent"},
                          {"command", {"/bin/busybox", "sh", "-ec", script}},
                          {"volumeMounts", Json::array({mount})}};
  Json whole = {{"restartPolicy", "Never"},
                {"securityContext", {{"runAsUser", kToolsUser}, {"fsGroup", kToolsUser}}},
                {"volumes", Json::array({with_name})},
                {"containers", Json::array({container})}};
  whole.update(spec);
  cluster_.Create("pod", ns_, PausePod(ns_, name, scheduler, whole));
  EXPECT_TRUE(Eventually(name + " to succeed", seconds(90), [&]() -> std::string {
    const Json status = At(cluster_.Get("pod", name, ns_), "/status");
    return TextAt(status, "/phase") == "Succeeded" ? "" : status.dump();
  }));
  return cluster_.Kubectl({"logs", name, "-n", ns_}).out;
}

std::vector<Json> ClusterTest::SchedulerPods(const std::string& profile) {
  return PodsOf(cluster_, kNamespace, "berth.dev/profile=" + profile);
}

std::set<std::string> ClusterTest::Containers(const std::string& profile) {
  std::set<std::string> containers;
  for (const Json& pod : SchedulerPods(profile)) {
    for (const Json& status : At(pod, "/status/containerStatuses")) {
      containers.insert(TextAt(pod, "/metadata/name") + " " + status.value("containerID", "") +
                        " " + std::to_string(status.value("restartCount", 0)));
    }
  }
  return containers;
}

}  // namespace berth::e2e
