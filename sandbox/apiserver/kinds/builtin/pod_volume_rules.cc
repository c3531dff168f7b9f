// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/quantity.h"
#include "base/strings.h"
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"

namespace berth::apiserver {
namespace {

constexpr int64_t kMaxMode = 0777;
constexpr int64_t kMinTokenSeconds = 600;
constexpr int64_t kMaxTokenSeconds = int64_t{1} << 32;

void CheckMode(const Field& mode) {
  if (mode.IsSet() && (mode.Number() < 0 || mode.Number() > kMaxMode))
    mode.Invalid("must be a number between 0 and 0777 (octal), both inclusive");
}

// A path within a volume: what the kubelet keeps for itself begins with "..".
void CheckContentPath(const Field& path) {
  CheckRelativePath(path);
  if (path.Text().starts_with("..") && !path.Text().starts_with("../"))
    path.Invalid("must not start with '..'");
}

void CheckItems(const Field& items) {
  for (const Field& item : items.Items()) {
    item["key"].Require();
    if (item["path"].Require()) CheckContentPath(item["path"]);
    CheckMode(item["mode"]);
  }
}

void CheckEmptyDir(const Field& source) {
  const auto limit = Quantity::Parse(source["sizeLimit"].Text());
  if (limit && limit->Value() < 0)
    source["sizeLimit"].Forbidden("SizeLimit field must be a valid resource quantity");
}

void CheckHostPath(const Field& source) {
  if (!source["path"].Require()) return;
  CheckNoBacksteps(source["path"]);
  source["type"].OneOf({"", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File",
                        "FileOrCreate", "Socket"});
}

void CheckSecret(const Field& source) {
  source["secretName"].Require();
  CheckMode(source["defaultMode"]);
  CheckItems(source["items"]);
}

void CheckConfigMap(const Field& source) {
  source["name"].Require();
  CheckMode(source["defaultMode"]);
  CheckItems(source["items"]);
}

void CheckClaim(const Field& source) { source["claimName"].Require(); }

void CheckNfs(const Field& source) {
  source["server"].Require();
  if (source["path"].Require() && !source["path"].Text().starts_with('/'))
    source["path"].Invalid("must be an absolute path");
}

void CheckCsi(const Field& source) { source["driver"].Require(); }

void CheckEphemeral(const Field& source) { source["volumeClaimTemplate"].Require(); }

// Findings about an item name the volume it is in.
void CheckDownwardItem(const Field& item, const std::string& volume) {
  const Field path = item["path"].At(volume + ".path");
  if (path.Require()) CheckContentPath(path);
  const Field here = item.At(volume);
  if (item["fieldRef"].IsSet()) {
    CheckFieldPath(here["fieldRef"], true);
    if (item["resourceFieldRef"].IsSet())
      here.Invalid(Quoted("resource"),
                   "fieldRef and resourceFieldRef can not be specified simultaneously");
  } else if (!item["resourceFieldRef"].IsSet()) {
    here.Required("one of fieldRef and resourceFieldRef is required");
  }
  CheckMode(here["mode"]);
}

void CheckDownward(const Field& source) {
  CheckMode(source["defaultMode"]);
  for (const Field& item : source["items"].Items()) CheckDownwardItem(item, source.path());
}

void CheckToken(const Field& token, const std::string& volume) {
  const Field seconds = token["expirationSeconds"];
  seconds.AtLeast(kMinTokenSeconds, "may not specify a duration less than 10 minutes");
  if (seconds.Number() > kMaxTokenSeconds)
    seconds.Invalid("may not specify a duration larger than 2^32 seconds");
  const Field path = token["path"].At(volume + ".path");
  if (path.Require()) CheckContentPath(path);
}

void CheckProjected(const Field& source) {
  CheckMode(source["defaultMode"]);
  for (const Field& part : source["sources"].Items()) {
    size_t kinds = 0;
    const auto has = [&](const char* name) {
      kinds += part[name].IsSet();
      return part[name].IsSet();
    };
    for (const char* name : {"secret", "configMap"}) {
      if (!has(name)) continue;
      part[name]["name"].Require();
      CheckItems(part[name]["items"]);
    }
    if (has("downwardAPI")) {
      for (const Field& item : part["downwardAPI"]["items"].Items())
        CheckDownwardItem(item, part["downwardAPI"].path());
    }
    if (has("serviceAccountToken")) CheckToken(part["serviceAccountToken"], source.path());
    if (kinds > 1) part.Forbidden("may not specify more than 1 volume type per source");
  }
}

struct Source {
  const char* name;
  void (*check)(const Field& source);  // null: counted only
};

// In the order in which a second one is found.
constexpr Source kSources[] = {
    {"emptyDir", CheckEmptyDir},
    {"hostPath", CheckHostPath},
    {"gitRepo", nullptr},
    {"gcePersistentDisk", nullptr},
    {"awsElasticBlockStore", nullptr},
    {"secret", CheckSecret},
    {"nfs", CheckNfs},
    {"iscsi", nullptr},
    {"glusterfs", nullptr},
    {"flexVolume", nullptr},
    {"configMap", CheckConfigMap},
    {"persistentVolumeClaim", CheckClaim},
    {"rbd", nullptr},
    {"cinder", nullptr},
    {"cephfs", nullptr},
    {"quobyte", nullptr},
    {"downwardAPI", CheckDownward},
    {"fc", nullptr},
    {"flocker", nullptr},
    {"azureFile", nullptr},
    {"vsphereVolume", nullptr},
    {"photonPersistentDisk", nullptr},
    {"portworxVolume", nullptr},
    {"azureDisk", nullptr},
    {"storageos", nullptr},
    {"projected", CheckProjected},
    {"scaleIO", nullptr},
    {"csi", CheckCsi},
    {"ephemeral", CheckEphemeral},
    {"image", nullptr},
};

void CheckSource(const Field& volume) {
  size_t count = 0;
  for (const Source& source : kSources) {
    const Field given = volume[source.name];
    if (!given.IsSet()) continue;
    if (count++ > 0)
      given.Forbidden("may not specify more than 1 volume type");
    else if (source.check != nullptr)
      source.check(given);
  }
  if (count == 0) volume.Required("must specify a volume type");
}

}  // namespace

void CheckRelativePath(const Field& path) {
  if (path.Text().starts_with('/')) path.Invalid("must be a relative path");
  CheckNoBacksteps(path);
}

void CheckNoBacksteps(const Field& path) {
  const std::string text = path.Text();
  const std::vector<std::string_view> steps = Split(text, '/');
  if (std::find(steps.begin(), steps.end(), "..") != steps.end())
    path.Invalid("must not contain '..'");
}

std::set<std::string> CheckVolumes(const Field& volumes) {
  std::set<std::string> names;
  for (const Field& volume : volumes.Items()) {
    const size_t before = volume.problems().size();
    CheckSource(volume);
    const Field name = volume["name"];
    if (name.Require()) name.Named(CheckDnsLabel);
    if (names.contains(name.Text())) name.Duplicate();
    if (volume.problems().size() == before) names.insert(name.Text());
  }
  return names;
}

}  // namespace berth::apiserver
