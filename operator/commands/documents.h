// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/flags.h"
#include "crds/scheduler_profile.h"
#include "operator/commands/finding.h"
#include "operator/commands/installation_flags.h"

namespace berth::operator_ {

// ProfileDocument is one document of a file that is a SchedulerProfile, or should be one.
struct ProfileDocument {
  DocumentPlace place;
  // The readable part: fields with an error have their default. nullopt: nothing can be read.
  std::optional<crds::SchedulerProfile> profile;
  std::set<std::string, std::less<>> unread;  // paths of fields whose value could not be read
  // Errors of reading: unknown fields, values of another type, names that another document has.
  std::vector<Finding> errors;
};

// ProfileDocuments holds the documents of all files.
struct ProfileDocuments {
  std::vector<ProfileDocument> documents;
  size_t skipped = 0;  // documents of other kinds, and files of folders that are no manifests
};

// DocumentFlags are the flags of every command that reads SchedulerProfiles from files and checks
// them like an operator.
struct DocumentFlags {
  std::vector<std::string> files;  // and folders; "-" is standard input
  bool recursive = false;
  InstallationFlags installation;
};

// Returns the flags. Requires: `flags` outlives the returned flags.
std::vector<Flag> FlagsOf(DocumentFlags& flags);

// Reads the SchedulerProfiles of all files in the flags, YAML or JSON. A folder stands for its
// .yaml, .yml and .json files, like in kubectl, sorted by name; a file that is named twice is read
// once. Unknown fields are errors, and so are two documents with one scheduler name, in any of the
// files. The items of a List or a SchedulerProfileList are documents. A profile without a namespace
// gets the installation's. Documents of other kinds are skipped, and in folders everything that is
// not of our API group, such as a kustomization, values of Helm, or a template that is no YAML. A
// named file, or a folder as a whole, without a profile is an error.
ProfileDocuments ReadProfiles(const DocumentFlags& flags, std::istream& in);

// Returns a line about skipped documents for standard error; "" if there are none.
std::string SkippedText(const ProfileDocuments& documents);

}  // namespace berth::operator_
