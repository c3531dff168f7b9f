// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/harness/typed_document.h"

#include <gmock/gmock.h>

namespace berth::e2e {
namespace {

constexpr const char* kDocument = R"(# Title
## Before
```
$ not this
```
## Here
Text.
```
make image
```
```
$ kubectl get pods
NAME   READY
# a comment of the output
$ kubectl wait
```
```
$ kubectl delete
...
```
## After
```
$ nor this
```
)";

TEST(TypedDocument, HasTheCommandsOfOneSectionInBlocks) {
  const auto blocks = CommandsOf(kDocument, "## Here");
  ASSERT_EQ(blocks.size(), 2U);
  ASSERT_EQ(blocks[0].size(), 2U);
  EXPECT_EQ(blocks[0][0].line, "kubectl get pods");
  EXPECT_THAT(blocks[0][0].output,
              testing::ElementsAre("NAME   READY", "# a comment of the output"));
  EXPECT_THAT(blocks[0][1].output, testing::IsEmpty());
  EXPECT_EQ(blocks[1][0].line, "kubectl delete");
}

TEST(TypedDocument, WhatDiffersFromRunToRunIsEqual) {
  EXPECT_EQ(Disagreement({"NAME  AGE", "berth-hello-68db89bfb6-tgwrs 1/1  2s 10.0.0.1"},
                         "NAME   AGE\nberth-hello-57db975df-8cxqb   1/1   1m3s   10.200.1.17\n"),
            "");
}

TEST(TypedDocument, SaysWhichLineIsNotAsShown) {
  EXPECT_EQ(Disagreement({"hello True"}, "hello False\n"),
            "shown:   hello True\nprinted: hello False");
  EXPECT_EQ(Disagreement({"a", "b"}, "a\n"), "not printed: b");
  EXPECT_EQ(Disagreement({"a"}, "a\nb\n"), "printed, but not shown: b");
}

TEST(TypedDocument, ThreeDotsStandForAnyNumberOfLines) {
  EXPECT_EQ(Disagreement({"first", "...", "last"}, "first\nx\ny\nlast\n"), "");
  EXPECT_EQ(Disagreement({"first", "..."}, "first\n"), "");
  EXPECT_EQ(Disagreement({"...", "last"}, "first\n"), "not printed: last");
}

}  // namespace
}  // namespace berth::e2e
