// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/profile_fixture.h"

#include <iostream>

#include "base/strings.h"

namespace berth::integration {

using std::chrono::seconds;

namespace {

Json ProfileOf(const std::string& name, const Json& spec) {
  Json profile = {{"apiVersion", "berth.dev/v1alpha1"},
                  {"kind", "SchedulerProfile"},
                  {"metadata", {{"name", name}}}};
  if (!spec.is_null()) profile["spec"] = spec;
  return profile;
}

}  // namespace

std::string ManifestOf(const std::string& name, const Json& spec) {
  return ProfileOf(name, spec).dump();
}

void ProfileTest::TearDown() {
  for (const std::string& pod : pods_) cluster_.Delete("pod", pod, "default");
  for (const std::string& profile : profiles_) cluster_.Delete("sprof", profile);
  for (const std::string& node : nodes_) cluster_.Delete("node", node);
  if (HasFailure()) {
    std::cerr << "--- operator:\n" << cluster_.operator_process().Output() << "---\n";
  }
}

void ProfileTest::CreateProfile(const std::string& name, const Json& spec) {
  profiles_.push_back(name);
  cluster_.Create("sprof", "", ProfileOf(name, spec));
  EXPECT_TRUE(EventuallyRendered(name));
}

std::vector<std::string> ProfileTest::CorrectionsSince(size_t start) {
  const std::string output = cluster_.operator_process().Output().substr(start);
  std::vector<std::string> lines;
  for (const std::string_view line : Split(output, '\n')) {
    if (line.find("DriftRepaired") != line.npos) lines.emplace_back(line);
  }
  return lines;
}

testing::AssertionResult ProfileTest::EventuallyRendered(const std::string& profile) {
  return Eventually("Deployment berth-" + profile, seconds(10), [&]() -> std::string {
    const Json deployment = cluster_.Get("deployment", "berth-" + profile, kNamespace);
    if (deployment.is_null()) return "not there";
    const bool current =
        At(deployment, "/metadata/ownerReferences/0/uid") == At(Profile(profile), "/metadata/uid");
    return current ? "" : "still from a deleted profile with this name";
  });
}

void ProfileTest::PatchSpec(const std::string& profile, const Json& spec) {
  cluster_.Patch("sprof", profile, "", {{"spec", spec}});
}

void ProfileTest::AddNode(const std::string& name, const std::string& cpu, const Json& labels) {
  nodes_.push_back(name);
  cluster_.AddNode(name, cpu, labels);
}

void ProfileTest::AddPod(const std::string& name, const std::string& scheduler,
                         const std::string& cpu, const Json& spec) {
  pods_.push_back(name);
  cluster_.AddPod(name, scheduler, cpu, spec);
}

std::string ProfileTest::Rendered(const std::string& profile, const std::string& key) {
  const Json data = At(cluster_.Get("configmap", "berth-" + profile, kNamespace), "/data");
  return data.is_object() ? data.value(key, "") : "";
}

std::string ProfileTest::Reported(const std::string& profile, const std::string& key) {
  const Json annotations =
      At(cluster_.Get("lease", "berth-" + profile, kNamespace), "/metadata/annotations");
  return annotations.is_object() ? annotations.value("berth.dev/" + key, "") : "";
}

testing::AssertionResult ProfileTest::EventuallyBound(const std::string& pod,
                                                      const std::string& node) {
  return Eventually("pod " + pod + " on " + node, seconds(10), [&]() -> std::string {
    const std::string on = cluster_.NodeOf(pod);
    return on == node ? "" : on.empty() ? "not bound" : "on " + on;
  });
}

testing::AssertionResult ProfileTest::EventuallyRejected(const std::string& pod,
                                                         const std::string& message) {
  return Eventually("pod " + pod + " rejected: " + message, seconds(10), [&]() -> std::string {
    const Json condition = Condition(cluster_.Get("pod", pod, "default"), "PodScheduled");
    const bool same = condition.value("status", "") == "False" &&
                      condition.value("reason", "") == "Unschedulable" &&
                      condition.value("message", "").starts_with(message);
    return same ? "" : condition.dump();
  });
}

testing::AssertionResult ProfileTest::EventuallyHas(const std::string& profile,
                                                    const std::string& type,
                                                    const std::string& status,
                                                    const std::string& reason) {
  const std::string what = profile + " to have " + type + "=" + status + "/" + reason;
  return Eventually(what, seconds(10), [&]() -> std::string {
    const Json object = Profile(profile);
    const Json condition = Condition(object, type);
    const bool current = At(condition, "/observedGeneration") == At(object, "/metadata/generation");
    const bool same =
        condition.value("status", "") == status && condition.value("reason", "") == reason;
    return current && same ? "" : At(object, "/status/conditions").dump();
  });
}

testing::AssertionResult ProfileTest::EventuallyApplied(const std::string& profile) {
  return EventuallyHas(profile, "ConfigApplied", "True", "Applied");
}

}  // namespace berth::integration
