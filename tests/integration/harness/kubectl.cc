// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/kubectl.h"

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "tests/integration/harness/control_plane.h"
#include "tests/integration/harness/process.h"

namespace berth::integration {
namespace {

struct Kubectl {
  std::filesystem::path binary;
  std::string missing;
};

Kubectl Find() {
  if (const char* asked = std::getenv("BERTH_KUBECTL")) return {.binary = asked};
  if (exists(ControlPlaneBinary("kubectl"))) return {.binary = ControlPlaneBinary("kubectl")};
  const std::string found = Run({"sh", "-c", "command -v kubectl"}).out;
  if (found.empty()) {
    return {.missing =
                "kubectl is missing: install it, or install Go so that scripts/test can build it"};
  }
  const std::filesystem::path binary = found.substr(0, found.find('\n'));
  return {.binary = binary,
          .missing = WhyUnusable(Run({binary, "version", "--client", "-o", "json"}).out)};
}

const Kubectl& Found() {
  static const Kubectl kFound = Find();
  return kFound;
}

}  // namespace

std::string WhyUnusable(const std::string& version_output) {
  const auto document = nlohmann::json::parse(version_output, nullptr, false);
  const nlohmann::json::json_pointer at("/clientVersion/gitVersion");
  if (document.is_discarded() || !document.contains(at) || !document[at].is_string()) {
    return "kubectl on PATH prints no version: `kubectl version --client -o json` gave \"" +
           version_output + "\"";
  }
  const std::string text = document[at];
  const auto version = api::ParseKubernetesVersion(text);
  if (!version || *version < kOldestKubectl) {
    return "kubectl on PATH is " + text + ": tests need " + kOldestKubectl.ToString() + " or newer";
  }
  return "";
}

std::filesystem::path KubectlBinary() { return Found().binary; }
const std::string& KubectlMissing() { return Found().missing; }

}  // namespace berth::integration
