// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/typed_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

namespace berth::integration {
namespace {

TEST(TypedDocument, ValuesThatChangeBetweenRunsAreEqual) {
  EXPECT_EQ(Disagreement({"NAME  AGE", "berth-hello-68db89bfb6-tgwrs 1/1  2s 10.0.0.1"},
                         "NAME   AGE\nberth-hello-57db975df-8cxqb   1/1   1m3s   10.200.1.17\n"),
            "");
  EXPECT_EQ(Disagreement({"held by a-68db89bfb6-tgwrs_0b5d7a30-1c5f-4a6e-9d53-2f1f0c1a9b7e"},
                         "held by a-57db975df-8cxqb_9c1de3a4-77aa-4a6e-8d53-000000000000\n"),
            "");
  EXPECT_EQ(Disagreement({"at 2026-01-02T03:04:05Z"}, "at 2025-11-12T13:14:15.123456Z\n"), "");
  EXPECT_EQ(Disagreement({"failed after 0 ms: refused"}, "failed after 12 ms: refused\n"), "");
  EXPECT_NE(Disagreement({"berth-hello-68db89bfb6-tgwrs"}, "berth-other-68db89bfb6-tgwrs\n"), "");
}

TEST(TypedDocument, IgnoresTheNamespaceInDeletionOutput) {
  EXPECT_EQ(
      Disagreement({R"(pod "lost" deleted from default namespace)"}, "pod \"lost\" deleted\n"), "");
  EXPECT_NE(Disagreement({R"(pod "lost" deleted)"}, "pod \"found\" deleted\n"), "");
}

TEST(TypedDocument, ReportsTheFirstDifferentLine) {
  EXPECT_EQ(Disagreement({"hello True"}, "hello False\n"),
            "shown:   hello True\nprinted: hello False");
  EXPECT_EQ(Disagreement({"a", "b"}, "a\n"), "not printed: b");
  EXPECT_EQ(Disagreement({"a"}, "a\nb\n"), "printed, but not shown: b");
}

TEST(TypedDocument, ThreeDotsMatchAnyNumberOfLines) {
  EXPECT_EQ(Disagreement({"first", "...", "last"}, "first\nx\ny\nlast\n"), "");
  EXPECT_EQ(Disagreement({"first", "..."}, "first\n"), "");
  EXPECT_EQ(Disagreement({"...", "last"}, "first\n"), "not printed: last");
}

TEST(TypedDocument, DetectsReadOnlyCommands) {
  for (const char* line :
       {"kubectl get pods", "kubectl wait --for=delete pod/a",
        "kubectl rollout status deployment/a", "kubectl describe pod hello | grep -o assigned",
        "kubectl logs -n a deployment/b | sort", "curl -s http://10.0.0.1/metrics",
        "curl http://$(kubectl get pods -o name)/metrics"}) {
    EXPECT_TRUE(OnlyLooks(line)) << line;
  }
  for (const char* line :
       {"kubectl apply -f a.yaml", "kubectl get pod a -o yaml | kubectl replace -f -", "make demo",
        "kubectl delete pod $(kubectl get pods -o name)", "kubectl rollout restart deployment/a"}) {
    EXPECT_FALSE(OnlyLooks(line)) << line;
  }
}

TEST(TypedDocument, RetriesReadOnlyCommandsUntilTheOutputMatches) {
  int typed = 0;
  TypeBlock({{.line = "kubectl get pods", .output = {"3"}}}, [&typed](const std::string&) {
    return ProcessOutcome{.exit_code = 0, .out = std::to_string(++typed) + "\n", .err = {}};
  });
  EXPECT_EQ(typed, 3);
}

TEST(TypedDocument, RunsOtherCommandsOnceAndStopsAtAFailure) {
  static int typed = 0;
  static const std::vector<TypedCommand> kBlock = {
      {.line = "kubectl apply -f a.yaml", .output = {}},
      {.line = "kubectl get pods", .output = {}}};
  static const auto kReject = [](const std::string&) {
    ++typed;
    return ProcessOutcome{.exit_code = 1, .out = {}, .err = "refused"};
  };
  EXPECT_FATAL_FAILURE(TypeBlock(kBlock, kReject), "refused");
  EXPECT_EQ(typed, 1);
}

}  // namespace
}  // namespace berth::integration
