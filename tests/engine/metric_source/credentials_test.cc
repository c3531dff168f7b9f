// SPDX-License-Identifier: Apache-2.0
#include "engine/metric_source/credentials.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::engine {
namespace {

using ::testing::HasSubstr;

class CredentialsTest : public ::testing::Test {
 protected:
  CredentialsTest() {
    std::string name = (std::filesystem::temp_directory_path() / "credentials-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~CredentialsTest() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& key, const std::string& text) const {
    std::ofstream(folder_ / key) << text;
  }
  Result<Credentials> Read() const {
    return ReadCredentials("prom", [this](std::string_view, std::string_view key) {
      return (folder_ / key).string();
    });
  }

  std::filesystem::path folder_;
};

TEST_F(CredentialsTest, AreReadFromTheSecret) {
  Write("token", "abc.def-1_2\n");
  EXPECT_EQ(Read()->token, "abc.def-1_2");
  Write("tls.crt", "C");
  Write("tls.key", "K");
  Write("ca.crt", "A");
  const auto all = Read();
  EXPECT_EQ(all->tls.certificate.data, "C");
  EXPECT_EQ(all->tls.key.data, "K");
  EXPECT_EQ(all->tls.ca.data, "A");
  EXPECT_FALSE(all->tls.insecure_skip_verify);
}

TEST_F(CredentialsTest, AreReadAgainEachTime) {
  Write("token", "old");
  EXPECT_EQ(Read()->token, "old");
  Write("token", "new");
  EXPECT_EQ(Read()->token, "new");
}

TEST_F(CredentialsTest, ErrorNamesTheMissingKeys) {
  EXPECT_THAT(Read().error().message(),
              HasSubstr("/token: is missing, and so are tls.crt, tls.key and ca.crt: Secret prom"));
  Write("tls.crt", "C");
  EXPECT_THAT(Read().error().message(), HasSubstr("/tls.key: is missing"));
}

TEST_F(CredentialsTest, RejectAnInvalidToken) {
  for (const char* const token : {"a b", "a\r\nX-Evil: 1", "a\tb", "\xc3\xa4"}) {
    Write("token", token);
    const auto read = Read();
    ASSERT_FALSE(read.has_value()) << token;
    EXPECT_THAT(read.error().message(), HasSubstr("/token: expected a token"));
    EXPECT_EQ(read.error().message().find("Evil"), std::string::npos);
  }
}

}  // namespace
}  // namespace berth::engine
