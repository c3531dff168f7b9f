// SPDX-License-Identifier: Apache-2.0
#include "controllers/effective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "crds/capabilities.h"
#include "tests/controllers/profiles.h"

namespace berth::controllers {
namespace {

using scheduler::ObjectKind;
using scheduler::ObjectKindSet;
using testing::ElementsAre;

// Reader reads namespaces, and Services unless its args disable them.
class Reader final : public scheduler::FilterPlugin {
 public:
  struct Args {
    bool services = true;
    static auto Fields() { return json::Object(json::Field("services", &Args::services)); }
    std::vector<api::FieldError> Validate() const { return {}; }
  };
  static ObjectKindSet Reads(const Args& args) {
    return args.services ? ObjectKindSet{ObjectKind::kNamespace, ObjectKind::kService}
                         : ObjectKindSet{ObjectKind::kNamespace};
  }
  static scheduler::PluginDescriptor Descriptor() {
    return scheduler::Describe<Reader>(
        {.name = "Reader", .reads = {ObjectKind::kNamespace, ObjectKind::kService}});
  }
  explicit Reader(Args) {}
  scheduler::Verdict Filter(const scheduler::CycleContext&,
                            const scheduler::NodeView&) const override {
    return scheduler::Verdict::Fits();
  }
};

PluginCatalogue CatalogueWithReader() {
  const scheduler::Registry shipped = scheduler::MakeRegistry();
  std::vector<scheduler::PluginDescriptor> plugins(shipped.plugins().begin(),
                                                   shipped.plugins().end());
  plugins.push_back(Reader::Descriptor());
  return PluginCatalogue(scheduler::Registry(std::move(plugins)));
}

// Returns the capabilities of a profile whose default plugins read no further kinds.
std::vector<std::string> CapabilitiesFor(const std::string& plugins, const std::string& config) {
  const std::string spec =
      "{plugins: {multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, "
      "{name: DefaultBinder}]}" +
      plugins + "}, pluginConfig: [" + config + "]}";
  return EffectiveOf(MakeProfile("a", spec), CatalogueWithReader())->capabilities;
}

TEST(Effective, CapabilitiesFollowPluginReadsAndArgs) {
  const std::string runs = ", filter: {enabled: [{name: Reader}]}";
  EXPECT_THAT(CapabilitiesFor(runs, ""), ElementsAre("base", "namespaces", "workloads"));
  EXPECT_THAT(CapabilitiesFor(runs, "{name: Reader, args: {services: false}}"),
              ElementsAre("base", "namespaces"));
  EXPECT_THAT(CapabilitiesFor("", "{name: Reader, args: {services: true}}"), ElementsAre("base"))
      << "it does not run";
}

TEST(Effective, NamespaceSelectorOfExtenderNeedsNamespaces) {
  const auto capabilities = [](const std::string& extender) {
    const std::string spec =
        "{plugins: {multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, "
        "{name: DefaultBinder}]}}, extenders: [{urlPrefix: 'https://e.berth-system.svc'" +
        extender + "}]}";
    return EffectiveOf(MakeProfile("a", spec), CatalogueWithReader())->capabilities;
  };
  EXPECT_THAT(capabilities(""), ElementsAre("base"));
  EXPECT_THAT(capabilities(", namespaceSelector: {matchLabels: {team: a}}"),
              ElementsAre("base", "namespaces"));
}

TEST(PluginCatalogue, HasARoleForEachKindThatPluginsRead) {
  const PluginCatalogue catalogue = CatalogueWithReader();
  std::vector<std::string> rules;
  for (const api::ClusterRole& role : crds::CapabilityRoles(catalogue.view())) {
    if (role.metadata.name == crds::CapabilityRoleName("base")) continue;
    for (const api::PolicyRule& rule : role.rules) {
      rules.push_back(role.metadata.name + ": " + Join(rule.verbs, ",") + " " +
                      Join(rule.resources, ","));
    }
  }
  EXPECT_THAT(rules,
              ElementsAre("berth:gang: create pods/eviction", "berth:gang: list,watch podgroups",
                          "berth:namespaces: list,watch namespaces",
                          "berth:podgroups: list,watch podgroups",
                          "berth:podgroups: patch podgroups/status",
                          "berth:preemption: create pods/eviction", "berth:preemption: delete pods",
                          "berth:preemption: list,watch poddisruptionbudgets",
                          "berth:volume-binding: patch persistentvolumeclaims,persistentvolumes",
                          "berth:volumes: list,watch persistentvolumeclaims,persistentvolumes",
                          "berth:volumes: list,watch csidrivers,csinodes,csistoragecapacities,"
                          "storageclasses,volumeattachments",
                          "berth:workloads: list,watch replicationcontrollers,services",
                          "berth:workloads: list,watch replicasets,statefulsets"));
}

}  // namespace
}  // namespace berth::controllers
