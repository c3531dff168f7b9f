// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/expressions/expression_message.h"

#include <gmock/gmock.h>

#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using ::testing::HasSubstr;
using testing::MakePod;

std::string TextOf(std::string_view message) {
  const auto parsed = ExpressionMessage::Create(message);
  if (!parsed) return "error: " + parsed.error().message();
  return parsed->For(MakePod("fives").Label("app", "x").raw());
}

TEST(ExpressionMessage, RendersPlaceholders) {
  const struct {
    const char* message;
    const char* text;
  } kRows[] = {
      {"", ""},
      {"no holes } { here", "no holes } { here"},
      {"{{ pod.metadata.name }} is too long", "fives is too long"},
      {"{{pod.metadata.name}}: {{ size(pod.metadata.name) }} of 4", "fives: 5 of 4"},
      {"{{ '}}' + \"{{\" }}", "}}{{"},
      {"{{ 'it\\'s }}' }}", "it's }}"},
      {"{{ pod.metadata.labels }}", "{app: x}"},
      {"tier {{ pod.metadata.labels['tier'] }}", "tier (no such key: tier)"},
  };
  for (const auto& row : kRows) EXPECT_EQ(TextOf(row.message), row.text) << row.message;
}

TEST(ExpressionMessage, RejectsInvalidPlaceholders) {
  EXPECT_EQ(TextOf("a {{ pod.metadata.name"),
            "error: missing }} after {{ in: {{ pod.metadata.name");
  EXPECT_THAT(TextOf("{{ pod.metadata.nam }}"), HasSubstr("1:13: undefined field 'nam'; nearest"));
  EXPECT_THAT(TextOf("{{ }}"), HasSubstr("Syntax error"));
  EXPECT_THAT(TextOf("not on {{ node.metadata.name }}"),
              HasSubstr("{{ node.metadata.name }} reads node; a message may only read pod"));
}

}  // namespace
}  // namespace berth::scheduler
