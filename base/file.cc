// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace berth {
namespace {

std::string ErrnoText(int code) { return std::generic_category().message(code); }

// Descriptor owns a file descriptor and closes it.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool ok() const { return fd_ >= 0; }
  int get() const { return fd_; }

 private:
  int fd_;
};

Failure ReadFailed(const std::string& path, int code) {
  return Fail(code == ENOENT ? Reason::kNotFound : Reason::kConfig,
              "read " + path + ": " + ErrnoText(code));
}

Failure WriteFailed(const std::string& path, int code) {
  return ConfigError("write " + path + ": " + ErrnoText(code));
}

// Returns 0, or the errno of the failed call.
int WriteAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    content.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

int Sync(int fd) { return ::fsync(fd) == 0 ? 0 : errno; }

// Sets the mode that open() would have set. Returns 0 or an errno.
int ApplyUmask(int fd) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return ::fchmod(fd, 0644 & ~mask) == 0 ? 0 : errno;
}

// Makes the rename durable across a crash. Some file systems cannot sync directories; the file is
// in place anyway.
void SyncFolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.ok()) ::fsync(directory.get());
}

// Writes a temporary file beside the target and renames it.
Result<void> ReplaceFile(const std::string& path, std::string_view content, Readers readers) {
  std::string temporary = path + ".XXXXXX";
  const Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.ok()) return WriteFailed(path, errno);
  // mkostemp creates the file with mode 0600.
  int failed = readers == Readers::kAll ? ApplyUmask(file.get()) : 0;
  if (failed == 0) failed = WriteAll(file.get(), content);
  if (failed == 0) failed = Sync(file.get());
  if (failed == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) failed = errno;
  if (failed != 0) {
    ::unlink(temporary.c_str());
    return WriteFailed(path, failed);
  }
  SyncFolderOf(path);
  return {};
}

// Writes to a device, a pipe or a socket. Does not sync: they have no storage.
Result<void> WriteInPlace(const std::string& path, std::string_view content) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  const int failed = file.ok() ? WriteAll(file.get(), content) : errno;
  if (failed != 0) return WriteFailed(path, failed);
  return {};
}

}  // namespace

Result<std::string> ReadFile(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return ReadFailed(path, errno);
  std::string content;
  char chunk[16384];
  while (true) {
    const ssize_t count = ::read(file.get(), chunk, sizeof chunk);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return ReadFailed(path, errno);
    if (count == 0) return content;
    content.append(chunk, static_cast<size_t>(count));
    if (content.size() > kMaxFileBytes) {
      return ConfigError("read " + path + ": larger than the " +
                         std::to_string(kMaxFileBytes >> 20) + " MiB allowed");
    }
  }
}

Result<void> WriteFile(const std::string& path, std::string_view content, Readers readers) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status target = fs::status(path, error);
  if (fs::is_other(target)) return WriteInPlace(path, content);
  const bool is_link_to_file =
      fs::is_regular_file(target) && fs::is_symlink(fs::symlink_status(path, error));
  const fs::path file = is_link_to_file ? fs::canonical(path, error) : fs::path(path);
  if (file.empty()) return WriteFailed(path, error.value());
  return ReplaceFile(file.string(), content, readers);
}

}  // namespace berth
