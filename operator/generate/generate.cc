// SPDX-License-Identifier: Apache-2.0
// Writes the files generated from the code: crds/manifests, deploy/ and docs/plugins.md. `generate
// --check` writes nothing, names the stale files and exits 1.
#include <filesystem>
#include <iostream>

#include "base/file.h"
#include "base/flags.h"
#include "controllers/plugin_catalogue.h"
#include "operator/generate/generated_files.h"
#include "scheduler/plugins/registry.h"

namespace berth::operator_ {
namespace {

namespace fs = std::filesystem;

// Names each stale file and returns their number.
int Check(const std::vector<GeneratedFile>& files, const fs::path& root) {
  int stale = 0;
  for (const GeneratedFile& file : files) {
    const auto found = ReadFile((root / file.path).string());
    if (found && *found == file.text) continue;
    std::cerr << "generate: " << file.path << (found ? " is stale" : " is missing")
              << "; run `make generate`\n";
    ++stale;
  }
  return stale;
}

Result<void> Write(const std::vector<GeneratedFile>& files, const fs::path& root) {
  for (const GeneratedFile& file : files) {
    const fs::path path = root / file.path;
    std::error_code failed;
    fs::create_directories(path.parent_path(), failed);
    if (failed)
      return ConfigError("create " + path.parent_path().string() + ": " + failed.message());
    BERTH_TRY_VOID(WriteFile(path.string(), file.text));
    std::cout << "wrote " << file.path << "\n";
  }
  return {};
}

int Run(int argc, char** argv) {
  bool check = false;
  std::string root = ".";
  Installed installed{.image = "berth:" BERTH_VERSION, .architecture = "amd64"};
  const Reading reading =
      ReadFlags({.name = "generate",
                 .help = "Writes the manifests and the plugin reference generated from the code.",
                 .flags = {{.name = "--check",
                            .target = &check,
                            .help = "Write nothing; name the stale files and exit 1"},
                           {.name = "--root", .target = &root, .help = "Root of the repository"},
                           {.name = "--image",
                            .target = &installed.image,
                            .help = "Image of the operator's Deployment"},
                           {.name = "--architecture",
                            .target = &installed.architecture,
                            .help = "Architecture of that image, as in the node label "
                                    "kubernetes.io/arch"}}},
                argc, argv);
  if (reading.exit_code) return *reading.exit_code;

  const controllers::PluginCatalogue catalogue(scheduler::MakeRegistry());
  const auto files = GeneratedFiles(catalogue, installed);
  if (check) return Check(files, root) == 0 ? 0 : 1;
  if (const auto written = Write(files, root); !written) {
    std::cerr << "generate: " << written.error().message() << "\n";
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace berth::operator_

int main(int argc, char** argv) { return berth::operator_::Run(argc, argv); }
