// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/csi_migration.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::ObjectOf;

api::PersistentVolume Volume(const std::string& labels, const std::string& spec) {
  return *ObjectOf<api::PersistentVolume>("metadata: {name: v, labels: {" + labels + "}}\nspec: {" +
                                          spec + "}");
}

api::Volume Inline(const std::string& source) {
  const auto json = yaml::ToJson("{name: v, " + source + "}");
  return *json::Decode<api::Volume>(*json, json::Mode::kStrict);
}

std::string Text(const Result<CsiSource>& source) {
  return source ? source->driver + " " + source->volume_handle : source.error().message();
}

struct PluginCase {
  const char* source;
  const char* plugin;
  const char* driver;
  bool on;
};

TEST(CsiMigration, ReturnsThePluginAndItsDriver) {
  const PluginCase cases[] = {
      {"gcePersistentDisk: {pdName: d}", "kubernetes.io/gce-pd", "pd.csi.storage.gke.io", true},
      {"awsElasticBlockStore: {volumeID: d}", "kubernetes.io/aws-ebs", "ebs.csi.aws.com", true},
      {"azureDisk: {diskName: d, diskURI: u}", "kubernetes.io/azure-disk", "disk.csi.azure.com",
       true},
      {"azureFile: {secretName: s, shareName: share}", "kubernetes.io/azure-file",
       "file.csi.azure.com", false},
      {"cinder: {volumeID: d}", "kubernetes.io/cinder", "cinder.csi.openstack.org", true},
      {"vsphereVolume: {volumePath: p}", "kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com",
       false},
      {"portworxVolume: {volumeID: d}", "kubernetes.io/portworx-volume", "pxd.portworx.com", true},
      {"csi: {driver: pd.csi.storage.gke.io}", "", "", false},
  };
  for (const PluginCase& c : cases) {
    SCOPED_TRACE(c.source);
    EXPECT_EQ(InTreePluginOf(Volume("", c.source)), c.plugin);
    EXPECT_EQ(InTreePluginOf(Inline(c.source)), c.plugin);
    EXPECT_EQ(CsiDriverOf(c.plugin), c.driver);
    EXPECT_EQ(IsMigrationOn(c.plugin), c.on);
  }
  EXPECT_EQ(InTreePluginOf(Volume("", "local: {path: /d}")), "");
  EXPECT_EQ(InTreePluginOf(Inline("emptyDir: {}")), "");
  EXPECT_EQ(CsiDriverOf("ebs.csi.aws.com"), "");
}

TEST(CsiMigration, RequiresTheMigratedPluginOnTheCsiNode) {
  const auto node = [](const std::string& annotations) {
    return ObjectOf<api::CsiNode>("metadata: {name: node, annotations: {" + annotations + "}}");
  };
  const auto both = node(
      "storage.alpha.kubernetes.io/migrated-plugins: "
      "'kubernetes.io/aws-ebs,kubernetes.io/cinder,kubernetes.io/azure-file'");
  EXPECT_TRUE(IsMigratedOn("kubernetes.io/aws-ebs", both.get()));
  EXPECT_TRUE(IsMigratedOn("kubernetes.io/cinder", both.get()));
  EXPECT_FALSE(IsMigratedOn("kubernetes.io/gce-pd", both.get()));
  EXPECT_FALSE(IsMigratedOn("kubernetes.io/azure-file", both.get()));
  EXPECT_FALSE(IsMigratedOn("kubernetes.io/aws-ebs", node("").get()));
  EXPECT_FALSE(IsMigratedOn("kubernetes.io/aws-ebs", nullptr));
}

struct SourceCase {
  const char* labels;
  const char* source;
  const char* persistent;
  const char* inline_volume;  // null: the same
};

