// SPDX-License-Identifier: Apache-2.0
#include "operator/generate/generated_files.h"

#include "base/json/json.h"
#include "base/yaml/yaml.h"
#include "crds/admission_policy.h"
#include "crds/capabilities.h"
#include "crds/manifest.h"
#include "crds/names.h"
#include "crds/pod_group.h"
#include "operator/generate/critical_pods.h"
#include "operator/generate/operator_access.h"
#include "operator/generate/operator_deployment.h"
#include "operator/generate/operator_guard.h"
#include "operator/generate/plugin_page.h"

namespace berth::operator_ {
namespace {

constexpr std::string_view kHeader =
    "# SPDX-License-Identifier: Apache-2.0\n"
    "# Written by `make generate` from the descriptions in the code; edit those.\n";

// Documents is a stream of YAML documents, in the order they are to be applied.
class Documents {
 public:
  template <class Object>
  void Add(const Object& object) {
    text_ += "---\n" + yaml::FromJson(json::Encode(object));
  }

  template <class Object>
  void AddAll(const std::vector<Object>& objects) {
    for (const Object& object : objects) Add(object);
  }

  std::string Text() const { return std::string(kHeader) + text_; }

 private:
  std::string text_;
};

// Names first: namespace and kinds. Then what the operator needs, and the operator last.
std::string Installation(const crds::PluginCatalogueView& catalogue, const Installed& installed) {
  const std::vector<api::ClusterRole> capabilities = crds::CapabilityRoles(catalogue);
  Documents documents;
  documents.Add(OperatorNamespace());
  documents.Add(crds::SchedulerProfileDefinition());
  documents.Add(crds::PluginPolicy(catalogue));
  documents.Add(crds::PluginPolicyBinding());
  documents.Add(OperatorGuard(capabilities));
  documents.Add(OperatorGuardBinding());
  documents.AddAll(capabilities);
  documents.AddAll(crds::ProfileAccessRoles());
  documents.Add(ManagedNamespaceRole());
  documents.Add(OperatorClusterRole(capabilities));
  documents.Add(OperatorServiceAccount());
  documents.Add(OperatorClusterRoleBinding());
  documents.Add(OperatorRole());
  documents.Add(OperatorRoleBinding());
  documents.Add(CriticalPodsQuota(std::string(crds::kDefaultNamespace)));
  documents.Add(OperatorDeployment(installed.image, installed.architecture));
  return documents.Text();
}

std::string ManagedNamespace() {
  Documents documents;
  documents.Add(ManagedNamespaceBinding());
  documents.Add(CriticalPodsQuota());
  return documents.Text();
}

std::string PodGroups() {
  Documents documents;
  documents.Add(crds::PodGroupDefinition());
  documents.AddAll(crds::PodGroupAccessRoles());
  return documents.Text();
}

template <class Object>
std::string Single(const Object& object) {
  Documents documents;
  documents.Add(object);
  return documents.Text();
}

}  // namespace

std::vector<GeneratedFile> GeneratedFiles(const controllers::PluginCatalogue& catalogue,
                                          const Installed& installed) {
  return {
      {std::string(crds::kManifestPath), Single(crds::SchedulerProfileDefinition())},
      {"deploy/install.yaml", Installation(catalogue.view(), installed)},
      {"deploy/managed-namespace.yaml", ManagedNamespace()},
      {"deploy/podgroups.yaml", PodGroups()},
      {kPluginPagePath, PluginPage(controllers::ReferencesOf(catalogue))},
  };
}

}  // namespace berth::operator_
