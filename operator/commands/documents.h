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
  std::string source;  // "a.yaml", or "a.yaml: document 2" where the file has several
  crds::SchedulerProfile profile;
};

// DocumentFlags are those of every command that reads SchedulerProfiles from files and judges them
// as an operator would.
struct DocumentFlags {
  std::vector<std::string> files;  // and folders; "-" is standard input
  bool recursive = false;
  InstallationFlags installation;
};

// FlagsOf describes them. Requires: `flags` outlives what reads them.
std::vector<Flag> FlagsOf(DocumentFlags& flags);

// ProfilesOfFile is what one file holds, or why it could not be read: the error names the file, the
// document and the field path.
using ProfilesOfFile = Result<std::vector<ProfileDocument>>;

// ReadProfiles reads the SchedulerProfiles of all files that the flags name, YAML or JSON, one
// entry a file. Of a folder these are the files .yaml, .yml and .json in it, as kubectl takes them,
// in the order of their names. Fields are read strictly; a profile that names no namespace gets that
// of the installation. Documents of other kinds are left out; it
// is an error when a file that was named, or a folder as a whole, has no profile.
std::vector<ProfilesOfFile> ReadProfiles(const DocumentFlags& flags, std::istream& in);

}  // namespace berth::operator_
