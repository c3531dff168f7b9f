// SPDX-License-Identifier: Apache-2.0
// storage.k8s.io. Source: pkg/apis/storage/validation of Kubernetes.
#include <map>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/field.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;
using Check = Strategy::Check;

constexpr size_t kMaxParameters = 512;
constexpr size_t kMaxParameterBytes = 256 << 10;
constexpr size_t kMaxNodeId = 256;
constexpr size_t kMaxDriverName = 63;

// CheckLower checks a text whose letters may be large, too.
void CheckLower(const Field& field, NameProblems (*check)(std::string_view),
                const std::string& shown) {
  for (const std::string& why : check(ToLower(field.Text())))
    field.Invalid(json(shown).dump(), why);
}

void CheckProvisioner(const Field& name) {
  if (name.Require()) CheckLower(name, CheckQualifiedName, ToLower(name.Text()));
}

void CheckParameters(const Field& parameters) {
  const auto entries = parameters.Entries();
  if (entries.size() > kMaxParameters) return parameters.TooLong(kMaxParameters);
  size_t total = 0;
  for (const Field::Entry& entry : entries) {
    if (entry.key.empty()) parameters.Invalid("\"\"", "field can not be empty.");
    total += entry.key.size() + entry.value.Text().size();
  }
  if (total > kMaxParameterBytes) parameters.TooLong(kMaxParameterBytes);
}

void CheckTopology(const Field& term) {
  std::set<std::string> keys;
  for (const Field& expression : term["matchLabelExpressions"].Items()) {
    const Field values = expression["values"];
    values.Require();
    std::set<std::string> seen;
    for (const Field& value : values.Items()) {
      if (!seen.insert(value.Text()).second) value.Duplicate();
    }
    const Field key = expression["key"];
    for (const std::string& why : CheckQualifiedName(key.Text()))
      key.Invalid(json(key.Text()).dump(), why);
    if (!keys.insert(key.Text()).second) key.Duplicate();
  }
}

void ValidateStorageClass(const json& object, Problems& problems) {
  const Field storage(object, problems);
  CheckProvisioner(storage["provisioner"]);
  CheckParameters(storage["parameters"]);
  if (!storage["reclaimPolicy"].IsEmpty()) storage["reclaimPolicy"].OneOf({"Delete", "Retain"});
  storage["volumeBindingMode"].OneOf({"Immediate", "WaitForFirstConsumer"});
  for (const Field& term : storage["allowedTopologies"].Items()) CheckTopology(term);
}

void KeepStorageClass(const json& object, const json& old, Problems& problems) {
  const Field storage(object, problems);
  for (const char* field : {"parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"})
    storage[field].Unchanged(Field(old, problems)[field]);
}

void CheckDriverName(const Field& name) {
  if (!name.Require()) return;
  name.NotLonger(kMaxDriverName);
  CheckLower(name, CheckDnsSubdomain, name.Text());
}

void CheckNodeDriver(const Field& driver, std::set<std::string>& names) {
  CheckDriverName(driver["name"]);
  const Field node = driver["nodeID"];
  node.Require();
  if (node.Text().size() > kMaxNodeId) node.Invalid("must be 256 characters or less");
  driver["allocatable"]["count"].AtLeast(0, kNotNegative);
  if (!names.insert(driver["name"].Text()).second) driver["name"].Duplicate();
  std::set<std::string> keys;
  for (const Field& item : driver["topologyKeys"].Items()) {
    const Field key = item.At(driver.path());
    key.Require();
    if (!keys.insert(key.Text()).second) key.Duplicate();
    key.Named(CheckQualifiedName);
  }
}

void ValidateNode(const json& object, Problems& problems) {
  std::set<std::string> names;
  for (const Field& driver : Field(object, problems)["spec"]["drivers"].Items())
    CheckNodeDriver(driver, names);
}

// A driver on a node may come and go; while it is there, only how much it takes may change.
void KeepNodeDrivers(const json& object, const json& old, Problems& problems) {
  const auto fixed_part = [](const Field& driver) {
    json part = driver.value();
    part.erase("allocatable");
    return part;
  };
  const Field drivers = Field(object, problems)["spec"]["drivers"];
  for (const Field& before : Field(old, problems)["spec"]["drivers"].Items()) {
    for (const Field& driver : drivers.Items()) {
      if (driver["name"].value() != before["name"].value()) continue;
      const json now = fixed_part(driver);
      if (now != fixed_part(before)) drivers.Invalid(now.dump(), "field is immutable");
    }
  }
}

