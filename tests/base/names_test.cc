// SPDX-License-Identifier: Apache-2.0
#include "base/names.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct NameRow {
  std::string text;
  bool label, subdomain, qualified, value;
};

// Results of apimachinery 0.36.3.
TEST(Names, AcceptedLikeUpstream) {
  const NameRow rows[] = {
      {"a", true, true, true, true},
      {"my-name", true, true, true, true},
      {"1a", true, true, true, true},
      {"123", true, true, true, true},
      {"-a", false, false, false, false},
      {"a-", false, false, false, false},
      {"A", false, false, true, true},
      {"a_b", false, false, true, true},
      {"a.b", false, true, true, true},
      {"a..b", false, false, true, true},
      {".a", false, false, false, false},
      {"a/b", false, false, true, false},
      {"example.com/MyName", false, false, true, false},
      {"Example.com/x", false, false, false, false},
      {"/b", false, false, false, false},
      {"a/", false, false, false, false},
      {"a/b/c", false, false, false, false},
      {"", false, false, false, true},
      {"\u00e9", false, false, false, false},
      {"a b", false, false, false, false},
      {std::string(63, 'a'), true, true, true, true},
      {std::string(64, 'a'), false, true, false, false},
      {std::string(253, 'a'), false, true, false, false},
      {std::string(254, 'a'), false, false, false, false},
      {std::string(253, 'a') + "/b", false, false, true, false},
      {std::string(254, 'a') + "/b", false, false, false, false},
  };
  for (const NameRow& row : rows) {
    EXPECT_EQ(CheckDnsLabel(row.text).empty(), row.label) << row.text;
    EXPECT_EQ(CheckDnsSubdomain(row.text).empty(), row.subdomain) << row.text;
    EXPECT_EQ(CheckQualifiedName(row.text).empty(), row.qualified) << row.text;
    EXPECT_EQ(CheckLabelValue(row.text).empty(), row.value) << row.text;
  }
}

TEST(Names, RejectedWithKubernetesMessages) {
  EXPECT_THAT(CheckDnsLabel("A"),
              ElementsAre(StartsWith("a lowercase RFC 1123 label must consist of")));
  EXPECT_THAT(CheckDnsLabel("a.b"), ElementsAre("must not contain dots"));
  EXPECT_THAT(CheckDnsLabel(std::string(64, 'a')),
              ElementsAre("must be no more than 63 characters"));
  EXPECT_THAT(CheckDnsSubdomain("A"),
              ElementsAre(StartsWith("a lowercase RFC 1123 subdomain must consist of")));
  EXPECT_THAT(CheckDnsSubdomain(std::string(254, 'a')),
              ElementsAre("must be no more than 253 characters"));
  EXPECT_THAT(CheckQualifiedName(""),
              ElementsAre("name part must be non-empty", StartsWith("name part must consist of")));
  EXPECT_THAT(CheckQualifiedName("/b"), ElementsAre("prefix part must be non-empty"));
  EXPECT_THAT(CheckQualifiedName("A/b"),
              ElementsAre(StartsWith("prefix part a lowercase RFC 1123 subdomain must")));
  EXPECT_THAT(CheckQualifiedName("a/b/c"),
              ElementsAre(HasSubstr("with an optional DNS subdomain prefix and '/'")));
  EXPECT_THAT(CheckQualifiedName(std::string(64, 'a')),
              ElementsAre("name part must be no more than 63 bytes"));
  EXPECT_THAT(CheckLabelValue("-"),
              ElementsAre(StartsWith("a valid label must be an empty string or")));
  EXPECT_THAT(CheckLabelValue(std::string(64, 'a')), ElementsAre("must be no more than 63 bytes"));
}

TEST(Hash, IsFnv1a) {
  EXPECT_EQ(Fnv1a64(""), 0xcbf29ce484222325U);
  EXPECT_EQ(Fnv1a64("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(Fnv1a64("foobar"), 0x85944171f73967e8U);
  EXPECT_EQ(HashHex("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(HashHex("").size(), 16U);
}

TEST(Hash, NameHashReturnsTenCharactersValidInNames) {
  std::set<std::string> seen;
  for (int i = 0; i < 5000; ++i) {
    const std::string hash = NameHash(std::to_string(i));
    ASSERT_EQ(hash.size(), 10U);
    ASSERT_EQ(hash.find_first_not_of("bcdfghjklmnpqrstvwxz2456789"), std::string::npos) << hash;
    ASSERT_THAT(CheckDnsLabel("a-" + hash), IsEmpty());
    ASSERT_TRUE(seen.insert(hash).second);
  }
  EXPECT_EQ(NameHash("a"), NameHash("a"));
}

}  // namespace
}  // namespace berth