TEST(CsiMigration, TranslatesTheSource) {
  const char* const kEbsError =
      "failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (";
  const SourceCase cases[] = {
      {"", "awsElasticBlockStore: {volumeID: vol-1}", "ebs.csi.aws.com vol-1", nullptr},
      {"", "awsElasticBlockStore: {volumeID: any/text}", "ebs.csi.aws.com any/text", nullptr},
      {"", "awsElasticBlockStore: {volumeID: 'aws://eu-west-1b/vol-2'}", "ebs.csi.aws.com vol-2",
       nullptr},
      {"", "awsElasticBlockStore: {volumeID: 'aws:///vol-3/'}", "ebs.csi.aws.com vol-3", nullptr},
      {"", "awsElasticBlockStore: {volumeID: 'aws:///vol-3?a#b'}", "ebs.csi.aws.com vol-3",
       nullptr},
      {"", "awsElasticBlockStore: {volumeID: 'aws://vol-4'}", "aws://vol-4)", nullptr},
      {"", "awsElasticBlockStore: {volumeID: 'aws:///a/vol-5'}", "aws:///a/vol-5)", nullptr},
      {"", "awsElasticBlockStore: {volumeID: 'aws:///'}", "aws:///)", nullptr},
      {"", "azureDisk: {diskName: d, diskURI: /u}", "disk.csi.azure.com /u", nullptr},
      {"", "azureDisk: {diskName: d, diskURI: /u, kind: managed}", "disk.csi.azure.com /u",
       nullptr},
      {"", "azureDisk: {diskName: d, diskURI: /u, kind: Dedicated}",
       "kind(Dedicated) is not supported in csi migration", nullptr},
      {"", "cinder: {volumeID: c}", "cinder.csi.openstack.org c", nullptr},
      {"", "portworxVolume: {volumeID: p}", "pxd.portworx.com p", nullptr},
      {"", "gcePersistentDisk: {pdName: d}",
       "pd.csi.storage.gke.io projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d", nullptr},
      {"topology.kubernetes.io/zone: eu-w1-b", "gcePersistentDisk: {pdName: d}",
       "pd.csi.storage.gke.io projects/UNSPECIFIED/zones/eu-w1-b/disks/d",
       "pd.csi.storage.gke.io projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d"},
      {"failure-domain.beta.kubernetes.io/zone: eu-w1-c, topology.kubernetes.io/zone: eu-w1-b",
       "gcePersistentDisk: {pdName: d}",
       "pd.csi.storage.gke.io projects/UNSPECIFIED/zones/eu-w1-c/disks/d",
       "pd.csi.storage.gke.io projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d"},
      {"failure-domain.beta.kubernetes.io/zone: eu-w1-b__eu-w1-c", "gcePersistentDisk: {pdName: d}",
       "pd.csi.storage.gke.io projects/UNSPECIFIED/regions/eu-w1/disks/d",
       "pd.csi.storage.gke.io projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d"},
      {"topology.kubernetes.io/zone: eu-w2-b__eu-w1-c", "gcePersistentDisk: {pdName: d}",
       "failed to get region from zones: multiple or no regions gotten from zones, got: "
       "map[eu-w1:{} eu-w2:{}]",
       "pd.csi.storage.gke.io projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d"},
      {"topology.kubernetes.io/zone: eu-w2-b__here", "gcePersistentDisk: {pdName: d}",
       "failed to get region from zones: zone in unexpected format, expected: "
       "{locale}-{region}-{zone}, got: here",
       "pd.csi.storage.gke.io projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d"},
  };
  for (const SourceCase& c : cases) {
    SCOPED_TRACE(std::string(c.labels) + " " + c.source);
    const std::string prefix = std::string_view(c.persistent).ends_with(')') ? kEbsError : "";
    const std::string expected = prefix + c.persistent;
    EXPECT_EQ(Text(TranslatedSourceOf(Volume(c.labels, c.source))), expected);
    EXPECT_EQ(Text(TranslatedSourceOf(Inline(c.source))),
              c.inline_volume == nullptr ? expected : c.inline_volume);
  }
}

// Returns a volume's node affinity as text: "zone=a,b region=c | zone=d".
std::string Terms(const api::PersistentVolume& volume) {
  if (!volume.spec.node_affinity || !volume.spec.node_affinity->required) return "none";
  std::string text;
  for (const auto& term : volume.spec.node_affinity->required->node_selector_terms) {
    if (!text.empty()) text += " | ";
    for (const auto& requirement : term.match_expressions) {
      if (!text.empty() && !text.ends_with(' ')) text += ' ';
      text += requirement.key + " " + requirement.op;
      for (const std::string& value : requirement.values) text += " " + value;
    }
  }
  return text;
}

struct TopologyCase {
  const char* labels;
  const char* requirements;  // of one term; null: no node affinity
  const char* translated;
};

