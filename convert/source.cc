// SPDX-License-Identifier: Apache-2.0
#include "convert/source.h"

#include <algorithm>
#include <optional>

#include "api/core.h"
#include "api/legacy_policy.h"
#include "base/json/syntax.h"
#include "base/regex.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "convert/draft.h"
#include "convert/old_plugins.h"
#include "crds/scheduler_profile.h"

namespace berth::convert {
namespace {

struct AnyObject {
  std::string api_version;
  std::string kind;
  api::ObjectMeta metadata;
  static auto Fields() {
    return json::Object(json::Field("apiVersion", &AnyObject::api_version),
                        json::Field("kind", &AnyObject::kind),
                        json::Field("metadata", &AnyObject::metadata));
  }
};

// Other API groups have kinds of the name Policy, too; a scheduler's has none: apiVersion v1.
bool IsConfiguration(std::string_view kind, std::string_view api_version) {
  return kind == kConfigKind ||
         (kind == api::LegacyPolicy::kKind && api_version.find('/') == api_version.npos);
}

// Values of a ConfigMap that cannot be a configuration are not parsed.
bool MayBeConfiguration(std::string_view text) {
  static const auto kPolicy = Regex::Compile(R"(kind["']?\s*:\s*["']?Policy\b)");
  return text.find(kConfigKind) != text.npos || (*kPolicy)->Matches(text);
}

// YAML allows a trailing comma, but in text that is meant as JSON it is an error.
std::optional<TextError> ErrorIn(std::string_view text) {
  if (json::IsMeantAsJson(text)) {
    if (auto error = json::SyntaxErrorIn(text)) return error;
  }
  return yaml::ErrorIn(text);
}

Result<std::vector<std::string>> DocumentsOf(std::string_view text) {
  if (const auto error = ErrorIn(text)) {
    std::string message = error->ToString();
    const std::string excerpt = Excerpt(text, *error);
    if (!excerpt.empty()) message += "\n" + excerpt.substr(0, excerpt.size() - 1);
    return ConfigError(std::move(message));
  }
  return yaml::DocumentsToJson(text);
}

// Returns why a profile has no place for an object of the kind.
std::string WhyDropped(std::string_view kind) {
  if (kind == "ServiceAccount") return "each profile has its own service account";
  if (kind == "ClusterRole" || kind == "Role" || kind == "ClusterRoleBinding" ||
      kind == "RoleBinding") {
    return "the operator grants only the permissions that the profile's plugins need";
  }
  if (kind == "Namespace")
    return "profiles are cluster-scoped; set spec.namespace for the "
           "scheduler";
  if (kind == "Service" || kind == "ServiceMonitor" || kind == "PodDisruptionBudget" ||
      kind == "NetworkPolicy") {
    return "the operator creates one for each profile";
  }
  return "not part of a scheduler's configuration";
}

class Reader {
 public:
  explicit Reader(const Reporter& reporter) : reporter_(reporter) {}

  // `number` is the document's number in the file, from 1.
  Result<void> Read(const std::string& document, size_t number) {
    number_ = number;
    return Document(document);
  }
  Source Take();

 private:
  Result<void> Document(const std::string& document);
  Result<void> ConfigMap(const std::string& document, const std::string& title);
  Result<bool> DataEntry(const api::ConfigMap& map, const std::string& key, const std::string& text,
                         const std::string& title);
  Result<void> Workload(const AnyObject& object, const std::string& document,
                        const std::string& title);
  void DropWorkload(const std::string& title) const;
  Result<void> ClusterRole(const std::string& document);
  Result<void> ClusterRoleBinding(const std::string& document);

