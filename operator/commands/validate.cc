// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/plugin_catalogue.h"
#include "operator/commands/command.h"
#include "operator/commands/documents.h"
#include "operator/commands/judgement.h"
#include "operator/commands/output.h"
#include "scheduler/plugins/registry.h"

namespace berth::operator_ {
namespace {

constexpr const char* kValidateHelp =
    "Check SchedulerProfiles without a cluster.\n\n"
    "The checks are the operator's own: fields, plugin names and extension points, arguments,\n"
    "and the limits of the operator's --allowed-* flags, which this command takes, too. No two\n"
    "documents may have the same scheduler name, as metadata.name or in spec.aliases. Each\n"
    "error goes to standard error with the field's path, the value found and the allowed\n"
    "values, and the exit code is 1. The items of a List are checked like documents. Documents\n"
    "of other kinds are skipped, and in folders also files that are no Kubernetes objects.\n\n"
    "With -o the command prints one document to standard output and nothing to standard error.\n"
    "Its fields are findings (severity: error or warning, file, document: counted from 1, path,\n"
    "value, message), profiles (file, document, name, valid) and skipped, the number of skipped\n"
    "documents. Fields that do not apply are absent.";

struct ValidateFlags {
  DocumentFlags documents;
  std::string output;
};

// ProfileResult is one profile with its result.
struct ProfileResult {
  std::string file;
  int32_t document = 0;
  std::string name;
  bool valid = false;

  static auto Fields() {
    return json::Object(json::Field("file", &ProfileResult::file).Required(),
                        json::Field("document", &ProfileResult::document).Required(),
                        json::Field("name", &ProfileResult::name).Required(),
                        json::Field("valid", &ProfileResult::valid).Required());
  }
};

// Report is the output for programs. Its field names are stable.
struct ValidateReport {
  std::vector<Finding> findings;
  std::vector<ProfileResult> profiles;
  int32_t skipped = 0;

  static auto Fields() {
    return json::Object(json::Field("findings", &ValidateReport::findings).Required(),
                        json::Field("profiles", &ValidateReport::profiles).Required(),
                        json::Field("skipped", &ValidateReport::skipped).Required());
  }
};

// Reports whether the value at the path is a default, because it could not be read.
bool IsUnread(std::string_view path, const std::set<std::string, std::less<>>& unread) {
  for (size_t end = path.find_first_of(".["); end != path.npos;
       end = path.find_first_of(".[", end + 1)) {
    if (unread.contains(path.substr(0, end))) return true;
  }
  return unread.contains(path);
}

// Returns all errors and warnings of a document.
std::vector<Finding> FindingsOf(const ProfileDocument& document,
                                const controllers::PluginCatalogue& catalogue,
                                const controllers::PlanOptions& options) {
  std::vector<Finding> findings = document.errors;
  if (!document.profile) return findings;
  const Judgement judgement = Judge(*document.profile, catalogue, options);
  for (const api::FieldError& error : judgement.errors) {
    if (IsUnread(error.path, document.unread)) continue;
    findings.push_back(FindingOf(document.place, error));
  }
  for (const crds::Rejection& rejection : judgement.rejections) {
    findings.push_back(FindingOf(document.place, rejection));
  }
  if (!findings.empty()) return findings;
  for (const api::FieldWarning& warning : judgement.warnings) {
    findings.push_back(FindingOf(document.place, warning));
  }
  return findings;
}

bool HasError(const std::vector<Finding>& findings) {
  return std::ranges::find(findings, Finding::kError, &Finding::severity) != findings.end();
}

Result<int> Validate(const ValidateFlags& flags, Program& program) {
  BERTH_TRY(const controllers::PlanOptions options, PlanOptionsOf(flags.documents.installation));
  const controllers::PluginCatalogue catalogue(scheduler::MakeRegistry());
  const ProfileDocuments read = ReadProfiles(flags.documents, program.in);
  const bool is_text = !IsDocument(flags.output);
  ValidateReport report;
  for (const ProfileDocument& document : read.documents) {
    const std::vector<Finding> findings = FindingsOf(document, catalogue, options);
    report.findings.insert(report.findings.end(), findings.begin(), findings.end());
    if (is_text) {
      for (const Finding& finding : findings) program.err << finding.text << "\n";
    }
    if (!document.profile) continue;
    const bool is_valid = !HasError(findings);
    const std::string& name = document.profile->metadata.name;
    report.profiles.push_back({document.place.file, document.place.document, name, is_valid});
    if (is_text && is_valid) program.out << "schedulerprofile/" << name << " is valid\n";
  }
  report.skipped = static_cast<int32_t>(read.skipped);
  if (is_text) {
    program.err << SkippedText(read);
  } else {
    program.out << DocumentText(report, flags.output);
  }
  return HasError(report.findings) ? kExitFailure : kExitSuccess;
}

}  // namespace

Command ValidateCommand(Program& program) {
  auto flags = std::make_shared<ValidateFlags>();
  CommandLine line{.name = "validate", .help = kValidateHelp, .flags = FlagsOf(flags->documents)};
  line.flags.push_back({.name = "-o,--output",
                        .target = &flags->output,
                        .help = "Print the findings in this format, for programs",
                        .type = "FORMAT",
                        .one_of = {std::string(kJson), std::string(kYaml)}});
  line.footer = "Examples:\n  " + program.name + " validate -f profile.yaml\n  " + program.name +
                " validate -f a.yaml -f b.yaml\n  " + program.name + " validate -R -f deploy/\n  " +
                program.name + " validate -R -f deploy/ -o json | jq -r '.findings[].message'";
  return {.line = std::move(line), .run = [flags, &program] { return Validate(*flags, program); }};
}

}  // namespace berth::operator_
