// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/documents.h"

#include <istream>
#include <iterator>

#include "base/file.h"
#include "base/json/json.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"

namespace berth::operator_ {
namespace {

constexpr std::string_view kKind = crds::SchedulerProfile::kResource.kind;

Result<std::string> ReadText(const std::string& path, std::istream& in) {
  if (path != "-") return ReadFile(path);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// The version is checked before the fields, so that a mistake in it is not reported as many others.
Result<bool> IsProfile(const std::string& document) {
  BERTH_TRY(const json::Identity identity, json::Decode<json::Identity>(document));
  if (identity.kind.empty())
    return ConfigError("kind: Required value: a Kubernetes object has one");
  if (identity.kind != kKind) {
    const std::vector<std::string_view> known = {kKind};
    if (NearestName(identity.kind, known)) {
      return ConfigError("kind: unknown kind \"" + identity.kind +
                         "\"; nearest: " + std::string(kKind));
    }
    return false;
  }
  if (identity.api_version != crds::SchedulerProfile::kResource.ApiVersion()) {
    return ConfigError("apiVersion: found \"" + identity.api_version +
                       "\", allowed: " + crds::SchedulerProfile::kResource.ApiVersion());
  }
  return true;
}

}  // namespace

std::vector<Flag> FlagsOf(DocumentFlags& flags) {
  return {
      {.name = "-f,--filename",
       .target = &flags.files,
       .help = "File with SchedulerProfiles, YAML or JSON; - is standard input; may be repeated",
       .type = "FILE",
       .required = true},
      {.name = "--allow-default-scheduler",
       .target = &flags.allow_default_scheduler,
       .help = "Accept the name default-scheduler"}};
}

Result<std::vector<ProfileDocument>> ReadProfiles(const std::string& path, std::istream& in) {
  const std::string name = path == "-" ? "standard input" : path;
  BERTH_TRY(const std::string text, ReadText(path, in));
  const auto documents = yaml::DocumentsToJson(text);
  if (!documents) return Fail(documents.error().With(name));
  std::vector<ProfileDocument> profiles;
  for (size_t i = 0; i < documents->size(); ++i) {
    std::string source = name;
    if (documents->size() > 1) source += ": document " + std::to_string(i + 1);
    const Result<bool> is_profile = IsProfile((*documents)[i]);
    if (!is_profile) return Fail(is_profile.error().With(source));
    if (!*is_profile) continue;
    auto profile = json::Decode<crds::SchedulerProfile>((*documents)[i], json::Mode::kStrict);
    if (!profile) return Fail(profile.error().With(source));
    profiles.push_back({.source = std::move(source), .profile = std::move(*profile)});
  }
  if (profiles.empty()) return ConfigError(name + ": no " + std::string(kKind) + " in it");
  return profiles;
}

}  // namespace berth::operator_
