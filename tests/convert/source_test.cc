// SPDX-License-Identifier: Apache-2.0
#include "convert/source.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/conversion.h"

namespace berth::convert {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Source, ShowsTheLineOfAMissingComma) {
  EXPECT_EQ(ErrorOf(InputText("policy-missing-comma.json"), {.source = "policy.json"}),
            "policy.json: line 27, column 7: expected \",\" or \"}\", found \"httpTimeout\"\n"
            "    26 |       \"nodeCacheCapable\": false\n"
            "    27 |       \"httpTimeout\": 10000000000\n"
            "       |       ^");
}

struct TextCase {
  std::string text;
  std::string error;
};

TEST(Source, ShowsTheLineOfEachError) {
  const TextCase rows[] = {
      {"{\"kind\": \"Policy\",\n \"predicates\": [],\n}",
       "file.yaml: line 2, column 18: expected a name in double quotes, found \"}\": this comma is "
       "one "
       "too many\n"
       "     1 | {\"kind\": \"Policy\",\n"
       "     2 |  \"predicates\": [],\n"
       "       |                  ^"},
      {"{\"kind\": \"Policy\", \"predicates\": [{\"name\": \"HostName\"},]}",
       "file.yaml: line 1, column 55: expected a value, found \"]\": this comma is one too many\n"},
      {"{\"kind\": \"Policy\",\n \"kind\": \"Policy\"}",
       "file.yaml: line 2, column 2: duplicate key \"kind\"\n"
       "     1 | {\"kind\": \"Policy\",\n"
       "     2 |  \"kind\": \"Policy\"}\n"
       "       |  ^"},
      {"kind: Policy\npredicates: []\npredicates: []\n",
       "file.yaml: line 3, column 1: duplicate key \"predicates\"\n"},
      {"kind: Policy\npredicates:\n\t- name: HostName\n",
       "file.yaml: line 3, column 1: found a tab, expected spaces: YAML allows only spaces for "
       "indentation\n"
       "     2 | predicates:\n"
       "     3 |  - name: HostName\n"
       "       | ^"},
      {"{\"kind\": \"Policy\"",
       "file.yaml: line 1, column 18: expected \",\" or \"}\", found the end"},
      {"kind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: |\n    {\"kind\": \"Policy\"\n     "
       "\"predicates\": []}\n",
       "file.yaml: ConfigMap c, data[a]: line 2, column 2: expected \",\" or \"}\", found "
       "\"predicates\"\n"
       "     1 | {\"kind\": \"Policy\"\n"
       "     2 |  \"predicates\": []}\n"
       "       |  ^"},
      {"", "file.yaml: the file is empty"},
      {"# nothing\n", "file.yaml: the file is empty"},
      {"predicates: []",
       "file.yaml: kind: Required value: Policy, KubeSchedulerConfiguration, or the kind of a "
       "manifest"},
      {"kind: ServiceAccount\nmetadata: {name: a}",
       "file.yaml: no Policy, KubeSchedulerConfiguration or scheduler found"},
      {"kind: ServiceAccount\nmetadata: {name: a}\n---\nmetadata: {name: b}",
       "file.yaml: document 2: kind: Required value"},
      {"apiVersion: berth.dev/v1alpha1\nkind: SchedulerProfile\nmetadata: {name: a}",
       "file.yaml: SchedulerProfile a: already a SchedulerProfile, nothing to convert"},
      {"[1]", "file.yaml: document: expected an object, found a list"},
  };
  for (const TextCase& row : rows) {
    EXPECT_THAT(ErrorOf(row.text), StartsWith(row.error)) << row.text;
  }
}

TEST(Source, ReadsYamlInBraces) { EXPECT_EQ(ErrorOf("{kind: Policy, predicates: [],}"), ""); }

