// SPDX-License-Identifier: Apache-2.0
#include "crds/toggle.h"

#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "client/client.h"
#include "controllers/difference.h"
#include "controllers/effective.h"
#include "controllers/field_managers.h"
#include "crds/scheduler_profile.h"
#include "operator/commands/cluster_flags.h"
#include "operator/commands/command.h"
#include "operator/commands/output.h"
#include "scheduler/plugins/registry.h"

namespace berth::operator_ {
namespace {

using crds::SchedulerProfile;
using crds::ToggleEdit;
using crds::TogglePlan;
using crds::ToggleRequest;
using Verb = ToggleRequest::Verb;

constexpr const char* kEnableHelp =
    "Enable a plugin in a SchedulerProfile of the cluster.\n\n"
    "Without --points, the plugin is enabled at all extension points that it implements.\n"
    "With --points, it is enabled at these, and the others stay as they are. A queue sort\n"
    "plugin replaces the previous one.\n\n";
constexpr const char* kDisableHelp =
    "Disable a plugin in a SchedulerProfile of the cluster.\n\n"
    "Without --points, the plugin no longer runs at all. With --points, it no longer runs at\n"
    "these extension points, and runs at its others as before.\n\n";
constexpr const char* kWeightHelp =
    "Set a plugin's score weight in a SchedulerProfile of the cluster.\n\n";
constexpr const char* kOthersHelp =
    "The command changes no field that another field manager owns, according to the profile's\n"
    "managedFields. If the request needs such a change, the command writes nothing, prints the\n"
    "patch to commit to standard output, names the field and its owner, and exits with code 1.\n"
    "With --force it writes the patch. A patch that admission would reject is never sent.";

// Shared by `berth` and `kubectl berth`, so that one can revert changes of the other.
constexpr const char* kFieldManager = "kubectl-berth";
constexpr int kTries = 4;  // attempts of a conflicting write

constexpr const char* kNotDry = "none";
constexpr const char* kDryClient = "client";
constexpr const char* kDryServer = "server";

struct ToggleFlags {
  ToggleRequest request;  // without points and weight
  std::string points;     // a list flag would take the PLUGIN behind it as a point
  int weight = 0;
  std::string profile;
  std::string dry_run = kNotDry;
  std::string output;
  bool force = false;
  ClusterFlags cluster;
};

// Live is a profile as stored by the API server, with its text for managedFields.
struct Live {
  std::string text;
  SchedulerProfile profile;
};

using Members = std::map<std::string, json::Raw>;

std::string Title(const std::string& name) {
  const api::ResourceInfo& resource = SchedulerProfile::kResource;
  return ToLower(resource.kind) + "." + std::string(resource.group) + "/" + name;
}

// Lists the profiles for an error message; "" if they cannot be listed.
std::string Others(client::Client& client, const std::string& name) {
  const auto listed = client.List<SchedulerProfile>();
  if (!listed) return "";
  std::vector<std::string> names;
  for (const auto& profile : listed->items) names.push_back(profile->metadata.name);
  if (names.empty()) return "; there are none";
  return NearestHint(NearestName(name, names), "; there are: " + Join(names, ", "));
}

// Rejects plugins with unknown fields: lists are written as a whole, and unknown fields would be
// lost.
Result<void> CheckKnown(const std::string& text) {
  BERTH_TRY(Members object, json::Decode<Members>(text));
  if (object["spec"].text.empty()) return {};
  BERTH_TRY(Members spec, json::Decode<Members>(object["spec"].text));
  if (spec["plugins"].text.empty()) return {};
  const auto plugins = json::Decode<api::Plugins>(spec["plugins"].text, json::Mode::kStrict);
  if (plugins) return {};
  return Fail(plugins.error().With("this version does not know all fields of spec.plugins"));
}

Result<Live> ReadLive(client::Client& client, const std::string& name) {
  auto text = client.Call(client::GetRequest(SchedulerProfile::kResource, {}, name));
  if (!text && text.error().Is(Reason::kNotFound)) {
    return Fail(Reason::kNotFound,
                "SchedulerProfile " + name + " does not exist" + Others(client, name));
  }
  if (!text) return Fail(text.error().With("get " + Title(name)));
  BERTH_TRY_VOID(CheckKnown(*text));
  BERTH_TRY(SchedulerProfile profile, json::Decode<SchedulerProfile>(*text));
  return Live{.text = std::move(*text), .profile = std::move(profile)};
}

// Returns a JSON merge patch that also identifies its object.
std::string PatchText(const SchedulerProfile& from, const SchedulerProfile& to,
                      const Members& metadata) {
  Members patch = json::Decode<Members>(controllers::MergePatch(from, to)).value();
  patch["apiVersion"].text = json::Quoted(SchedulerProfile::kResource.ApiVersion());
  patch["kind"].text = json::Quoted(SchedulerProfile::kResource.kind);
  patch["metadata"].text = json::Encode(metadata);
  return json::Encode(patch);
}

Result<SchedulerProfile> Write(client::Client& client, const Live& live,
                               const SchedulerProfile& changed, bool is_dry) {
  const std::string& version = live.profile.metadata.resource_version;
  client::ApiRequest request = client::PatchRequest(
      SchedulerProfile::kResource, {}, changed.metadata.name,
      PatchText(live.profile, changed, {{"resourceVersion", {json::Quoted(version)}}}),
      {.type = client::PatchType::kMerge, .field_manager = kFieldManager});
  if (is_dry) request.target += "&dryRun=All";
  return client.CallAs<SchedulerProfile>(std::move(request));
}

std::string OwnersIn(const TogglePlan& plan) {
  std::vector<std::string> owners;
  for (const ToggleEdit& edit : plan.edits) {
    const bool is_new = std::ranges::find(owners, edit.owner) == owners.end();
    if (!edit.owner.empty() && is_new) owners.push_back(edit.owner);
  }
  return Join(owners, ", ");
}

Failure Reject(const Live& live, const SchedulerProfile& changed, const TogglePlan& plan,
               const std::string& format, Program& program) {
  const Members name = {{"name", {json::Quoted(live.profile.metadata.name)}}};
  program.out << FormattedJson(PatchText(live.profile, changed, name),
                               IsDocument(format) ? format : kYaml);
  const std::string owners = OwnersIn(plan);
  std::string message = "fields of " + Title(live.profile.metadata.name) +
                        " that must change are owned by other field managers:\n";
  for (const ToggleEdit& edit : plan.edits) {
    if (!edit.owner.empty()) message += "  " + edit.path + " is owned by " + edit.owner + "\n";
  }
  return Fail(
      Reason::kConflict,
      message +
          "nothing was written; commit the patch on standard output to the source from which " +
          owners + " applies the profile, or use --force to change it here until then");
}

std::string PrintUnchanged(const ToggleRequest& request) {
  const std::string where = request.points.empty() ? "" : " at " + Join(request.points, ", ");
  switch (request.verb) {
    case Verb::kEnable:
      return request.plugin + " is already enabled" + where;
    case Verb::kDisable:
      return request.plugin + " is already disabled" + where;
    case Verb::kWeight:
      return request.plugin + " already has the weight " + std::to_string(request.weight);
  }
  return "";
}

std::vector<api::FieldWarning> WarningsOf(const SchedulerProfile& profile,
                                          const controllers::PluginCatalogue& catalogue) {
  const auto effective = controllers::EffectiveOf(profile, catalogue);
  if (!effective) return {};
  return controllers::PluginWarnings(profile, *effective, catalogue);
}

// Prints remarks, and new warnings caused by the change.
void Remark(const Live& live, const SchedulerProfile& changed, const TogglePlan& plan,
            const controllers::PluginCatalogue& catalogue, std::ostream& err) {
  for (const std::string& note : plan.notes) err << "note: " << note << "\n";
  const std::vector<api::FieldWarning> before = WarningsOf(live.profile, catalogue);
  for (const api::FieldWarning& warning : WarningsOf(changed, catalogue)) {
    if (std::ranges::find(before, warning) != before.end()) continue;
    err << "warning: " << warning.ToString() << "\n";
  }
  for (const ToggleEdit& edit : plan.edits) {
    if (edit.owner.empty()) continue;
    err << "warning: " << edit.path << " was owned by " << edit.owner
        << ", which will revert it when it applies the profile again\n";
  }
}

void Report(const ToggleFlags& flags, const SchedulerProfile& profile, const TogglePlan& plan,
            std::ostream& out) {
  if (IsDocument(flags.output)) {
    out << DocumentText(profile, flags.output);
    return;
  }
  out << Title(profile.metadata.name);
  if (plan.edits.empty()) {
    out << " unchanged: " << PrintUnchanged(flags.request) << "\n";
    return;
  }
  out << " patched";
  if (flags.dry_run == kDryClient) out << " (dry run)";
  if (flags.dry_run == kDryServer) out << " (server dry run)";
  out << "\n";
  for (const ToggleEdit& edit : plan.edits) out << "  " << edit.path << " " << edit.what << "\n";
}

// Makes one attempt; kConflict from the server means that another write came first.
Result<int> Try(const ToggleFlags& flags, const controllers::PluginCatalogue& catalogue,
                client::Client& client, Program& program) {
  BERTH_TRY(const Live live, ReadLive(client, flags.profile));
  const auto owner_of = [&live](const std::string& path) {
    return controllers::RivalOf(live.text, path, kFieldManager);
  };
  BERTH_TRY(const TogglePlan plan,
            crds::PlanToggle(live.profile.spec, catalogue.view(), flags.request, owner_of));
  SchedulerProfile changed = live.profile;
  changed.spec.plugins = plan.plugins;
  if (plan.ChangesForeignFields() && !flags.force) {
    return Reject(live, changed, plan, flags.output, program);
  }
  if (!plan.edits.empty() && flags.dry_run != kDryClient) {
    auto written = Write(client, live, changed, flags.dry_run == kDryServer);
    if (!written) return Fail(written.error().With("patch " + Title(flags.profile)));
    changed = std::move(*written);
  }
  Remark(live, changed, plan, catalogue, program.err);
  Report(flags, changed, plan, program.out);
  return kExitSuccess;
}

Result<int> Toggle(ToggleFlags flags, Program& program) {
  flags.request.weight = flags.weight;
  if (!flags.points.empty()) {
    for (const auto point : Split(flags.points, ',')) flags.request.points.emplace_back(point);
  }
  const SystemClock clock;
  BERTH_TRY(const std::unique_ptr<client::Client> client, Connect(flags.cluster, "toggle", clock));
  const controllers::PluginCatalogue catalogue(scheduler::MakeRegistry());
  Result<int> outcome = Try(flags, catalogue, *client, program);
  for (int i = 1; i < kTries && !outcome && outcome.error().http_code() == 409; ++i) {
    outcome = Try(flags, catalogue, *client, program);
  }
  return outcome;
}

Command ToggleCommand(std::string name, std::string help, Verb verb, std::string examples,
                      Program& program) {
  auto flags = std::make_shared<ToggleFlags>(ToggleFlags{.request = {.verb = verb, .plugin = {}}});
  CommandLine line{.name = std::move(name), .help = std::move(help) + kOthersHelp};
  line.flags = {{.name = "PLUGIN",
                 .target = &flags->request.plugin,
                 .help = "Plugin name",
                 .required = true}};
  if (verb == Verb::kWeight) {
    line.flags.push_back({.name = "WEIGHT",
                          .target = &flags->weight,
                          .help = "Weight of its scores in a node's total score",
                          .range = {{1, 2147483647}},
                          .required = true});
  } else {
    line.flags.push_back({.name = "--points",
                          .target = &flags->points,
                          .help =
                              "Extension points, such as filter,score; default: all points that\n"
                              "the plugin implements (`berth plugins PLUGIN` lists them)",
                          .type = "POINT,..."});
  }
  line.flags.insert(
      line.flags.end(),
      {{.name = "--profile",
        .target = &flags->profile,
        .help = "Name of the SchedulerProfile",
        .type = "NAME",
        .required = true},
       {.name = "--dry-run",
        .target = &flags->dry_run,
        .help = "client: write nothing; server: the API server validates and stores nothing",
        .type = "STRATEGY",
        .one_of = {kNotDry, kDryClient, kDryServer}},
       {.name = "-o,--output",
        .target = &flags->output,
        .help = "Print the profile, or the patch to commit, in this format",
        .type = "FORMAT",
        .one_of = {std::string(kJson), std::string(kYaml)}},
       {.name = "--force",
        .target = &flags->force,
        .help =
            "Also change fields of other field managers, which will revert them when they apply\n"
            "the profile again"}});
  for (Flag& flag : FlagsOf(flags->cluster)) line.flags.push_back(std::move(flag));
  line.footer = std::move(examples);
  return {.line = std::move(line), .run = [flags, &program] { return Toggle(*flags, program); }};
}

}  // namespace

Command EnableCommand(Program& program) {
  return ToggleCommand("enable", kEnableHelp, Verb::kEnable,
                       "Examples:\n  " + program.name +
                           " enable NodeAffinity --profile bin-packing\n  " + program.name +
                           " enable QOSSort --profile bin-packing --dry-run=server",
                       program);
}

Command DisableCommand(Program& program) {
  return ToggleCommand("disable", kDisableHelp, Verb::kDisable,
                       "Examples:\n  " + program.name +
                           " disable ImageLocality --profile bin-packing\n  " + program.name +
                           " disable TaintToleration --points score --profile bin-packing",
                       program);
}

Command WeightCommand(Program& program) {
  return ToggleCommand(
      "weight", kWeightHelp, Verb::kWeight,
      "Example:\n  " + program.name + " weight NodeResourcesFit 5 --profile bin-packing", program);
}

}  // namespace berth::operator_