TEST(CsiMigration, MovesTheZoneToTheDriversKey) {
  const TopologyCase cases[] = {
      {"", nullptr, "none"},
      {"topology.kubernetes.io/zone: z1", nullptr, "topology.ebs.csi.aws.com/zone In z1"},
      {"topology.kubernetes.io/zone: z2__ z1 __z2", nullptr,
       "topology.ebs.csi.aws.com/zone In z1 z2"},
      {"topology.kubernetes.io/zone: ''", nullptr, "none"},
      {"failure-domain.beta.kubernetes.io/zone: z1", nullptr,
       "topology.ebs.csi.aws.com/zone In z1"},
      {"failure-domain.beta.kubernetes.io/zone: z1, topology.kubernetes.io/zone: z2", nullptr,
       "topology.ebs.csi.aws.com/zone In z2"},
      // The affinity takes precedence over the labels.
      {"topology.kubernetes.io/zone: z9",
       "{key: topology.kubernetes.io/zone, operator: In, values: [z1]}",
       "topology.ebs.csi.aws.com/zone In z1"},
      {"topology.kubernetes.io/zone: z9",
       "{key: failure-domain.beta.kubernetes.io/zone, operator: In, values: [z1]}, "
       "{key: failure-domain.beta.kubernetes.io/region, operator: In, values: [r]}",
       "topology.ebs.csi.aws.com/zone In z1 topology.kubernetes.io/region In r"},
      // A zone without values is ignored.
      {"topology.kubernetes.io/zone: z9", "{key: topology.kubernetes.io/zone, operator: Exists}",
       "topology.kubernetes.io/zone Exists topology.ebs.csi.aws.com/zone In z9"},
      {"topology.kubernetes.io/zone: z9", "{key: disk, operator: In, values: [ssd]}",
       "disk In ssd topology.ebs.csi.aws.com/zone In z9"},
      // A beta region is kept unless the zone is beta, too.
      {"", "{key: failure-domain.beta.kubernetes.io/region, operator: In, values: [r]}",
       "failure-domain.beta.kubernetes.io/region In r"},
  };
  for (const TopologyCase& c : cases) {
    std::string affinity;
    if (c.requirements != nullptr) {
      affinity = ", nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [" +
                 std::string(c.requirements) + "]}]}}";
    }
    SCOPED_TRACE(c.labels + affinity);
    const auto translated =
        TranslateToCsi(Volume(c.labels, "awsElasticBlockStore: {volumeID: vol-1}" + affinity));
    ASSERT_TRUE(translated.has_value());
    EXPECT_EQ(Terms(*translated), c.translated);
    EXPECT_FALSE(translated->spec.aws_elastic_block_store.has_value());
    EXPECT_EQ(translated->spec.csi->volume_handle, "vol-1");
  }
}

TEST(CsiMigration, EachDriverHasItsKey) {
  const std::pair<const char*, const char*> cases[] = {
      {"gcePersistentDisk: {pdName: d}", "topology.gke.io/zone In z"},
      {"cinder: {volumeID: d}", "topology.cinder.csi.openstack.org/zone In z"},
      {"azureDisk: {diskName: d, diskURI: u}", "none"},
      {"portworxVolume: {volumeID: d}", "none"},
  };
  for (const auto& [source, terms] : cases) {
    SCOPED_TRACE(source);
    const auto translated = TranslateToCsi(Volume("topology.kubernetes.io/zone: z", source));
    ASSERT_TRUE(translated.has_value());
    EXPECT_EQ(Terms(*translated), terms);
    EXPECT_EQ(InTreePluginOf(*translated), "");
  }
}

TEST(CsiMigration, AddsTheZoneToEachTerm) {
  const auto translated =
      TranslateToCsi(Volume("topology.kubernetes.io/zone: z",
                            "cinder: {volumeID: d}, nodeAffinity: {required: {nodeSelectorTerms: ["
                            "{matchExpressions: [{key: a, operator: Exists}]}, {}]}}"));
  ASSERT_TRUE(translated.has_value());
  EXPECT_EQ(Terms(*translated),
            "a Exists topology.cinder.csi.openstack.org/zone In z | "
            "topology.cinder.csi.openstack.org/zone In z");
}

TEST(CsiMigration, UntranslatableVolumeIsAnError) {
  const auto translated = TranslateToCsi(Volume("", "awsElasticBlockStore: {volumeID: 'aws://'}"));
  ASSERT_FALSE(translated.has_value());
  EXPECT_EQ(translated.error().message(),
            "failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume "
            "(aws://)");
}

}  // namespace
}  // namespace berth::scheduler