void CheckTokenRequests(const Field& requests) {
  constexpr int64_t kMinSeconds = 600;
  constexpr int64_t kMaxSeconds = int64_t{1} << 32;
  std::set<std::string> audiences;
  for (const Field& request : requests.Items()) {
    if (!audiences.insert(request["audience"].Text()).second) {
      request["audience"].Duplicate();
      continue;
    }
    const Field seconds = request["expirationSeconds"];
    seconds.AtLeast(kMinSeconds, "may not specify a duration less than 10 minutes");
    if (seconds.Number() > kMaxSeconds)
      seconds.Invalid("may not specify a duration larger than 2^32 seconds");
  }
}

void ValidateDriver(const json& object, Problems& problems) {
  const Field spec = Field(object, problems)["spec"];
  spec["fsGroupPolicy"].OneOf({"File", "None", "ReadWriteOnceWithFSType"});
  CheckTokenRequests(spec["tokenRequests"]);
  const Field modes = spec["volumeLifecycleModes"];
  for (const Field& mode : modes.Items()) mode.At(modes.path()).OneOf({"Persistent", "Ephemeral"});
  spec["nodeAllocatableUpdatePeriodSeconds"].AtLeast(10,
                                                     "must be greater than or equal to 10 seconds");
  const Field in_secrets = spec["serviceAccountTokenInSecrets"];
  if (in_secrets.IsSet() && spec["tokenRequests"].IsEmpty()) {
    in_secrets.Invalid("serviceAccountTokenInSecrets is set but no tokenRequests are specified");
  }
}

void KeepDriver(const json& object, const json& old, Problems& problems) {
  const Field spec = Field(object, problems)["spec"];
  const Field before = Field(old, problems)["spec"];
  // The path is misspelt upstream.
  spec["attachRequired"].At("spec.attachedRequired").Unchanged(before["attachRequired"]);
  spec["volumeLifecycleModes"].Unchanged(before["volumeLifecycleModes"]);
}

void ValidateCapacity(const json& object, Problems& problems) {
  const Field capacity(object, problems);
  CheckLabelSelector(capacity["nodeTopology"]);
  const Field name = capacity["storageClassName"];
  for (const std::string& why : CheckDnsSubdomain(name.Text()))
    name.Invalid(json(name.Text()).dump(), why);
  CheckQuantity(capacity["capacity"]);
}

void KeepCapacity(const json& object, const json& old, Problems& problems) {
  const Field capacity(object, problems);
  for (const char* field : {"nodeTopology", "storageClassName"})
    capacity[field].Unchanged(Field(old, problems)[field]);
}

void ValidateAttributes(const json& object, Problems& problems) {
  const Field attributes(object, problems);
  CheckProvisioner(attributes["driverName"]);
  CheckParameters(attributes["parameters"]);
  attributes["parameters"].Require("must contain at least one key/value pair");
}

void KeepAttributes(const json& object, const json& old, Problems& problems) {
  const Field attributes(object, problems);
  for (const char* name : {"driverName", "parameters"}) {
    if (attributes[name].value() != Field(old, problems)[name].value())
      attributes[name].Forbidden("updates to " + std::string(name) + " are forbidden.");
  }
}

Strategy Make(void (*validate)(const json&, Problems&),
              void (*validate_update)(const json&, const json&, Problems&),
              std::vector<Check> on_update) {
  Strategy strategy;
  strategy.validate = validate;
  strategy.validate_update = validate_update;
  strategy.on_update = std::move(on_update);
  return strategy;
}

const std::map<std::string, Strategy, std::less<>>& Table() {
  static const std::vector<Check> kWholeFirst = {Check::kMetadata, Check::kContent,
                                                 Check::kMetadataChange, Check::kChange};
  static const std::vector<Check> kWholeOnly = {Check::kMetadata, Check::kContent, Check::kChange};
  static const std::vector<Check> kWholeLast = {Check::kMetadataChange, Check::kChange,
                                                Check::kMetadata, Check::kContent};
  static const std::vector<Check> kPart = {Check::kMetadataChange, Check::kContent, Check::kChange};
  static const std::map<std::string, Strategy, std::less<>> kTable = {
      {"StorageClass", Make(ValidateStorageClass, KeepStorageClass, kWholeFirst)},
      {"CSINode", Make(ValidateNode, KeepNodeDrivers, kWholeOnly)},
      {"CSIDriver", Make(ValidateDriver, KeepDriver, kPart)},
      {"CSIStorageCapacity", Make(ValidateCapacity, KeepCapacity, kWholeFirst)},
      {"VolumeAttributesClass", Make(ValidateAttributes, KeepAttributes, kWholeLast)},
  };
  return kTable;
}

}  // namespace

const Strategy* StorageStrategy(const KindInfo& kind) {
  if (kind.group != "storage.k8s.io") return nullptr;
  const auto found = Table().find(kind.kind);
  return found == Table().end() ? nullptr : &found->second;
}

}  // namespace berth::apiserver
