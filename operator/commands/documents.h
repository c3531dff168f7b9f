// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/flags.h"
#include "crds/scheduler_profile.h"

namespace berth::operator_ {

// ProfileDocument is one SchedulerProfile of a file.
struct ProfileDocument {
  std::string source;  // "a.yaml", or "a.yaml: document 2" where the file has several
  crds::SchedulerProfile profile;
};

// DocumentFlags are those of every command that reads SchedulerProfiles from files.
struct DocumentFlags {
  std::vector<std::string> files;
  bool allow_default_scheduler = false;
};

// FlagsOf describes them. Requires: `flags` outlives what reads them.
std::vector<Flag> FlagsOf(DocumentFlags& flags);

// ReadProfiles reads the SchedulerProfiles of a YAML or JSON file, or of `in` when the path is "-".
// Fields are read strictly. Documents of other kinds are left out; a file without any profile is an
// error. Errors name the file, the document and the field path.
Result<std::vector<ProfileDocument>> ReadProfiles(const std::string& path, std::istream& in);

}  // namespace berth::operator_
