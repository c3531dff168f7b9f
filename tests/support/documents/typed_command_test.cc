// SPDX-License-Identifier: Apache-2.0
#include "tests/support/documents/typed_command.h"

#include <gmock/gmock.h>

namespace berth {
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

TEST(TypedCommand, ReturnsTheCommandsOfOneSectionInBlocks) {
  const auto blocks = CommandsOf(kDocument, "## Here");
  ASSERT_EQ(blocks.size(), 2U);
  ASSERT_EQ(blocks[0].size(), 2U);
  EXPECT_EQ(blocks[0][0].line, "kubectl get pods");
  EXPECT_THAT(blocks[0][0].output,
              testing::ElementsAre("NAME   READY", "# a comment of the output"));
  EXPECT_THAT(blocks[0][1].output, testing::IsEmpty());
  EXPECT_EQ(blocks[1][0].line, "kubectl delete");
}

TEST(TypedCommand, WithoutAHeadingReturnsAllSections) {
  const auto blocks = CommandsOf(kDocument);
  ASSERT_EQ(blocks.size(), 4U);
  EXPECT_EQ(blocks[0][0].line, "not this");
  EXPECT_EQ(blocks[3][0].line, "nor this");
}

TEST(TypedCommand, TextEndsEachLine) {
  const auto all = AllCommandsOf(kDocument);
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[1].Text(), "NAME   READY\n# a comment of the output\n");
  EXPECT_EQ(all[2].Text(), "");
}

}  // namespace
}  // namespace berth
