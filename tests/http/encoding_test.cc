// SPDX-License-Identifier: Apache-2.0
#include "http/encoding.h"

#include <gtest/gtest.h>

#include "http/headers.h"

namespace berth::http {
namespace {

TEST(Encoding, KeepsUnreservedCharactersOnly) {
  EXPECT_EQ(PercentEncode("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(PercentEncode("app in (a,b),!c=d&e+f g%"),
            "app%20in%20%28a%2Cb%29%2C%21c%3Dd%26e%2Bf%20g%25");
  EXPECT_EQ(PercentEncode("\xC3\xA9"), "%C3%A9");
}

TEST(QueryBuilder, JoinsParametersAndSkipsEmptyValues) {
  EXPECT_EQ(QueryBuilder().text(), "");
  EXPECT_EQ(QueryBuilder().Add("a", "").AddIf("b", "").AddIf("c", "1/2").text(), "?a=&c=1%2F2");
}

TEST(Headers, SetReplacesCaseInsensitively) {
  Headers headers{{"authorization", "Bearer old"}};
  headers.Set("Authorization", "Bearer new");
  EXPECT_EQ(headers.Find("AUTHORIZATION"), "Bearer new");
  EXPECT_EQ(headers.All("Authorization").size(), 1u);
}

TEST(Headers, AddKeepsEarlierLines) {
  Headers headers;
  headers.Add("Warning", "a");
  headers.Add("warning", "b");
  EXPECT_EQ(headers.All("Warning"), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(headers.Find("Other"), std::nullopt);
}

}  // namespace
}  // namespace berth::http