  const Reporter& reporter_;
  size_t number_ = 0;
  Source source_;
};

Result<void> Reader::Document(const std::string& document) {
  BERTH_TRY(const AnyObject object, json::Decode<AnyObject>(document));
  const std::string& kind = object.kind;
  if (kind.empty()) {
    return ConfigError(
        "kind: Required value: Policy, KubeSchedulerConfiguration, or the kind of a manifest");
  }
  if (IsConfiguration(kind, object.api_version)) {
    source_.configs.push_back(
        {.kind = kind, .api_version = object.api_version, .document = document, .number = number_});
    return {};
  }
  const std::string title = kind + " " + api::KeyOf(object.metadata);
  if (kind == crds::SchedulerProfile::kResource.kind) {
    return ConfigError(title + ": already a SchedulerProfile, nothing to convert");
  }
  if (kind == "List") {
    BERTH_TRY(const RawList list, json::Decode<RawList>(document));
    for (const json::Raw& item : list.items) BERTH_TRY_VOID(Document(item.text));
    return {};
  }
  if (kind == "ConfigMap") return ConfigMap(document, title);
  if (kind == kSecondaryScheduler) {
    auto workload = ReadSecondaryScheduler(document, reporter_);
    if (!workload) return Fail(workload.error().With(title));
    source_.workloads.push_back(*std::move(workload));
    return {};
  }
  if (IsWorkloadKind(kind)) return Workload(object, document, title);
  if (kind == "ClusterRole") BERTH_TRY_VOID(ClusterRole(document));
  if (kind == "ClusterRoleBinding") BERTH_TRY_VOID(ClusterRoleBinding(document));
  reporter_.Dropped(title, WhyDropped(kind));
  return {};
}

Result<bool> Reader::DataEntry(const api::ConfigMap& map, const std::string& key,
                               const std::string& text, const std::string& title) {
  if (!MayBeConfiguration(text)) return false;
  const std::string place = title + ", data[" + key + "]";
  auto documents = DocumentsOf(text);
  if (!documents) return Fail(documents.error().With(place));
  bool found = false;
  for (std::string& document : *documents) {
    const auto identity = json::Decode<json::Identity>(document);
    if (!identity || !IsConfiguration(identity->kind, identity->api_version)) continue;
    source_.configs.push_back({.kind = identity->kind,
                               .api_version = identity->api_version,
                               .document = std::move(document),
                               .title = place,
                               .key = {{map.metadata.namespace_, map.metadata.name}, key},
                               .number = number_});
    found = true;
  }
  return found;
}

Result<void> Reader::ConfigMap(const std::string& document, const std::string& title) {
  BERTH_TRY(const api::ConfigMap map, json::Decode<api::ConfigMap>(document));
  bool found = false;
  for (const auto& [key, text] : map.data) {
    BERTH_TRY(const bool is_one, DataEntry(map, key, text, title));
    found = found || is_one;
  }
  if (!found) reporter_.Dropped(title, "no scheduler configuration found");
  return {};
}

Result<void> Reader::Workload(const AnyObject& object, const std::string& document,
                              const std::string& title) {
  auto workload = ReadWorkload(object.kind, document);
  if (!workload) return Fail(workload.error().With(title));
  if (*workload) {
    source_.workloads.push_back(**std::move(workload));
  } else {
    DropWorkload(title);
  }
  return {};
}

void Reader::DropWorkload(const std::string& title) const {
  reporter_.Dropped(title, "no container looks like a scheduler by its name or its flags");
}

// Many programs have a flag --config. A program that is not a scheduler by its name counts as one
// if it reads a scheduler's configuration.
Source Reader::Take() {
  std::erase_if(source_.workloads, [this](const convert::Workload& workload) {
    if (workload.is_scheduler) return false;
    const auto keys = workload.SourcesOf(workload.Flag("config").value_or(""));
    const bool reads_one = std::ranges::any_of(source_.configs, [&](const ConfigText& config) {
      return std::ranges::any_of(keys, [&](const ConfigKey& key) {
        return config.key.config_map.name == key.config_map.name && config.key.key == key.key;
      });
    });
    if (!reads_one) DropWorkload(workload.title);
    return !reads_one;
  });
  return std::move(source_);
}

Result<void> Reader::ClusterRole(const std::string& document) {
  BERTH_TRY(const auto role, json::Decode<api::ClusterRole>(document));
  const auto has_all = [](const std::vector<std::string>& list) {
    return std::ranges::find(list, "*") != list.end();
  };
  if (std::ranges::any_of(role.rules, [&](const api::PolicyRule& rule) {
        return has_all(rule.api_groups) && has_all(rule.resources) && has_all(rule.verbs);
      })) {
    source_.unlimited.push_back(role.metadata.name);
  }
  return {};
}

Result<void> Reader::ClusterRoleBinding(const std::string& document) {
  BERTH_TRY(const auto binding, json::Decode<api::ClusterRoleBinding>(document));
  source_.bindings.push_back({binding.role_ref.name, binding.subjects});
  return {};
}

}  // namespace

Result<Source> ReadSource(std::string_view text, const Reporter& reporter) {
  BERTH_TRY(const std::vector<std::string> documents, DocumentsOf(text));
  if (documents.empty()) return ConfigError("the file is empty");
  Reader reader(reporter);
  for (size_t i = 0; i < documents.size(); ++i) {
    if (auto read = reader.Read(documents[i], i + 1); !read) {
      const std::string place = "document " + std::to_string(i + 1);
      return Fail(documents.size() > 1 ? read.error().With(place) : read.error());
    }
  }
  return reader.Take();
}

}  // namespace berth::convert