TEST(Source, ReadsPoliciesOfSchedulersOnly) {
  const char* const read[] = {
      "kind: Policy\napiVersion: v1\n",
      "kind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: |\n    kind: Policy\n    apiVersion: v1\n",
      "kind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: '{\"kind\": \"Policy\", "
      "\"alwaysCheckAllPredicates\": true}'\n",
      "kind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: '{\"kind\": \"Policy\", \"apiVersion\": "
      "\"v1\"}'\n",
      "kind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: '{\"apiVersion\":\"v1\",\"kind\" : "
      "\"Policy\"}'\n",
  };
  for (const char* const text : read) {
    EXPECT_EQ(ConversionOf(text).profiles.size(), 1U) << text;
  }
  const char* const dropped[] = {
      "kind: Policy\napiVersion: kyverno.io/v1\nmetadata: {name: p}\nspec: {}\n",
      "kind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: |\n    kind: Policy\n    apiVersion: "
      "audit.k8s.io/v1\n    rules: []\n",
  };
  for (const char* const text : dropped) {
    EXPECT_EQ(ErrorOf(text), "file.yaml: no Policy, KubeSchedulerConfiguration or scheduler found");
  }
}

TEST(Source, ReadsTheFirstNameOfV1Alpha1) {
  const Conversion conversion = ConversionOf(
      "{apiVersion: componentconfig/v1alpha1, kind: KubeSchedulerConfiguration, schedulerName: s, "
      "failureDomains: x, leaderElection: {lockObjectName: l}}");
  EXPECT_EQ(conversion.profiles[0].profile.metadata.name, "s");
  EXPECT_THAT(ReportOf(conversion), HasSubstr("dropped      failureDomains: unknown field"));
}

TEST(Source, ReportsUnrelatedObjects) {
  const std::string report = ReportOf(ConversionOf(
      "kind: Policy\n---\nkind: ServiceAccount\nmetadata: {name: a, namespace: ns}\n---\nkind: "
      "ClusterRole\nmetadata: {name: b}\n---\nkind: Service\nmetadata: {name: c}\n---\nkind: "
      "Namespace\nmetadata: {name: d}\n---\nkind: Secret\nmetadata: {name: e}\n---\nkind: "
      "ConfigMap\nmetadata: {name: f}\ndata: {a: b}\n---\nkind: Deployment\nmetadata: {name: g}\n"
      "spec: {template: {spec: {containers: [{name: web, image: nginx}]}}}\n"));
  EXPECT_THAT(report, HasSubstr("dropped      ServiceAccount ns/a: each profile has its own "
                                "service account"));
  EXPECT_THAT(report, HasSubstr("dropped      ClusterRole b: the operator grants only the "
                                "permissions"));
  EXPECT_THAT(report, HasSubstr("dropped      Service c: the operator creates one for each "
                                "profile"));
  EXPECT_THAT(report, HasSubstr("dropped      Namespace d: profiles are cluster-scoped"));
  EXPECT_THAT(report, HasSubstr("dropped      Secret e: not part of a scheduler's configuration"));
  EXPECT_THAT(report, HasSubstr("dropped      ConfigMap f: no scheduler configuration found"));
  EXPECT_THAT(report, HasSubstr("dropped      Deployment g: no container looks like a scheduler"));
}

TEST(Source, ReadsOnlyConfigurationsFromConfigMaps) {
  const std::string other = "\n  notes: 'the Policy: [is {not'\n  empty: ''";
  const Conversion conversion = ConversionOf(
      "kind: ConfigMap\nmetadata: {name: c}\ndata:\n  p: |\n    kind: 'Policy'\n    "
      "predicates: []" +
      other);
  EXPECT_EQ(conversion.profiles.size(), 1U);
  EXPECT_EQ(ErrorOf("kind: ConfigMap\nmetadata: {name: c}\ndata:" + other),
            "file.yaml: no Policy, KubeSchedulerConfiguration or scheduler found");
}

TEST(Source, ReadsTheItemsOfAList) {
  const Conversion conversion = ConversionOf(
      "kind: List\nitems: [{kind: ConfigMap, metadata: {name: c, namespace: ns}, data: "
      "{policy.cfg: "
      "'{\"kind\": \"Policy\", \"predicates\": []}'}}]");
  EXPECT_EQ(conversion.profiles[0].profile.metadata.name, "c");
  EXPECT_THAT(ReportOf(conversion),
              HasSubstr("exact        ConfigMap ns/c, data[policy.cfg]: predicates (mandatory)"));
}

}  // namespace
}  // namespace berth::convert
