// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/documents.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <istream>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/json/decode_problems.h"
#include "base/json/json.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "crds/place.h"

namespace berth::operator_ {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKind = crds::SchedulerProfile::kResource.kind;

Result<std::string> ReadText(const std::string& path, std::istream& in) {
  if (path != "-") return ReadFile(path);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Reports whether a text that cannot be read as a manifest seems to be one of ours.
bool MentionsUs(std::string_view text) {
  return text.find(crds::kGroup) != text.npos || text.find(kKind) != text.npos;
}

// Skip selects the documents to skip besides those of other kinds.
enum class Skip { kNone, kWhatIsNotOurs };

// Reports whether a document is a profile. Checks the version before the fields, so that a wrong
// version does not cause many other errors.
Result<bool> IsProfile(const std::string& document, Skip skip) {
  const auto identity = json::Decode<json::Identity>(document);
  const bool is_ours = identity
                           ? identity->api_version.starts_with(std::string(crds::kGroup) + "/") ||
                                 (identity->api_version.empty() && identity->kind == kKind)
                           : MentionsUs(document);
  if (!is_ours && skip == Skip::kWhatIsNotOurs) return false;
  if (!identity) return Fail(identity.error());
  if (identity->kind.empty()) return ConfigError("kind: Required value");
  if (identity->kind != kKind) {
    const std::vector<std::string_view> known = {kKind};
    const auto nearest = NearestName(identity->kind, known);
    if (!nearest) return false;
    return ConfigError("kind: unknown kind " + json::Quoted(identity->kind) + NearestHint(nearest));
  }
  if (identity->api_version != crds::SchedulerProfile::kResource.ApiVersion()) {
    return ConfigError("apiVersion: found " + json::Quoted(identity->api_version) +
                       ", allowed: " + crds::SchedulerProfile::kResource.ApiVersion());
  }
  return true;
}

api::FieldError ErrorOf(json::DecodeProblem problem, const std::string& path) {
  using Kind = json::DecodeProblem::Kind;
  using Type = api::FieldError::Type;
  return {.type = problem.kind == Kind::kWrongValue ? Type::kTypeInvalid : Type::kForbidden,
          .path = path,
          .value = std::move(problem.value),
          .detail = std::move(problem.message)};
}

ProfileDocument Unreadable(DocumentPlace place, const Error& error) {
  ProfileDocument document{.place = std::move(place), .profile = {}, .unread = {}, .errors = {}};
  document.errors.push_back(FindingOf(document.place, error));
  return document;
}

ProfileDocument ProfileIn(DocumentPlace place, const std::string& text) {
  crds::SchedulerProfile profile;
  auto problems = json::DecodeWithProblems(text, json::TypeOf<crds::SchedulerProfile>(), &profile);
  if (!problems) return Unreadable(std::move(place), problems.error());
  ProfileDocument document{
      .place = std::move(place), .profile = std::move(profile), .unread = {}, .errors = {}};
  const crds::ProfileJson profile_json(text);
  for (json::DecodeProblem& problem : *problems) {
    const std::string path = profile_json.KeyedPath(problem.steps);
    if (problem.kind == json::DecodeProblem::Kind::kWrongValue) document.unread.insert(path);
    document.errors.push_back(FindingOf(document.place, ErrorOf(std::move(problem), path)));
  }
  return document;
}

struct ListedItems {
  std::vector<json::Raw> items;
  static auto Fields() { return json::Object(json::Field("items", &ListedItems::items)); }
};

// ListKind is the kind of a document with items.
enum class ListKind {
  kNone,
  kOfAny,       // List, as `kubectl get -o yaml` and `berth convert -o json` print it
  kOfProfiles,  // SchedulerProfileList of the API server; its items need no kind
};

ListKind ListKindOf(const std::string& document) {
  const auto identity = json::Decode<json::Identity>(document);
  if (!identity) return ListKind::kNone;
  const std::string& version = identity->api_version;
  if (identity->kind == "List" && (version.empty() || version == "v1")) return ListKind::kOfAny;
  const bool is_ours = identity->kind == std::string(kKind) + "List" &&
                       version == crds::SchedulerProfile::kResource.ApiVersion();
  return is_ours ? ListKind::kOfProfiles : ListKind::kNone;
}

bool HasKind(const std::string& document) {
  const auto identity = json::Decode<json::Identity>(document);
  return !identity || !identity->kind.empty() || !identity->api_version.empty();
}

void AddDocument(const DocumentPlace& place, const std::string& document, Skip skip,
                 ProfileDocuments& out);

void AddItems(const DocumentPlace& place, const std::string& document, ListKind kind, Skip skip,
              ProfileDocuments& out) {
  const auto list = json::Decode<ListedItems>(document);
  if (!list && skip == Skip::kWhatIsNotOurs && !MentionsUs(document)) {
    ++out.skipped;
    return;
  }
  if (!list) {
    out.documents.push_back(Unreadable(place, list.error()));
    return;
  }
  DocumentPlace at = place;
  for (size_t i = 0; i < list->items.size(); ++i) {
    at.item = api::Index(api::Child(place.item, "items"), i);
    const std::string& item = list->items[i].text;
    if (kind == ListKind::kOfProfiles && !HasKind(item)) {
      out.documents.push_back(ProfileIn(at, item));
    } else {
      AddDocument(at, item, skip, out);
    }
  }
  if (list->items.empty()) ++out.skipped;
}

// Adds the profile that a document is, or the profiles in its list.
void AddDocument(const DocumentPlace& place, const std::string& document, Skip skip,
                 ProfileDocuments& out) {
  const ListKind list = ListKindOf(document);
  if (list != ListKind::kNone) return AddItems(place, document, list, skip, out);
  const Result<bool> is_profile = IsProfile(document, skip);
  if (!is_profile) {
    out.documents.push_back(Unreadable(place, is_profile.error()));
  } else if (*is_profile) {
    out.documents.push_back(ProfileIn(place, document));
  } else {
    ++out.skipped;
  }
}

// Adds the profiles in a text.
void AddProfilesIn(const std::string& file, std::string_view text, Skip skip,
                   ProfileDocuments& out) {
  const auto documents = yaml::DocumentsToJson(text);
  if (!documents) {
    if (skip == Skip::kWhatIsNotOurs && !MentionsUs(text)) {
      ++out.skipped;
    } else {
      out.documents.push_back(Unreadable({.file = file}, documents.error()));
    }
    return;
  }
  DocumentPlace place{.file = file, .is_only = documents->size() == 1};
  for (const std::string& document : *documents) {
    ++place.document;
    AddDocument(place, document, skip, out);
  }
}

void AddNothingIn(const std::string& place, std::string_view where, ProfileDocuments& out) {
  const Error error(Reason::kConfig, "no " + std::string(kKind) + " in " + std::string(where));
  out.documents.push_back(Unreadable({.file = place}, error));
}

void ReadNamed(const std::string& path, std::istream& in, ProfileDocuments& out) {
  const std::string name = path == "-" ? "standard input" : path;
  const auto text = ReadText(path, in);
  if (!text) {
    out.documents.push_back(Unreadable({.file = name}, text.error()));
    return;
  }
  const size_t before = out.documents.size();
  AddProfilesIn(name, *text, Skip::kNone, out);
  if (out.documents.size() == before) AddNothingIn(name, "it", out);
}

bool IsManifest(const fs::directory_entry& entry) {
  static constexpr std::array<std::string_view, 3> kExtensions = {".json", ".yaml", ".yml"};
  std::error_code unknown;
  // Reading a pipe could wait forever.
  return entry.is_regular_file(unknown) &&
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

// ReadFiles are the files that were read, by their canonical paths.
class ReadFiles {
 public:
  // Reports whether the file was not read before, and records it.
  bool Add(const std::string& path) {
    std::error_code unknown;
    const fs::path canonical = fs::weakly_canonical(path, unknown);
    return unknown || paths_.insert(canonical.string()).second;
  }

 private:
  std::set<std::string> paths_;
};

void ReadFolder(const std::string& folder, bool recursive, ReadFiles& read, ProfileDocuments& out) {
  const auto files = recursive ? ManifestsIn<fs::recursive_directory_iterator>(folder)
                               : ManifestsIn<fs::directory_iterator>(folder);
  if (!files) {
    out.documents.push_back(Unreadable({.file = folder}, files.error()));
    return;
  }
  const size_t before = out.documents.size();
  bool has_read_before = false;
  for (const std::string& file : *files) {
    if (!read.Add(file)) {
      has_read_before = true;
    } else if (const auto text = ReadFile(file)) {
      AddProfilesIn(file, *text, Skip::kWhatIsNotOurs, out);
    } else {
      out.documents.push_back(Unreadable({.file = file}, text.error()));
    }
  }
  if (out.documents.size() > before || has_read_before) return;
  AddNothingIn(folder,
               recursive ? "its .yaml, .yml and .json files and its subfolders"
                         : "its .yaml, .yml and .json files; -R includes subfolders",
               out);
}

// NameUse is the first use of a scheduler name.
struct NameUse {
  size_t document;
  std::string path;
};

// Adds an error to each profile with a scheduler name of an earlier one: in a cluster the second
// would replace the first, or wait for its name.
void RejectSharedNames(std::vector<ProfileDocument>& documents) {
  std::map<std::string, NameUse> uses;
  for (size_t i = 0; i < documents.size(); ++i) {
    ProfileDocument& document = documents[i];
    if (!document.profile) continue;
    const auto check = [&](const std::string& name, std::string path) {
      if (name.empty()) return;
      const auto [use, is_new] = uses.try_emplace(name, NameUse{i, path});
      if (is_new || use->second.document == i) return;  // in one profile a rule rejects it
      const ProfileDocument& other = documents[use->second.document];
      api::FieldError error = api::FieldError::Duplicate(std::move(path), name);
      error.detail = "it is also " + use->second.path + " of SchedulerProfile " +
                     other.profile->metadata.name + " in " + other.place.ToString();
      document.errors.push_back(FindingOf(document.place, error));
    };
    check(document.profile->metadata.name, "metadata.name");
    for (size_t j = 0; j < document.profile->spec.aliases.size(); ++j) {
      check(document.profile->spec.aliases[j], api::Index("spec.aliases", j));
    }
  }
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

ProfileDocuments ReadProfiles(const DocumentFlags& flags, std::istream& in) {
  ProfileDocuments out;
  ReadFiles read;
  for (const std::string& path : flags.files) {
    std::error_code unknown;
    if (fs::is_directory(path, unknown)) {
      ReadFolder(path, flags.recursive, read, out);
    } else if (path == "-" || read.Add(path)) {
      ReadNamed(path, in, out);
    }
  }
  for (ProfileDocument& document : out.documents) {
    if (document.profile) crds::PlaceByDefault(*document.profile, NamespaceOf(flags.installation));
  }
  RejectSharedNames(out.documents);
  return out;
}

std::string SkippedText(const ProfileDocuments& documents) {
  if (documents.skipped == 0) return "";
  return "note: skipped " + std::to_string(documents.skipped) +
         (documents.skipped == 1 ? " document that is no " : " documents that are no ") +
         std::string(kKind) + "\n";
}

}  // namespace berth::operator_
