// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "controllers/plugin_catalogue.h"
#include "operator/commands/command.h"
#include "operator/commands/documents.h"
#include "operator/commands/judgement.h"
#include "scheduler/plugins/registry.h"

namespace berth::operator_ {
namespace {

constexpr const char* kValidateHelp =
    "Check SchedulerProfiles without a cluster.\n\n"
    "The checks are the operator's own: fields, plugin names and extension points, arguments,\n"
    "and the limits of the operator's --allowed-* flags, which this command takes, too. Each\n"
    "error goes to standard error with the field's path, the value found and the allowed\n"
    "values, and the exit code is 1.";

Result<int> Validate(const DocumentFlags& flags, Program& program) {
  BERTH_TRY(const controllers::PlanOptions options, PlanOptionsOf(flags.installation));
  const controllers::PluginCatalogue catalogue(scheduler::MakeRegistry());
  int exit_code = kExitSuccess;
  for (const ProfilesOfFile& documents : ReadProfiles(flags, program.in)) {
    if (!documents) {
      program.err << "error: " << documents.error().message() << "\n";
      exit_code = kExitFailure;
      continue;
    }
    for (const ProfileDocument& document : *documents) {
      const Judgement judgement = Judge(document.profile, catalogue, options);
      for (const auto* reasons : {&judgement.errors, &judgement.rejections}) {
        for (const std::string& reason : *reasons) {
          program.err << "error: " << document.source << ": " << reason << "\n";
        }
      }
      if (!judgement.IsApplied()) {
        exit_code = kExitFailure;
        continue;
      }
      for (const std::string& warning : judgement.warnings) {
        program.err << "warning: " << document.source << ": " << warning << "\n";
      }
      program.out << "schedulerprofile/" << document.profile.metadata.name << " is valid\n";
    }
  }
  return exit_code;
}

}  // namespace

Command ValidateCommand(Program& program) {
  auto flags = std::make_shared<DocumentFlags>();
  return {.line = {.name = "validate",
                   .help = kValidateHelp,
                   .flags = FlagsOf(*flags),
                   .footer = "Examples:\n  " + program.name + " validate -f profile.yaml\n  " +
                             program.name + " validate -f a.yaml -f b.yaml\n  " + program.name +
                             " validate -R -f deploy/"},
          .run = [flags, &program] { return Validate(*flags, program); }};
}

}  // namespace berth::operator_
