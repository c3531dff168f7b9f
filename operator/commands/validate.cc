// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "controllers/effective.h"
#include "controllers/plugin_catalogue.h"
#include "controllers/verdict.h"
#include "crds/effects.h"
#include "operator/commands/command.h"
#include "operator/commands/documents.h"
#include "scheduler/plugins/registry.h"

namespace berth::operator_ {
namespace {

constexpr const char* kValidateHelp =
    "Check SchedulerProfiles without a cluster, with the operator's own validation: the fields, "
    "the\n"
    "plugin names and where they are enabled, their arguments, and what the operator's flags, "
    "given "
    "here\n"
    "too, allow. Mistakes are printed to standard error with the field's path, what was found and "
    "what\n"
    "is allowed; then the exit code is 1.";

std::vector<std::string> MistakesOf(const ProfileDocument& document,
                                    const controllers::PluginCatalogue& catalogue,
                                    const crds::Allowances& allowances) {
  const crds::SchedulerProfile profile = crds::WithDefaults(document.profile);
  std::vector<std::string> mistakes;
  for (const api::FieldError& mistake :
       controllers::MistakesIn(profile, catalogue, allowances.reserved)) {
    mistakes.push_back(mistake.ToString());
  }
  if (!mistakes.empty()) return mistakes;
  for (const crds::Refusal& refusal : crds::RefusalsOf(profile, allowances)) {
    mistakes.push_back(refusal.message);
  }
  if (!mistakes.empty()) return mistakes;
  const auto effective = controllers::EffectiveOf(profile, catalogue);
  if (!effective) return {"spec.plugins: " + effective.error().message()};
  return {};
}

std::vector<std::string> WarningsOf(const ProfileDocument& document,
                                    const controllers::PluginCatalogue& catalogue) {
  const crds::SchedulerProfile profile = crds::WithDefaults(document.profile);
  std::vector<std::string> warnings = crds::Warnings(profile.spec);
  if (const auto effective = controllers::EffectiveOf(profile, catalogue)) {
    for (std::string& warning : controllers::PluginWarnings(profile, *effective, catalogue)) {
      warnings.push_back(std::move(warning));
    }
  }
  return warnings;
}

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
      const std::vector<std::string> mistakes = MistakesOf(document, catalogue, options.allowances);
      for (const std::string& mistake : mistakes) {
        program.err << "error: " << document.source << ": " << mistake << "\n";
      }
      if (!mistakes.empty()) {
        exit_code = kExitFailure;
        continue;
      }
      for (const std::string& warning : WarningsOf(document, catalogue)) {
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
