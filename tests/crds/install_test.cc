// SPDX-License-Identifier: Apache-2.0
// Tests the generated files of the repository, and that they are not stale.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>

#include "api/admission.h"
#include "api/apiextensions.h"
#include "api/apps.h"
#include "api/core.h"
#include "api/quota.h"
#include "api/rbac.h"
#include "base/file.h"
#include "base/json/json.h"
#include "base/shell.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"

namespace berth {
namespace {

std::vector<std::string> Documents(const std::string& path) {
  return yaml::DocumentsToJson(ReadFile(path).value()).value();
}

std::vector<std::string> Installation() { return Documents("deploy/install.yaml"); }

// Returns the objects of one kind, in the order of the file.
template <class T>
std::vector<T> Of() {
  std::vector<T> objects;
  for (const std::string& document : Installation()) {
    const auto identity = json::Decode<json::Identity>(document).value();
    if (identity.kind != T::kResource.kind) continue;
    objects.push_back(json::Decode<T>(document, json::Mode::kStrict).value());
  }
  return objects;
}

template <class T>
T Named(const std::string& name) {
  for (T& object : Of<T>()) {
    if (object.metadata.name == name) return std::move(object);
  }
  ADD_FAILURE() << "no " << T::kResource.kind << " " << name;
  return {};
}

bool Contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

TEST(Installation, AppliesNamespaceAndCrdsFirstOperatorLast) {
  std::vector<std::string> kinds;
  for (const std::string& document : Installation()) {
    kinds.push_back(json::Decode<json::Identity>(document).value().kind);
  }
  ASSERT_GT(kinds.size(), 4u);
  EXPECT_EQ(kinds[0], "Namespace");
  EXPECT_EQ(kinds[1], "CustomResourceDefinition");
  EXPECT_EQ(kinds.back(), "Deployment");
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "ValidatingAdmissionPolicy"), 2);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "ValidatingAdmissionPolicyBinding"), 2);
}

template <class Role>
void ExpectNoWayOut(const Role& role) {
  for (const api::PolicyRule& rule : role.rules) {
    for (const auto* words : {&rule.api_groups, &rule.resources, &rule.verbs}) {
      EXPECT_FALSE(Contains(*words, "*")) << role.metadata.name;
    }
    EXPECT_FALSE(Contains(rule.verbs, "escalate")) << role.metadata.name;
    EXPECT_FALSE(Contains(rule.verbs, "impersonate")) << role.metadata.name;
    EXPECT_FALSE(Contains(rule.resources, "secrets")) << role.metadata.name;
    EXPECT_FALSE(Contains(rule.resources, "nodes/proxy")) << role.metadata.name;
    EXPECT_FALSE(Contains(rule.resources, "serviceaccounts/token")) << role.metadata.name;
  }
}

TEST(Installation, GrantsNoWildcardsSecretsOrEscalation) {
  for (const auto& role : Of<api::ClusterRole>()) ExpectNoWayOut(role);
  for (const auto& role : Of<api::Role>()) ExpectNoWayOut(role);
}

TEST(Installation, OperatorMayBindOnlySchedulerRoles) {
  std::vector<std::string> allowed = {"system:kube-scheduler", "system:volume-scheduler"};
  for (const auto& role : Of<api::ClusterRole>()) {
    if (role.metadata.labels.at("app.kubernetes.io/component") == "capability") {
      allowed.push_back(role.metadata.name);
    }
  }
  EXPECT_THAT(allowed, testing::Contains("berth:base"));
  int binds = 0;
  for (const api::PolicyRule& rule : Named<api::ClusterRole>("berth:operator").rules) {
    if (!Contains(rule.verbs, "bind")) continue;
    ++binds;
    EXPECT_THAT(rule.resource_names, testing::UnorderedElementsAreArray(allowed));
    EXPECT_THAT(rule.resources, testing::ElementsAre("clusterroles"));
  }
  EXPECT_EQ(binds, 1);
}

TEST(Installation, GuardListsSameCapabilities) {
  const auto guard = Named<api::ValidatingAdmissionPolicy>("berth-operator-bindings");
  for (const auto& role : Of<api::ClusterRole>()) {
    const bool is_capability =
        role.metadata.labels.at("app.kubernetes.io/component") == "capability";
    const bool is_known = std::ranges::any_of(guard.spec.variables, [&](const auto& variable) {
      return variable.expression.find("'" + role.metadata.name + "'") != std::string::npos;
    });
    EXPECT_EQ(is_known, is_capability) << role.metadata.name;
  }
}

TEST(Installation, HasNoUnusedRules) {
  const auto check = [](const auto& role) {
    for (const api::PolicyRule& rule : role.rules) {
      const bool core_events = Contains(rule.api_groups, "") && Contains(rule.resources, "events");
      EXPECT_FALSE(core_events) << role.metadata.name << ": events are written to events.k8s.io";
      EXPECT_FALSE(Contains(rule.resources, "controllerrevisions")) << role.metadata.name;
      // Affinity needs the list of namespaces and their labels to select pods.
      const bool reads_them =
          role.metadata.name == "berth:operator" || role.metadata.name == "berth:namespaces";
      EXPECT_TRUE(reads_them || !Contains(rule.resources, "namespaces")) << role.metadata.name;
    }
  };
  for (const auto& role : Of<api::ClusterRole>()) check(role);
  for (const auto& role : Of<api::Role>()) check(role);
}

