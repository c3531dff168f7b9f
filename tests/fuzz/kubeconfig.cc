// SPDX-License-Identifier: Apache-2.0
#include "client/kubeconfig.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

// MemoryFile is a file in memory, without a path in a file system.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content) : descriptor_(::memfd_create("kubeconfig", 0)) {
    const ssize_t written = ::write(descriptor_, content.data(), content.size());
    BERTH_CHECK(written == static_cast<ssize_t>(content.size()), "could not write the memory file");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  const int descriptor_;
};

}  // namespace

void Kubeconfig(std::string_view input) {
  const MemoryFile file(input);
  const auto config = client::LoadKubeconfig({file.path()}, "");
  if (!config) {
    BERTH_CHECK(config.error().message().starts_with("kubeconfig "),
                "the error does not name the "
                "file");
    return;
  }
  BERTH_CHECK(!config->server.empty(), "no server");
  BERTH_CHECK(!config->default_namespace.empty(), "no namespace");
  const std::string text = client::KubeconfigText(*config);
  const MemoryFile written(text);
  const auto again = client::LoadKubeconfig({written.path()}, "");
  BERTH_CHECK(again.has_value(), "a written kubeconfig does not parse");
  BERTH_CHECK(client::KubeconfigText(*again) == text, "writing changed a kubeconfig");
}

}  // namespace berth::fuzz
