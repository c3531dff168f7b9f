// SPDX-License-Identifier: Apache-2.0
#include "base/json/field_path.h"

#include <vector>

#include <gtest/gtest.h>

namespace berth::json {
namespace {

TEST(MemberPath, WritesPlainNamesBehindDots) {
  EXPECT_EQ(MemberPath("", "spec"), "spec");
  EXPECT_EQ(MemberPath("spec", "a-b_c/d"), "spec.a-b_c/d");
  EXPECT_EQ(MemberPath("spec", "a.b"), "spec[a.b]");
  EXPECT_EQ(MemberPath("spec", "größe"), "spec.größe");
}

TEST(MemberPath, QuotesNamesThatWouldMakeThePathAmbiguous) {
  EXPECT_EQ(MemberPath("spec", ""), R"(spec[""])");
  EXPECT_EQ(MemberPath("spec", "["), R"(spec["["])");
  EXPECT_EQ(MemberPath("spec", "a[0]"), R"(spec["a[0]"])");
  EXPECT_EQ(MemberPath("spec", "a: b"), R"(spec["a: b"])");
  EXPECT_EQ(MemberPath("spec", "a\"b"), R"(spec["a\"b"])");
  EXPECT_EQ(MemberPath("spec", "a\nerror: fake"), R"(spec["a\nerror: fake"])");
  EXPECT_EQ(MemberPath("spec", "\x1b[2J"), R"(spec["\u001b[2J"])");
}

TEST(EntryPaths, QuoteKeysAndValuesThatAreNotPlain) {
  EXPECT_EQ(MapEntryPath("labels", "app.kubernetes.io/name"), "labels[app.kubernetes.io/name]");
  EXPECT_EQ(MapEntryPath("labels", "a\nb"), R"(labels["a\nb"])");
  EXPECT_EQ(ListEntryPath("env", "name", "A"), "env[name=A]");
  EXPECT_EQ(ListEntryPath("extenders", "urlPrefix", "http://a: b/"),
            R"(extenders[urlPrefix="http://a: b/"])");
}

TEST(OneLine, EscapesControlCharacters) {
  EXPECT_EQ(OneLine("a \"b\" größe"), "a \"b\" größe");
  EXPECT_EQ(OneLine("a\nerror: b\t\x1b"), R"(a\nerror: b\t\u001b)");
}

TEST(PathText, JoinsMembersAndItems) {
  const std::vector<PathStep> steps = {"spec", "env", size_t{2}, "a.b", "c", ""};
  EXPECT_EQ(PathText(steps), R"(spec.env[2][a.b].c[""])");
}

}  // namespace
}  // namespace berth::json
