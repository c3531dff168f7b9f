// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/flags.h"
#include "crds/scheduler_profile.h"
#include "operator/commands/installation_flags.h"

namespace berth::operator_ {

// ProfileDocument is one SchedulerProfile of a file.
struct ProfileDocument {
  std::string source;  // "a.yaml", or "a.yaml: document 2" if the file has several
  crds::SchedulerProfile profile;
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

// ProfilesOfFile holds the profiles of one file, or its error with the file, the document and the
// field path.
using ProfilesOfFile = Result<std::vector<ProfileDocument>>;

// Reads the SchedulerProfiles of all files in the flags, YAML or JSON; one entry per file. A folder
// stands for its .yaml, .yml and .json files, like in kubectl, sorted by name. Unknown fields are
// errors; a profile without a namespace gets the installation's. Documents of other kinds are
// skipped. A named file, or a folder as a whole, without a profile is an error.
std::vector<ProfilesOfFile> ReadProfiles(const DocumentFlags& flags, std::istream& in);

}  // namespace berth::operator_
