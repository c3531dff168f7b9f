// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/documents.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <istream>
#include <iterator>
#include <system_error>

#include "base/file.h"
#include "base/json/json.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"

namespace berth::operator_ {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKind = crds::SchedulerProfile::kResource.kind;

Result<std::string> ReadText(const std::string& path, std::istream& in) {
  if (path != "-") return ReadFile(path);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Checks the version before the fields, so that a wrong version does not cause many other errors.
Result<bool> IsProfile(const std::string& document) {
  BERTH_TRY(const json::Identity identity, json::Decode<json::Identity>(document));
  if (identity.kind.empty()) return ConfigError("kind: Required value");
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

ProfilesOfFile ProfilesIn(const std::string& name, std::string_view text) {
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
  return profiles;
}

Failure NothingIn(const std::string& place, std::string_view where) {
  return ConfigError(place + ": no " + std::string(kKind) + " in " + std::string(where));
}

ProfilesOfFile ReadNamed(const std::string& path, std::istream& in) {
  const std::string name = path == "-" ? "standard input" : path;
  BERTH_TRY(const std::string text, ReadText(path, in));
  BERTH_TRY(std::vector<ProfileDocument> profiles, ProfilesIn(name, text));
  if (profiles.empty()) return NothingIn(name, "it");
  return profiles;
}

bool IsManifest(const fs::directory_entry& entry) {
  static constexpr std::array<std::string_view, 3> kExtensions = {".json", ".yaml", ".yml"};
  std::error_code unknown;
  return !entry.is_directory(unknown) &&
         std::find(kExtensions.begin(), kExtensions.end(), entry.path().extension().string()) !=
             kExtensions.end();
}

template <class Iterator>
Result<std::vector<std::string>> ManifestsIn(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (Iterator entry(folder, error); !error && entry != Iterator(); entry.increment(error)) {
    if (IsManifest(*entry)) files.push_back(entry->path().string());
  }
  if (error) return ConfigError("read " + folder + ": " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

void ReadFolder(const std::string& folder, bool recursive, std::vector<ProfilesOfFile>& out) {
  const auto files = recursive ? ManifestsIn<fs::recursive_directory_iterator>(folder)
                               : ManifestsIn<fs::directory_iterator>(folder);
  if (!files) {
    out.emplace_back(Fail(files.error()));
    return;
  }
  const size_t before = out.size();
  for (const std::string& file : *files) {
    const auto text = ReadFile(file);
    ProfilesOfFile profiles = text ? ProfilesIn(file, *text) : Fail(text.error());
    if (!profiles || !profiles->empty()) out.push_back(std::move(profiles));
  }
  if (out.size() > before) return;
  out.emplace_back(
      NothingIn(folder, recursive ? "its .yaml, .yml and .json files and its subfolders"
                                  : "its .yaml, .yml and .json files; -R includes subfolders"));
}

}  // namespace

std::vector<Flag> FlagsOf(DocumentFlags& flags) {
  std::vector<Flag> all = {
      {.name = "-f,--filename",
       .target = &flags.files,
       .help =
           "File with SchedulerProfiles, YAML or JSON, or a folder of such files; - is standard "
           "input; may be repeated",
       .type = "FILE",
       .required = true},
      {.name = "-R,--recursive", .target = &flags.recursive, .help = "Include subfolders"}};
  for (Flag& flag : FlagsOf(flags.installation)) all.push_back(std::move(flag));
  return all;
}

std::vector<ProfilesOfFile> ReadProfiles(const DocumentFlags& flags, std::istream& in) {
  std::vector<ProfilesOfFile> read;
  for (const std::string& path : flags.files) {
    std::error_code unknown;
    if (fs::is_directory(path, unknown)) {
      ReadFolder(path, flags.recursive, read);
    } else {
      read.push_back(ReadNamed(path, in));
    }
  }
  for (ProfilesOfFile& profiles : read) {
    if (!profiles) continue;
    for (ProfileDocument& document : *profiles) {
      crds::PlaceByDefault(document.profile, NamespaceOf(flags.installation));
    }
  }
  return read;
}

}  // namespace berth::operator_
