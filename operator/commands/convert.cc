// SPDX-License-Identifier: Apache-2.0
#include "convert/convert.h"

#include <iterator>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/json/field_path.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "controllers/difference.h"
#include "operator/commands/command.h"
#include "operator/commands/judgement.h"
#include "operator/commands/output.h"
#include "scheduler/plugins/registry.h"

namespace berth::operator_ {
namespace {

constexpr const char* kConvertHelp =
    "Convert a scheduler's configuration to SchedulerProfiles.\n\n"
    "The source is a Policy (kind: Policy, read by kube-schedulers before 1.23), a\n"
    "KubeSchedulerConfiguration of any version from v1alpha1 to v1, or the manifests of a\n"
    "scheduler: the ConfigMap with its configuration, the Deployment that refers to it with\n"
    "--config, --policy-config-file or --policy-configmap, and related objects.\n"
    "The command prints the profiles to standard output, for kubectl apply, and a report to\n"
    "standard error. The report has a line for each part of the source with the result (exact,\n"
    "approximate or dropped) and the reason, and then the output of `berth validate` for each\n"
    "profile. The exit code is 1 if nothing could be converted or a profile is not valid. If a\n"
    "part of the source is missing or not valid, the command prints no profile, but the report.\n"
    "The command needs no cluster.";

using Members = std::map<std::string, json::Raw>;

struct ConvertFlags {
  bool keep_image = false;
  convert::Options options;
  std::string file;
  std::string output{kYaml};
  std::string report;
};

// Returns the profile without default values, as a user would write it.
std::string ProfileText(const crds::SchedulerProfile& profile) {
  crds::SchedulerProfile plain;
  plain.metadata = profile.metadata;
  Members members = json::Decode<Members>(controllers::MergePatch(plain, profile)).value();
  members["apiVersion"].text = json::Quoted(crds::SchedulerProfile::kResource.ApiVersion());
  members["kind"].text = json::Quoted(crds::SchedulerProfile::kResource.kind);
  members["metadata"].text = json::Encode(Members{{"name", {json::Quoted(profile.metadata.name)}}});
  return json::Encode(members);
}

std::string ListText(const std::vector<std::string>& items) { return "[" + Join(items, ",") + "]"; }

std::string YamlOf(const convert::Conversion& conversion) {
  std::string text;
  for (const convert::Converted& converted : conversion.profiles) {
    if (!text.empty()) text += "---\n";
    for (const std::string& comment : converted.comments)
      text += "# " + json::OneLine(comment) + "\n";
    text += yaml::FromJson(ProfileText(converted.profile));
  }
  return text;
}

// Returns a List, which kubectl can apply, with the report beside the items.
std::string JsonOf(const convert::Conversion& conversion) {
  std::vector<std::string> profiles;
  for (const convert::Converted& converted : conversion.profiles) {
    profiles.push_back(ProfileText(converted.profile));
  }
  std::vector<std::string> findings;
  for (const convert::Finding& finding : conversion.findings) {
    findings.push_back(json::Encode(convert::TextOf(finding)));
  }
  const Members list = {{"apiVersion", {json::Quoted("v1")}},
                        {"kind", {json::Quoted("List")}},
                        {"items", {ListText(profiles)}},
                        {"report", {ListText(findings)}}};
  return FormattedJson(json::Encode(list), kJson);
}

std::string ReportOf(const convert::Conversion& conversion) {
  std::string text;
  for (const convert::Finding& finding : conversion.findings) text += finding.ToString() + "\n";
  return text;
}

// Appends the operator's assessment of a profile under the default flags.
bool ReportJudgement(crds::SchedulerProfile profile, const controllers::PluginCatalogue& catalogue,
                     std::string& report) {
  crds::PlaceByDefault(profile, crds::kDefaultNamespace);
  const Judgement judgement = Judge(profile, catalogue, {.allowances = {}});
  const std::string title = "schedulerprofile/" + profile.metadata.name;
  for (const api::FieldError& error : judgement.errors) {
    report += "error: " + title + ": " + error.ToString() + "\n";
  }
  if (!judgement.errors.empty()) return false;
  for (const crds::Rejection& rejection : judgement.rejections) {
    report += "warning: " + title +
              " is valid, but an operator with the default flags rejects it: " + rejection.message +
              "\n";
  }
  for (const api::FieldWarning& warning : judgement.warnings) {
    report += "warning: " + title + ": " + warning.ToString() + "\n";
  }
  if (judgement.IsApplied()) report += title + " is valid\n";
  return true;
}

Result<int> Convert(const ConvertFlags& flags, Program& program) {
  std::string text;
  convert::Options options = flags.options;
  if (flags.keep_image) options.engine = convert::EngineChoice::kImage;
  if (flags.file == "-") {
    text.assign(std::istreambuf_iterator<char>(program.in), {});
    options.source = "standard input";
  } else {
    BERTH_TRY(text, ReadFile(flags.file));
    options.source = flags.file;
  }
  const controllers::PluginCatalogue catalogue(scheduler::MakeRegistry());
  BERTH_TRY(const convert::Conversion conversion,
            convert::Convert(text, options, catalogue.view()));
  if (conversion.errors.empty()) {
    program.out << (flags.output == kJson ? JsonOf(conversion) : YamlOf(conversion));
  }
  std::string report = ReportOf(conversion);
  bool is_valid = conversion.errors.empty();
  for (const convert::Converted& converted : conversion.profiles) {
    is_valid = ReportJudgement(converted.profile, catalogue, report) && is_valid;
  }
  if (flags.report.empty()) {
    program.err << report;
  } else {
    BERTH_TRY_VOID(WriteFile(flags.report, report));
  }
  for (const std::string& error : conversion.errors) program.err << "error: " << error << "\n";
  return is_valid ? kExitSuccess : kExitFailure;
}

}  // namespace

Command ConvertCommand(Program& program) {
  auto flags = std::make_shared<ConvertFlags>();
  CommandLine line{.name = "convert", .help = kConvertHelp};
  line.flags = {
      {.name = "-f,--filename",
       .target = &flags->file,
       .help = "File to convert, JSON or YAML; - is standard input",
       .type = "FILE",
       .required = true},
      {.name = "-o,--output",
       .target = &flags->output,
       .help = "Output format; json is a List of the profiles, with the report beside its items",
       .type = "FORMAT",
       .one_of = {std::string(kYaml), std::string(kJson)}},
      {.name = "--name",
       .target = &flags->options.name,
       .help = "Name of the profile; default: the scheduler name in the source, else the "
               "name of\nthe Deployment, the ConfigMap or the file",
       .type = "NAME"},
      {.name = "--namespace",
       .target = &flags->options.ns,
       .help = "Namespace of the scheduler's pods; default: the operator's namespace",
       .type = "NAMESPACE"},
      {.name = "--keep-image",
       .target = &flags->keep_image,
       .help = "Keep the scheduler's image, with engine KubeScheduler, even if Berth has all of\n"
               "its plugins"},
      {.name = "--report",
       .target = &flags->report,
       .help = "Write the report to this file instead of standard error",
       .type = "FILE"}};
  line.footer = "Examples:\n  " + program.name + " convert -f policy.json > profile.yaml\n  " +
                program.name + " convert -f scheduler-manifests.yaml --report report.txt\n  " +
                program.name + " convert -f policy.json -o json --name packing";
  return {.line = std::move(line), .run = [flags, &program] { return Convert(*flags, program); }};
}

}  // namespace berth::operator_
