// SPDX-License-Identifier: Apache-2.0
#include "client/token_source.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "tests/support/http/test_certificates.h"

namespace berth::client {
namespace {

TEST(TokenSource, FixedTokenNeverChanges) {
  FakeClock clock;
  TokenSource source("abc", "", clock);
  EXPECT_EQ(*source.Get(), "abc");
  EXPECT_FALSE(source.Invalidate("abc"));
}

TEST(TokenSource, FileIsReadAgainAfterMinuteOrInvalidate) {
  FakeClock clock;
  const http::TestFolder folder;
  folder.Write("token", "one\n");
  TokenSource source("ignored", folder.Path("token"), clock);
  EXPECT_EQ(*source.Get(), "one");
  folder.Write("token", "two");
  clock.Advance(std::chrono::seconds(59));
  EXPECT_EQ(*source.Get(), "one");
  clock.Advance(std::chrono::seconds(1));
  EXPECT_EQ(*source.Get(), "two");
  folder.Write("token", "three");
  EXPECT_TRUE(source.Invalidate("an older one"));
  EXPECT_EQ(*source.Get(), "two") << "Invalidate of another token has no effect";
  EXPECT_TRUE(source.Invalidate("two"));
  EXPECT_EQ(*source.Get(), "three");
}

TEST(TokenSource, KeepsTokenWhileFileIsUnreadable) {
  FakeClock clock;
  const http::TestFolder folder;
  folder.Write("token", "one");
  TokenSource source("", folder.Path("token"), clock);
  ASSERT_TRUE(source.Get());
  std::filesystem::remove(folder.Path("token"));
  clock.Advance(std::chrono::minutes(2));
  EXPECT_EQ(*source.Get(), "one");
}

TEST(TokenSource, EmptyFileIsError) {
  FakeClock clock;
  const http::TestFolder folder;
  TokenSource source("", folder.Write("token", " \n"), clock);
  const auto token = source.Get();
  ASSERT_FALSE(token);
  EXPECT_NE(token.error().message().find(folder.Path("token") + " is empty"), std::string::npos);
}

}  // namespace
}  // namespace berth::client
