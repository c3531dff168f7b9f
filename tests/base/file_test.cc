// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace berth {
namespace {

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "berth_file_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  size_t FilesInFolder() const {
    const std::filesystem::directory_iterator files(folder_);
    return static_cast<size_t>(std::distance(begin(files), end(files)));
  }

  std::filesystem::path folder_;
};

TEST_F(FileTest, ReadsBackEveryByte) {
  const std::string path = folder_ / "a";
  std::string content(100'000, 'x');
  content[5] = '\0';
  content += '\n';
  ASSERT_TRUE(WriteFile(path, content).has_value());
  EXPECT_EQ(ReadFile(path), content);
}

TEST_F(FileTest, ReplacesAtomicallyAndLeavesNoTemporaryFile) {
  const std::string path = folder_ / "a";
  ASSERT_TRUE(WriteFile(path, "old").has_value());
  std::ifstream reader(path);
  ASSERT_TRUE(WriteFile(path, "").has_value());
  std::string seen;
  reader >> seen;
  EXPECT_EQ(seen, "old") << "an open file keeps the old content";
  EXPECT_EQ(ReadFile(path), "");
  EXPECT_EQ(FilesInFolder(), 1U);
}

TEST_F(FileTest, WritesOwnerOnlyFilesWithMode0600) {
  const std::string path = folder_ / "a";
  ASSERT_TRUE(WriteFile(path, "old").has_value());
  ASSERT_TRUE(WriteFile(path, "secret", Readers::kOwner).has_value());
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(FileTest, AppliesTheUmask) {
  const std::string path = folder_ / "a";
  const mode_t mask = ::umask(022);
  const auto written = WriteFile(path, "x");
  ::umask(mask);
  ASSERT_TRUE(written.has_value());
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0644U);
}

TEST_F(FileTest, WritesToAPipeWithoutReplacingIt) {
  const std::string path = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  EXPECT_TRUE(WriteFile(path, "hello").has_value());
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  EXPECT_EQ(FilesInFolder(), 1U);
  std::array<char, 16> seen{};
  EXPECT_EQ(::read(reader, seen.data(), seen.size()), 5);
  EXPECT_STREQ(seen.data(), "hello");
  ::close(reader);
}

// Uses a link in the test's own directory, so that a rename cannot harm a device.
TEST_F(FileTest, WriteErrorNamesTheDevice) {
  const std::string device = folder_ / "device";
  std::filesystem::create_symlink("/dev/full", device);
  const auto full = WriteFile(device, "x");
  EXPECT_TRUE(std::filesystem::is_character_file(device));
  ASSERT_FALSE(full.has_value());
  EXPECT_EQ(full.error().message(), "write " + device + ": No space left on device");
}

TEST_F(FileTest, ReplacesTheTargetOfASymbolicLink) {
  const std::string link = folder_ / "link";
  ASSERT_TRUE(WriteFile(folder_ / "file", "old").has_value());
  std::filesystem::create_symlink("file", link);
  ASSERT_TRUE(WriteFile(link, "new").has_value());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(ReadFile(folder_ / "file"), "new");
  EXPECT_EQ(FilesInFolder(), 2U);
}

TEST_F(FileTest, ReadErrorsNameThePathAndTheReason) {
  const std::string missing = folder_ / "missing";
  const auto none = ReadFile(missing);
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().reason(), Reason::kNotFound);
  EXPECT_EQ(none.error().message(), "read " + missing + ": No such file or directory");

  const auto directory = ReadFile(folder_);
  ASSERT_FALSE(directory.has_value());
  EXPECT_EQ(directory.error().reason(), Reason::kConfig);
  EXPECT_EQ(directory.error().message(), "read " + folder_.string() + ": Is a directory");
}

TEST_F(FileTest, RejectsAnEndlessFile) {
  const auto endless = ReadFile("/dev/zero");
  ASSERT_FALSE(endless.has_value());
  EXPECT_EQ(endless.error().message(), "read /dev/zero: larger than the 64 MiB allowed");
}

TEST_F(FileTest, WriteErrorsNameThePathAndLeaveNoTemporaryFile) {
  const std::string nowhere = folder_ / "no" / "a";
  const auto written = WriteFile(nowhere, "x");
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().message(), "write " + nowhere + ": No such file or directory");

  const std::string taken = folder_ / "folder";
  std::filesystem::create_directory(taken);
  const auto over_folder = WriteFile(taken, "x");
  ASSERT_FALSE(over_folder.has_value());
  EXPECT_EQ(over_folder.error().message(), "write " + taken + ": Is a directory");
  EXPECT_EQ(FilesInFolder(), 1U);
}

}  // namespace
}  // namespace berth