TEST(Installation, OperatorReadsOneEndpointSlice) {
  int rules = 0;
  for (const api::PolicyRule& rule : Named<api::ClusterRole>("berth:operator").rules) {
    if (!Contains(rule.resources, "endpointslices")) continue;
    ++rules;
    EXPECT_THAT(rule.resource_names, testing::ElementsAre("kubernetes"));
    EXPECT_THAT(rule.verbs, testing::ElementsAre("get", "list", "watch"));
  }
  EXPECT_EQ(rules, 1);
}

TEST(Installation, OperatorRoleEqualsManagedNamespaceRole) {
  const auto own = Named<api::Role>("berth-operator");
  EXPECT_EQ(own.metadata.namespace_, "berth-system");
  EXPECT_EQ(own.rules, Named<api::ClusterRole>("berth:operator-namespace").rules);

  const auto documents = Documents("deploy/managed-namespace.yaml");
  ASSERT_EQ(documents.size(), 2u);
  const auto binding = json::Decode<api::RoleBinding>(documents[0], json::Mode::kStrict).value();
  EXPECT_EQ(binding.role_ref.name, "berth:operator-namespace");
  EXPECT_EQ(binding.metadata.namespace_, "") << "kubectl -n sets the namespace";
  auto quota = json::Decode<api::ResourceQuota>(documents[1], json::Mode::kStrict).value();
  EXPECT_EQ(quota.metadata.namespace_, "");
  EXPECT_EQ(quota.spec, Named<api::ResourceQuota>("berth-critical-pods").spec);
}

TEST(Installation, QuotaAdmitsPriorityClassOfOperator) {
  const auto quota = Named<api::ResourceQuota>("berth-critical-pods");
  const auto deployment = Named<api::Deployment>("berth-operator");
  EXPECT_EQ(quota.metadata.namespace_, deployment.metadata.namespace_);
  ASSERT_EQ(quota.spec.scope_selector->match_expressions.size(), 1u);
  const auto& scope = quota.spec.scope_selector->match_expressions[0];
  EXPECT_EQ(scope.scope_name, "PriorityClass");
  EXPECT_THAT(scope.values,
              testing::ElementsAre(deployment.spec.template_.spec.priority_class_name));
}

// kustomize's namespace transformer changes fields, not texts.
TEST(Installation, NamespaceAppearsOnlyInFields) {
  int mentions = 0;
  const std::string text = ReadFile("deploy/install.yaml").value();
  for (const std::string_view line : Split(text, '\n')) {
    if (line.find("berth-system") == line.npos) continue;
    ++mentions;
    EXPECT_THAT(std::string(line), testing::MatchesRegex(" +(namespace|name): berth-system"));
  }
  EXPECT_GT(mentions, 0);
}

TEST(Installation, OperatorRunsAsRestrictedPod) {
  EXPECT_EQ(Named<api::Namespace>("berth-system")
                .metadata.labels.at("pod-security.kubernetes.io/enforce"),
            "restricted");
  const auto deployment = Named<api::Deployment>("berth-operator");
  const api::PodSpec& pod = deployment.spec.template_.spec;
  EXPECT_EQ(pod.automount_service_account_token, false);
  EXPECT_EQ(pod.security_context->run_as_non_root, true);
  EXPECT_EQ(pod.security_context->run_as_user, std::nullopt) << "OpenShift chooses one";
  EXPECT_EQ(pod.security_context->fs_group, std::nullopt);
  EXPECT_EQ(*pod.node_selector,
            (api::StringMap{{"kubernetes.io/arch", "amd64"}, {"kubernetes.io/os", "linux"}}));
  EXPECT_EQ(pod.security_context->seccomp_profile->type, "RuntimeDefault");
  ASSERT_EQ(pod.containers.size(), 1u);
  const api::SecurityContext& container = *pod.containers[0].security_context;
  EXPECT_EQ(container.allow_privilege_escalation, false);
  EXPECT_EQ(container.read_only_root_filesystem, true);
  EXPECT_THAT(container.capabilities->drop, testing::ElementsAre("ALL"));
  for (const auto& [key, value] : deployment.spec.selector->match_labels) {
    EXPECT_EQ(deployment.spec.template_.metadata.labels.at(key), value);
  }
}

// Outcome is the exit code and the output of the generator.
struct Outcome {
  int code;
  std::string text;
};

Outcome Generate(const std::string& arguments) {
  const char* binaries = std::getenv("BERTH_BINARY_DIR");
  if (binaries == nullptr) return {-1, "BERTH_BINARY_DIR is not set; run the test with ctest"};
  const std::string command = "'" + std::string(binaries) + "/generate' " + arguments + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {-1, "cannot run " + command};
  Outcome outcome{0, {}};
  std::array<char, 512> part;
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) outcome.text += part.data();
  outcome.code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

TEST(Generate, RepositoryIsUpToDate) {
  const Outcome outcome = Generate("--check");
  EXPECT_EQ(outcome.code, 0) << outcome.text;
}

TEST(Generate, NamesStaleAndMissingFiles) {
  const std::filesystem::path root = std::filesystem::path(testing::TempDir()) /
                                     ("berth-generate-test-" + std::to_string(::getpid()));
  std::filesystem::remove_all(root);
  const std::string at_root = "--root " + ShellWord(root.string());

  const Outcome missing = Generate("--check " + at_root);
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.text, testing::HasSubstr("deploy/install.yaml is missing"));

  EXPECT_EQ(Generate(at_root).code, 0);
  EXPECT_EQ(Generate("--check " + at_root).code, 0);

  const Outcome stale = Generate("--check --image other:1 " + at_root);
  EXPECT_EQ(stale.code, 1);
  EXPECT_THAT(stale.text, testing::HasSubstr("deploy/install.yaml is stale"));
  EXPECT_THAT(stale.text, testing::Not(testing::HasSubstr("crds/manifests")));
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace berth
